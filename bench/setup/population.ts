/**
 * Who pays whom. One tenant has the hot merchant, and payers enough that only he is hot. Each customer
 * has a PIN, whose hash takes milliseconds by design: more of them would make the setup long.
 */
export const population = {
  tenants: 4,
  /** Payers of each tenant that take part in uniform runs. */
  payersPerTenant: 250,
  merchantsPerTenant: 60,
  /** Payers of the hot merchant: as many as all tenants together have in uniform runs. */
  hotPayers: 1000,
} as const;

/** Every payer's load, in cents: a bench never ends in insufficient funds. */
export const fundsCents = 10_000_000;

/** Payments are of random amounts between these, in cents. */
export const smallestPaymentCents = 100;
export const largestPaymentCents = 5_000;

/** Customers are set up over so many connections at once. */
export const setupConnections = 64;
