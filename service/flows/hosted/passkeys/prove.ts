import { command } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  isUsable,
  type PasskeyRow,
  passkeys,
} from '../../../resources/customers/credentials/passkeys.ts';
import { type PinRow, pins } from '../../../resources/customers/credentials/pins.ts';
import { type CustomerRow, customers } from '../../../resources/customers/table.ts';
import type { ProgressRow } from '../../../resources/sessions/progress.ts';
import type { SessionRow } from '../../../resources/sessions/table.ts';
import { answerOf } from '../answer.ts';
import type { PinUse } from '../pin/pin.ts';
import {
  assertOpen,
  assertOpenForReset,
  loadOpenedSession,
  type OfSession,
  refusal,
} from '../session.ts';
import { optionsOf, type PasskeyChallenge, takeAnswer, verifyAnswer } from './assertion.ts';
import { type Dependencies, type PasskeyAnswer, proofChallengeOf } from './challenge.ts';
import { loadAnswered } from './confirm.ts';

/** Proves who is at a page that confirms no record (rules/hosted#36). */

/**
 * contact_change: to list and remove. A reset of the PIN: to keep the passkey that proves it.
 * @throws ApiError invalid_state {reason?: expired, flow}
 */
function assertTakesProof(work: Work, session: SessionRow, customer: CustomerRow): void {
  if (session.flow === 'contact_change') assertOpen(work, session);
  else assertOpenForReset(work, session, customer);
}

type PinFacts = Pick<PinRow, 'generation' | 'hash'> | null | undefined;

/** The present PIN was given or set in this session; it is emptied when the account closes. */
export const isPinProven = ({ proven_pin }: Pick<ProgressRow, 'proven_pin'>, pin: PinFacts) =>
  Boolean(pin) && pin?.hash !== '' && proven_pin === pin?.generation;

/** A passkey that still works was used in this session. */
export const isPasskeyProven = (
  { proven_passkey_id: id }: Pick<ProgressRow, 'proven_passkey_id'>,
  usable: readonly Pick<PasskeyRow, 'id'>[],
): boolean => id !== null && usable.some((key) => key.id === id);

/** A right PIN proves it and changes nothing else. */
export const proveByPin: PinUse = {
  name: 'prove_by_pin',
  flows: ['contact_change'],
  onRight: () => {},
};

/** An opened session with what its customer proves by; the passkeys also where they were removed. */
export async function loadProofs(read: Read, input: OfSession) {
  const opened = await loadOpenedSession(read, input);
  const { customer_id } = opened.session;
  const [customer, pin, keys] = await Promise.all([
    read.one(customers, customer_id),
    read.maybe(pins, customer_id),
    read.set(passkeys, 'customer_id', customer_id),
  ]);
  return { opened, customer, pin, keys };
}

export type Proofs = Awaited<ReturnType<typeof loadProofs>>;

const beginProof = command('proof_challenge', {
  load: async (read: Read, input: OfSession) => {
    const opened = await loadOpenedSession(read, input);
    const { customer_id } = opened.session;
    const [customer, keys] = await Promise.all([
      read.one(customers, customer_id),
      read.set(passkeys, 'customer_id', customer_id),
    ]);
    return { opened, customer, keys };
  },
  decide: (work, { opened, customer, keys }) => {
    const { session, progress } = opened;
    assertTakesProof(work, session, customer);
    const allowed = keys.filter(isUsable);
    if (allowed.length === 0) throw refusal('no_passkey');
    const nonce = work.newSecret('pc');
    work.change(progress, { challenge: nonce });
    const value: PasskeyChallenge = { challenge: proofChallengeOf(nonce, session), allowed };
    return { value, sealed: true };
  },
});

/** The options by which a browser proves who is there. */
export const proofOptions =
  (parts: Dependencies) => async (tenantId: string, sessionId: string) => {
    const begun = parts.engine.submit(beginProof, { tenantId, input: { sessionId } });
    return optionsOf(parts, await answerOf<PasskeyChallenge>(begun));
  };

/** @throws ApiError parameter_invalid, invalid_state */
export const proveByPasskey = (parts: Dependencies) =>
  command('prove_by_passkey', {
    prepare: (input: PasskeyAnswer, { tenantId }) => verifyAnswer(parts, input, tenantId),
    load: async (read, input, proven) => {
      const answered = await loadAnswered(read, input, proven);
      const { customer_id } = answered.opened.session;
      return { ...answered, customer: await read.one(customers, customer_id) };
    },
    decide: (work, { opened, customer, passkey }, _input, proven) => {
      const { session, progress } = opened;
      assertTakesProof(work, session, customer);
      takeAnswer(work, opened, passkey, proven, proofChallengeOf(proven.nonce, session));
      work.change(progress, { proven_passkey_id: passkey.id });
      return { value: { is_behind: proven.isBehind } };
    },
  });
