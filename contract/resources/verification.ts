/**
 * The states of a customer's verification (contract: Verification). They stand alone because the
 * outcome of a session names them and a customer embeds a session.
 */
export const verificationStatuses = [
  'created',
  'pending',
  'in_review',
  'approved',
  'rejected',
] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];
