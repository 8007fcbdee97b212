import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { command } from '../../core/command.ts';
import type { Engine } from '../../core/engine.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/reader.ts';
import { displayName } from '../../resources/customers/names.ts';
import { type PasskeyRow, passkeys } from '../../resources/customers/passkeys.ts';
import { customers } from '../../resources/customers/table.ts';
import type { Database } from '../../resources/database.ts';
import { completeConfirmation } from '../complete.ts';
import { assertOpen, type OfSession, type Opened, readOpened } from './opened.ts';
import { bytesOf, challengeOf, newPasskeyChallenge, type RelyingParty } from './passkey_facts.ts';

/**
 * Passkeys by WebAuthn with user verification. The library is loaded when the first one is used: a
 * start does not wait for it.
 */
const webauthn = () => import('@simplewebauthn/server');

/** How long a customer may take to answer the browser's question. */
const timeoutMs = 120_000;
const maximumPasskeys = 10;

const refused = (reason: string) =>
  fail('parameter_invalid', { param: 'credential', details: { reason } });
const noChallenge = () =>
  fail('invalid_state', {
    details: { current_status: 'created', allowed: [], reason: 'no_challenge' },
  });
const noPasskey = () =>
  fail('invalid_state', {
    details: { current_status: 'created', allowed: [], reason: 'no_passkey' },
  });

/** The commands around the library's questions. */
const beginConfirmation = command('passkey_challenge', {
  load: async (read: Read, input: OfSession) => {
    const opened = await readOpened(read, input);
    const keys = await read.set(passkeys, 'customer_id', opened.session.customer_id);
    return { opened, keys };
  },
  decide: (work, { opened, keys }) => {
    const { session, progress, target } = opened;
    assertOpen(work, session, ['payment_confirm']);
    if (keys.length === 0 || !target) throw noPasskey();
    const nonce = work.newSecret('pc');
    work.change(progress, { challenge: nonce });
    return {
      value: {
        challenge: challengeOf(nonce, session, target),
        allowed: keys.map(({ credential_id, transports }) => ({ credential_id, transports })),
      },
      sealed: true,
    };
  },
});

interface Answered extends OfSession {
  readonly credential: Readonly<Record<string, unknown>>;
}

interface Proven {
  /** What the answer was proven against; another nonce by now makes it worthless. */
  readonly nonce: string;
  readonly challenge: string;
  readonly passkeyId: string;
  readonly counter: number;
  readonly newCounter: number;
}

interface Parts {
  readonly engine: Pick<Engine, 'submit'>;
  readonly db: Kysely<Database>;
  readonly relyingParty: RelyingParty;
}

async function found(db: Kysely<Database>, tenantId: string, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .selectAll()
    .executeTakeFirst();
}

const nonceOf = async (db: Kysely<Database>, tenantId: string, sessionId: string) => {
  const row = await db
    .selectFrom('session_progress')
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .select('challenge')
    .executeTakeFirst();
  if (!row?.challenge) throw noChallenge();
  return row.challenge;
};

/** Whether the library takes the answer; whatever it throws says that it does not. */
async function isTaken<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw refused('not_verified');
  }
}

const credentialOf = (row: Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter'>) => ({
  id: row.credential_id,
  publicKey: bytesOf(row.public_key),
  counter: row.counter,
});

/**
 * Proves an answer with the library before the batch. Which challenge it was is told by the answer
 * itself and proven in `decide`, where session, record and amount are those that are committed on.
 */
async function prove(
  { db, relyingParty }: Parts,
  tenantId: string,
  { sessionId, credential }: Answered,
): Promise<Proven & { customerId: string }> {
  const nonce = await nonceOf(db, tenantId, sessionId);
  const row = await found(db, tenantId, String(credential.id ?? ''));
  if (!row) throw refused('unknown_credential');
  let challenge = '';
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await isTaken(() =>
    verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge(given) {
        challenge = given;
        return true;
      },
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: credentialOf(row),
      requireUserVerification: true,
    }),
  );
  if (!verified) throw refused('not_verified');
  const { newCounter } = authenticationInfo;
  return {
    nonce,
    challenge,
    passkeyId: row.id,
    customerId: row.customer_id,
    counter: row.counter,
    newCounter,
  };
}

/** Confirms a record by a passkey's answer. @throws ApiError parameter_invalid, invalid_state */
export const confirmByPasskey = (parts: Parts) =>
  command('confirm_by_passkey', {
    prepare: (input: Answered, { tenantId }) => prove(parts, tenantId, input),
    load: async (read, input, { passkeyId }) => {
      const [opened, passkey] = await Promise.all([
        readOpened(read, input),
        read.one(passkeys, passkeyId),
      ]);
      return { opened, passkey };
    },
    decide: (work, { opened, passkey }, _input, proven) => {
      const { session, progress, target } = opened;
      assertOpen(work, session, ['payment_confirm']);
      if (!target || progress.challenge !== proven.nonce) throw noChallenge();
      if (proven.challenge !== challengeOf(proven.nonce, session, target))
        throw refused('challenge');
      if (passkey.customer_id !== session.customer_id) throw refused('unknown_credential');
      // Another use of the same key since: this answer may be a copy of it.
      if (passkey.counter !== proven.counter) throw refused('counter');
      work.change(progress, { challenge: null });
      work.change(passkey, { counter: proven.newCounter });
      completeConfirmation(work, session, target);
      return { value: null };
    },
  });

