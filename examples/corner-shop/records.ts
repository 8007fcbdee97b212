import type { SessionCreateParams } from '@tenant-payments/sdk-server';

/** The records that the shop works with. */
export type {
  Account,
  Balance,
  Customer,
  DocumentAcceptance,
  LinkedAccount,
  Payment,
  PaymentRequest,
  ReconciliationReport,
  Refund,
  SessionOutcome,
  Transaction,
} from '@tenant-payments/sdk-server';

export type Flow = SessionCreateParams['flow'];
/** The record that a session confirms. */
export type Target = Exclude<SessionCreateParams['target'], undefined>;
