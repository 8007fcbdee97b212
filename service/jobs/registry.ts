import type { Command } from '../core/command.ts';
import { accountRestrictedJob } from '../flows/cascade.ts';
import { requestsClosingJob } from '../flows/close_account.ts';
import { closingJob } from '../flows/closing.ts';
import { deadlineJobOf, sessionEndJob } from '../flows/end_session.ts';
import { followJob, reversalJob, triageJob } from '../resources/disputes/jobs.ts';
import { withdrawalHoldJob } from '../resources/linked_accounts/moves.ts';
import { loadTimeoutJob } from '../resources/loads/moves.ts';
import { requestExpiryJob } from '../resources/payment_requests/moves.ts';
import { paymentTimeoutJob } from '../resources/payments/by_bank.ts';
import { requestEndedJob } from '../resources/payments/cascade.ts';
import { refundQueueJob, refundWaitJob } from '../resources/refunds/queue.ts';

/** What a job does: a command on the record that the row names, by uuid. */
export type Job = Command<{ ref: string }>;

/** Every `what` of a job with the command that it submits (architecture 3, Due). */
export type Jobs = Readonly<Record<string, Job>>;

/** Ties a command to a job. Its types are its own; in the list it is one of many. */
export const job = <Loaded, Prepared>(command: Command<{ ref: string }, Loaded, Prepared>): Job =>
  command as unknown as Job;

/** All that can fall due. A row whose `what` is missing here raises an alarm. */
export const staticJobs: Jobs = {
  session_end: job(sessionEndJob),
  payment_deadline: job(deadlineJobOf('payment')),
  load_deadline: job(deadlineJobOf('load')),
  withdrawal_deadline: job(deadlineJobOf('withdrawal')),
  refund_deadline: job(deadlineJobOf('refund')),
  refund_queue: job(refundQueueJob),
  refund_wait: job(refundWaitJob),
  load_timeout: job(loadTimeoutJob),
  payment_timeout: job(paymentTimeoutJob),
  payment_request_expiry: job(requestExpiryJob),
  requests_closing: job(requestsClosingJob),
  account_closing: job(closingJob),
  payment_request_ended: job(requestEndedJob),
  account_restricted: job(accountRestrictedJob),
  withdrawal_hold: job(withdrawalHoldJob),
  dispute_triage: job(triageJob),
  dispute_follow: job(followJob),
  dispute_reversal: job(reversalJob),
};
