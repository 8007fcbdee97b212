import type { Command } from '../core/command.ts';
import { accountRestrictedDuty } from '../flows/cascade.ts';
import { requestsClosingDuty } from '../flows/close_account.ts';
import { closingDuty } from '../flows/closing.ts';
import { deadlineDutyOf, sessionEndDuty } from '../flows/session_end.ts';
import { followDuty, reversalDuty, triageDuty } from '../resources/disputes/duties.ts';
import { withdrawalHoldDuty } from '../resources/linked_accounts/moves.ts';
import { loadTimeoutDuty } from '../resources/loads/moves.ts';
import { requestExpiryDuty } from '../resources/payment_requests/moves.ts';
import { paymentTimeoutDuty } from '../resources/payments/by_bank.ts';
import { requestEndedDuty } from '../resources/payments/cascade.ts';
import { refundQueueDuty, refundWaitDuty } from '../resources/refunds/queue.ts';

/** What a due row does: a command on the record that the row names, by uuid. */
export type Duty = Command<{ ref: string }>;

/** Every `what` of a due row with the command that it submits (architecture 3, Due). */
export type Duties = Readonly<Record<string, Duty>>;

/** Ties a command to a duty. Its types are its own; in the list it is one of many. */
export const duty = <Loaded, Prepared>(command: Command<{ ref: string }, Loaded, Prepared>): Duty =>
  command as unknown as Duty;

/** All that can fall due. A row whose `what` is missing here raises an alarm. */
export const duties: Duties = {
  session_end: duty(sessionEndDuty),
  payment_deadline: duty(deadlineDutyOf('payment')),
  load_deadline: duty(deadlineDutyOf('load')),
  withdrawal_deadline: duty(deadlineDutyOf('withdrawal')),
  refund_deadline: duty(deadlineDutyOf('refund')),
  refund_queue: duty(refundQueueDuty),
  refund_wait: duty(refundWaitDuty),
  load_timeout: duty(loadTimeoutDuty),
  payment_timeout: duty(paymentTimeoutDuty),
  payment_request_expiry: duty(requestExpiryDuty),
  requests_closing: duty(requestsClosingDuty),
  account_closing: duty(closingDuty),
  payment_request_ended: duty(requestEndedDuty),
  account_restricted: duty(accountRestrictedDuty),
  withdrawal_hold: duty(withdrawalHoldDuty),
  dispute_triage: duty(triageDuty),
  dispute_follow: duty(followDuty),
  dispute_reversal: duty(reversalDuty),
};
