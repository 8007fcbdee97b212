import type { Command } from '../core/command.ts';
import { accountRestrictedDuty } from '../flows/cascade.ts';
import { deadlineDutyOf, sessionEndDuty } from '../flows/session_end.ts';
import { withdrawalHoldDuty } from '../resources/linked_accounts/moves.ts';
import { loadTimeoutDuty } from '../resources/loads/moves.ts';
import { requestExpiryDuty } from '../resources/payment_requests/moves.ts';
import { requestEndedDuty } from '../resources/payments/cascade.ts';

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
  load_timeout: duty(loadTimeoutDuty),
  payment_request_expiry: duty(requestExpiryDuty),
  payment_request_ended: duty(requestEndedDuty),
  account_restricted: duty(accountRestrictedDuty),
  withdrawal_hold: duty(withdrawalHoldDuty),
};
