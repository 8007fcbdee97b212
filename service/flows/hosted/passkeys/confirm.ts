import { command } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { isUsable, passkeys } from '../../../resources/customers/credentials/passkeys.ts';
import { confirm } from '../../confirm.ts';
import { answerOf } from '../answer.ts';
import { assertOpen, loadOpenedSession, type OfSession, refusal } from '../session.ts';
import {
  optionsOf,
  type PasskeyChallenge,
  type ProvenPasskey,
  takeAnswer,
  verifyAnswer,
} from './assertion.ts';
import { challengeOf, type Dependencies, noChallenge, type PasskeyAnswer } from './challenge.ts';

/** A passkey confirms a record: WebAuthn with user verification (rules/hosted#19). */

const beginConfirmation = command('passkey_challenge', {
  load: async (read: Read, input: OfSession) => {
    const opened = await loadOpenedSession(read, input);
    const keys = await read.set(passkeys, 'customer_id', opened.session.customer_id);
    return { opened, keys };
  },
  decide: (work, { opened, keys }) => {
    const { session, progress, target } = opened;
    assertOpen(work, session, ['payment_confirm']);
    const allowed = keys.filter(isUsable);
    if (allowed.length === 0 || !target) throw refusal('no_passkey');
    const nonce = work.newSecret('pc');
    work.change(progress, { challenge: nonce });
    const challenge = challengeOf(nonce, session, target);
    const value: PasskeyChallenge = { challenge, allowed };
    return { value, sealed: true };
  },
});

/** The options by which a browser confirms the record of a session. */
export const confirmationOptions =
  (parts: Dependencies) => async (tenantId: string, sessionId: string) => {
    const begun = parts.engine.submit(beginConfirmation, { tenantId, input: { sessionId } });
    return optionsOf(parts, await answerOf<PasskeyChallenge>(begun));
  };

/** Reads the rows of a command that rests on a passkey's answer. */
export async function loadAnswered(read: Read, input: OfSession, { passkey }: ProvenPasskey) {
  const [opened, key] = await Promise.all([
    loadOpenedSession(read, input),
    read.one(passkeys, passkey.id),
  ]);
  return { opened, passkey: key };
}

/** Confirms a record by a passkey's answer. @throws ApiError parameter_invalid, invalid_state */
export const confirmByPasskey = (parts: Dependencies) =>
  command('confirm_by_passkey', {
    prepare: (input: PasskeyAnswer, { tenantId }) => verifyAnswer(parts, input, tenantId),
    load: loadAnswered,
    decide: (work, { opened, passkey }, _input, proven) => {
      const { session, target } = opened;
      assertOpen(work, session, ['payment_confirm']);
      if (!target) throw noChallenge();
      takeAnswer(work, opened, passkey, proven, challengeOf(proven.nonce, session, target));
      confirm(work, session, target);
      return { value: { is_behind: proven.isBehind } };
    },
  });
