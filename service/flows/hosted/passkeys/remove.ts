import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { isUsable, removePasskeys } from '../../../resources/customers/credentials/passkeys.ts';
import { completeSession } from '../../../resources/sessions/open.ts';
import { assertOpen, type OfSession, refusal } from '../session.ts';
import { isPasskeyProven, isPinProven, loadProofs, type Proofs } from './prove.ts';

/** A customer removes passkeys in contact_change, once PIN or passkey have proven who it is. */

/** @throws ApiError invalid_state {reason: proof_required} */
function assertProven({ opened, pin, keys }: Proofs): void {
  const { progress } = opened;
  if (!isPinProven(progress, pin) && !isPasskeyProven(progress, keys.filter(isUsable)))
    throw refusal('proof_required');
}

interface Removal extends OfSession {
  /** The id that the view shows. */
  readonly id: string;
}

/** @throws ApiError not_found, invalid_state {reason: proof_required} */
export const removePasskey = command('remove_passkey', {
  load: (read, input: Removal) => loadProofs(read, input),
  decide: (work, rows, { id }) => {
    assertOpen(work, rows.opened.session, ['contact_change']);
    assertProven(rows);
    const key = rows.keys.find((one) => one.id === id && isUsable(one));
    if (!key) throw fail('not_found', { param: 'id' });
    removePasskeys(work, rows.customer, [key]);
    return { value: null };
  },
});

/** The customer has looked after the passkeys: the flow is completed. @throws ApiError invalid_state */
export const finishPasskeys = command('finish_passkeys', {
  load: loadProofs,
  decide: (work, rows: Proofs) => {
    assertOpen(work, rows.opened.session, ['contact_change']);
    assertProven(rows);
    completeSession(work, rows.opened.session, rows.customer.status);
    return { value: null };
  },
});
