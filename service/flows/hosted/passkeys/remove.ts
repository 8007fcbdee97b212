import { command } from '../../../core/command.ts';
import { fail } from '../../../core/fail.ts';
import type { Read } from '../../../core/load/reader.ts';
import {
  isUsable,
  passkeys,
  removePasskeys,
} from '../../../resources/customers/credentials/passkeys.ts';
import { pins } from '../../../resources/customers/credentials/pins.ts';
import { customers } from '../../../resources/customers/table.ts';
import { completeSession } from '../../../resources/sessions/open.ts';
import { assertOpen, loadOpenedSession, type OfSession, refusal } from '../session.ts';
import { isPasskeyProven, isPinProven } from './prove.ts';

/** A customer removes passkeys in contact_change, once PIN or passkey have proven who it is. */

async function loadProven(read: Read, input: OfSession) {
  const opened = await loadOpenedSession(read, input);
  const { customer_id } = opened.session;
  const [customer, pin, keys] = await Promise.all([
    read.one(customers, customer_id),
    read.maybe(pins, customer_id),
    read.set(passkeys, 'customer_id', customer_id),
  ]);
  return { opened, customer, pin, usable: keys.filter(isUsable) };
}

/** @throws ApiError invalid_state {reason: proof_required} */
function assertProven({ opened, pin, usable }: Awaited<ReturnType<typeof loadProven>>): void {
  const { progress } = opened;
  if (!isPinProven(progress, pin) && !isPasskeyProven(progress, usable))
    throw refusal('proof_required');
}

interface Removal extends OfSession {
  /** As the view names it. */
  readonly id: string;
}

/** @throws ApiError not_found, invalid_state {reason: proof_required} */
export const removePasskey = command('remove_passkey', {
  load: (read, input: Removal) => loadProven(read, input),
  decide: (work, rows, { id }) => {
    assertOpen(work, rows.opened.session, ['contact_change']);
    assertProven(rows);
    const key = rows.usable.find((one) => one.id === id);
    if (!key) throw fail('not_found', { param: 'id' });
    removePasskeys(work, rows.customer, [key]);
    return { value: null };
  },
});

/** The customer has looked after the passkeys: the flow is completed. @throws ApiError invalid_state */
export const finishPasskeys = command('finish_passkeys', {
  load: loadProven,
  decide: (work, rows: Awaited<ReturnType<typeof loadProven>>) => {
    assertOpen(work, rows.opened.session, ['contact_change']);
    assertProven(rows);
    completeSession(work, rows.opened.session, rows.customer.status);
    return { value: null };
  },
});
