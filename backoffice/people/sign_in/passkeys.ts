import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import {
  assertionOf,
  isCredentialId,
  optionsOf,
} from '@tenant-payments/service/flows/hosted/passkeys/assertion.ts';
import {
  bytesOf,
  refused,
  relyingPartyOf,
  timeoutMs,
  transportsOf,
  verify,
  webauthn,
} from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import { securityEvent } from '@tenant-payments/service/operations/security_events.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { loadAnswered, newChallenge, type Purpose, takeAnswered } from './challenge.ts';
import { passkeys } from './table.ts';

/** Passkeys of people: discoverable, and with user verification (rules/sign-in#4). */

export type Context = Pick<
  Service,
  'control' | 'clocks' | 'config' | 'vault' | 'environment' | 'log'
>;
type Credential = Readonly<Record<string, unknown>>;

interface Known {
  readonly id: string;
  readonly person_id: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
}

/** The proof by an answer, before the transaction that rests on it. */
export interface Proven {
  readonly passkey: Known;
  readonly challenge: string;
  readonly newCounter: number;
}

export interface MadePasskey {
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string;
  readonly challenge: string;
}

const partyOf = ({ config }: Context) => relyingPartyOf(consoleSite(config));

export const maximumPasskeys = 10;

/** The options by which a browser answers; without a person, any passkey of this portal. */
export async function answerOptions(
  context: Context,
  purpose: Purpose,
  personId?: string,
): Promise<{ options: object; count: number }> {
  const { rows } =
    personId === undefined
      ? { rows: [] }
      : await context.control.query<{ credential_id: string; transports: string }>(
          'select credential_id, transports from control.person_passkeys where person_id = $1',
          [personId],
        );
  const asked = { challenge: newChallenge(context, purpose), allowed: rows };
  return {
    options: await optionsOf({ relyingParty: partyOf(context) }, asked),
    count: rows.length,
  };
}

/** The options by which a browser makes a passkey. @throws ApiError invalid_state */
export async function makingOptions(
  context: Context,
  purpose: Purpose,
  person: { readonly email: string; readonly name: string; readonly handle: string },
): Promise<object> {
  const { id: rpID } = partyOf(context);
  const { rows } = await context.control.query<{ credential_id: string }>(
    `select k.credential_id from control.person_passkeys k join control.people p on p.id = k.person_id
     where p.passkey_handle = $1`,
    [person.handle],
  );
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: 'Tenant Payments',
    rpID,
    userName: person.email,
    userDisplayName: person.name,
    userID: bytesOf(person.handle),
    challenge: bytesOf(newChallenge(context, purpose)),
    timeout: timeoutMs,
    excludeCredentials: rows.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** The passkey that an answer names; null: none of a person. */
export async function passkeyOf(db: Queryable, { id }: Credential): Promise<Known | null> {
  if (!isCredentialId(id)) return null;
  const { rows } = await db.query<Known>(
    `select id, person_id, credential_id, public_key, counter from control.person_passkeys
     where credential_id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** @throws ApiError parameter_invalid */
export async function verifyAnswer(
  context: Context,
  passkey: Known | null,
  credential: Credential,
): Promise<Proven> {
  if (!passkey) throw refused('unknown_credential');
  const asserted = await assertionOf(partyOf(context), passkey, { credential });
  if (asserted.isBehind)
    securityEvent(context.log, 'passkey_counter_behind', {
      actor: 'person',
      person_id: passkey.person_id,
      passkey_id: passkey.id,
    });
  return { passkey, ...asserted };
}

/** Loads what an answer rests on, in the command that takes it. @throws ApiError parameter_invalid */
export async function loadProven(
  read: Read,
  context: Pick<Context, 'vault' | 'clocks'>,
  purpose: Purpose,
  { passkey, challenge }: Proven,
) {
  const [row, answered] = await Promise.all([
    read.maybe(passkeys, passkey.id),
    loadAnswered(read, context, purpose, challenge),
  ]);
  return { row, answered };
}

/** Takes an answer by the command that rests on it. @throws ApiError parameter_invalid */
export function takeProven(
  work: Work,
  { row, answered }: Awaited<ReturnType<typeof loadProven>>,
  { passkey, newCounter }: Proven,
): void {
  takeAnswered(work, answered);
  // Another use of the same key since: this answer may be a copy of it.
  if (row === null || row.removed_at !== null || row.counter !== passkey.counter)
    throw refused('counter');
  work.change<typeof passkeys>(row, { counter: newCounter, last_used_at: work.now });
}

/** @throws ApiError parameter_invalid */
export async function verifyMade(context: Context, credential: Credential): Promise<MadePasskey> {
  const party = partyOf(context);
  const { verifyRegistrationResponse } = await webauthn();
  const { challenge, verified } = await verify({ credential }, [], (response, expectedChallenge) =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
  );
  if (!verified.registrationInfo) throw refused('not_verified');
  const { credential: made } = verified.registrationInfo;
  return {
    challenge,
    credential_id: made.id,
    public_key: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: transportsOf(made.transports),
  };
}
