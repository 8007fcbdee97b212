/**
 * The customers. One tenant has the hot merchant and enough payers that no payer is hot. Hashing
 * each customer's PIN takes milliseconds, so more customers would make the setup long.
 */
export const population = {
  tenants: 4,
  /** Payers of each tenant in uniform runs. */
  payersPerTenant: 250,
  merchantsPerTenant: 60,
  /** Payers of the hot merchant: as many as all tenants together have in uniform runs. */
  hotPayers: 1000,
} as const;

/** Tenants with one payer and one merchant each, beside one Tenant with as many customers. */
export const crowdTenants = 1000;

/** Every payer's load, in cents: enough for every run. */
export const fundsCents = 10_000_000;

/** The range of random payment amounts, in cents. */
export const smallestPaymentCents = 100;
export const largestPaymentCents = 5_000;

/** Connections used at once to create customers. */
export const setupConnections = 64;

/** Small tenants whose customers are created at once. */
export const crowdConnections = 16;