const readNewcomer = async (read: Read, input: OfSession) => {
  const opened = await readOpened(read, input);
  const { customer_id } = opened.session;
  const [customer, keys] = await Promise.all([
    read.one(customers, customer_id),
    read.set(passkeys, 'customer_id', customer_id),
  ]);
  return { opened, customer, keys };
};

/** After a right PIN alone, in the session that proved it: also when it has ended by it. */
function assertMayAdd({ progress }: Opened, keys: readonly PasskeyRow[]): void {
  const refuse = (reason: string) =>
    fail('invalid_state', { details: { current_status: 'created', allowed: [], reason } });
  if (!progress.pin_proven) throw refuse('pin_required');
  if (keys.length >= maximumPasskeys) throw refuse('too_many_passkeys');
}

const beginAdding = command('new_passkey_challenge', {
  load: readNewcomer,
  decide: (work, { opened, customer, keys }) => {
    assertMayAdd(opened, keys);
    const nonce = work.newSecret('pc');
    work.change(opened.progress, { challenge: nonce });
    return {
      value: {
        challenge: newPasskeyChallenge(nonce, opened.progress),
        // The authenticator's name for the customer: it must not hold personal data.
        user_id: customer.id,
        name: displayName(customer) || work.tenant.settings.branding.name,
        rp_name: work.tenant.settings.branding.name,
        known: keys.map(({ credential_id }) => credential_id),
      },
      sealed: true,
    };
  },
});

/** Keeps a passkey that the browser made. @throws ApiError parameter_invalid, invalid_state */
export const addPasskey = (parts: Parts) =>
  command('add_passkey', {
    prepare: async ({ sessionId, credential }: Answered, { tenantId }) => {
      const nonce = await nonceOf(parts.db, tenantId, sessionId);
      let challenge = '';
      const { verifyRegistrationResponse } = await webauthn();
      const { registrationInfo } = await isTaken(() =>
        verifyRegistrationResponse({
          response: credential as unknown as RegistrationResponseJSON,
          expectedChallenge(given) {
            challenge = given;
            return true;
          },
          expectedOrigin: parts.relyingParty.origin,
          expectedRPID: parts.relyingParty.id,
          requireUserVerification: true,
        }),
      );
      if (!registrationInfo) throw refused('not_verified');
      return { nonce, challenge, made: registrationInfo.credential };
    },
    load: async (read, input, { made }) => ({
      ...(await readNewcomer(read, input)),
      known: await read.by(passkeys, 'credential', { credential_id: made.id }),
    }),
    decide: (work, { opened, keys, known }, _input, { nonce, challenge, made }) => {
      const { progress, session } = opened;
      assertMayAdd(opened, keys);
      if (progress.challenge !== nonce) throw noChallenge();
      if (challenge !== newPasskeyChallenge(nonce, progress)) throw refused('challenge');
      if (known) throw refused('known_credential');
      work.change(progress, { challenge: null });
      work.create(passkeys, {
        id: work.newId(),
        customer_id: session.customer_id,
        credential_id: made.id,
        public_key: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        transports: (made.transports ?? []).join(','),
        created_at: work.now,
      });
      return { value: null };
    },
  });

interface Challenged {
  readonly challenge: string;
  readonly allowed: readonly { readonly credential_id: string; readonly transports: string }[];
}

interface Adding {
  readonly challenge: string;
  readonly user_id: string;
  readonly name: string;
  readonly rp_name: string;
  readonly known: readonly string[];
}

/** The options that the browser's own interface takes (WebAuthn Level 3, JSON forms). */
export function openPasskeyOptions({ engine, relyingParty }: Parts) {
  const run = async <T>(reply: Promise<{ body: string }>): Promise<T> =>
    JSON.parse((await reply).body) as T;

  return {
    async forConfirmation(tenantId: string, sessionId: string) {
      const { challenge, allowed } = await run<Challenged>(
        engine.submit(beginConfirmation, { tenantId, input: { sessionId } }),
      );
      const { generateAuthenticationOptions } = await webauthn();
      return generateAuthenticationOptions({
        rpID: relyingParty.id,
        challenge: bytesOf(challenge),
        timeout: timeoutMs,
        userVerification: 'required',
        allowCredentials: allowed.map(({ credential_id, transports }) => ({
          id: credential_id,
          ...(transports === '' ? {} : { transports: transports.split(',') }),
        })),
      });
    },
    async forNew(tenantId: string, sessionId: string) {
      const { challenge, user_id, name, rp_name, known } = await run<Adding>(
        engine.submit(beginAdding, { tenantId, input: { sessionId } }),
      );
      const { generateRegistrationOptions } = await webauthn();
      return generateRegistrationOptions({
        rpName: rp_name,
        rpID: relyingParty.id,
        userName: name,
        userDisplayName: name,
        userID: bytesOf(Buffer.from(user_id.replaceAll('-', ''), 'hex').toString('base64url')),
        challenge: bytesOf(challenge),
        timeout: timeoutMs,
        excludeCredentials: known.map((id) => ({ id })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      });
    },
  };
}
