/** The shop's customers by `external_ref`, the Tenant's own name of each; a sandbox has them all. */

/** The merchant behind the till. */
export const merchant = { ref: 'sample-cafe', name: 'Corner Cafe' } as const;

/** The merchant that the till pays invoices to. */
export const supplier = { ref: 'sample-books', name: 'Harbor Books LLC' } as const;

/** The people who can hold the phone. */
export const people = [
  { ref: 'sample-ana', name: 'Ana' },
  { ref: 'sample-ben', name: 'Ben' },
  { ref: 'sample-cleo', name: 'Cleo' },
] as const;
