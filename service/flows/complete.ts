import { fail } from '../core/fail.ts';
import type { Work } from '../core/work.ts';
import { completeSession } from '../resources/sessions/open.ts';
import type { SessionRow } from '../resources/sessions/table.ts';
import { type Confirmable, isOpen } from './confirm.ts';
import { assertLive } from './session_end.ts';

/**
 * The command `confirm` of decisions 1.8 with the verdict already right: the record moves and the
 * session completes in one transaction. A check that fails the record completes the session too.
 * @throws ApiError invalid_state: session over, record not open, or its request claimed
 */
export function completeConfirmation(work: Work, session: SessionRow, target: Confirmable): void {
  assertLive(session);
  if (!isOpen(target))
    throw fail('invalid_state', {
      details: { current_status: target.status(), allowed: [target.openStatus] },
    });
  target.confirm(work);
  completeSession(work, session, target.status());
}
