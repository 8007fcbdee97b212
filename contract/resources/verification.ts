/**
 * The states of a customer's verification (rules/customers#8), in a file of their own: sessions
 * name them, and customers embed a session.
 */
export const verificationStatuses = [
  'created',
  'pending',
  'in_review',
  'approved',
  'rejected',
] as const;
