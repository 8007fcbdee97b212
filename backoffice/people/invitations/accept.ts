import { fail } from '@tenant-payments/engine/fail.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { refused } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { AcceptedInvitation } from '../../contract/people/invitations.ts';
import { isBootstrapping } from '../bootstrap.ts';
import { lockPeople, type Queryable } from '../scope.ts';
import type { Call } from '../serve.ts';
import { replaceSession } from '../sessions/session_of_browser.ts';
import { endSessions } from '../sessions/sessions.ts';
import { takeChallenge } from '../sign_in/challenge.ts';
import {
  type MadePasskey,
  type Proven,
  passkeyOf,
  takeAnswer,
  verifyAnswer,
  verifyMade,
} from '../sign_in/passkeys.ts';
import { replaceCodes } from '../sign_in/recovery_codes.ts';
import { madePasskey, storePasskey } from '../sign_in/store_passkey.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import { sessionView } from '../view.ts';
import {
  answersBy,
  assertKnownHereAlone,
  handleOf,
  type InvitationRow,
  type Invitee,
  invitationOf,
  inviteeOf,
  isByCommandLine,
} from './invitation_row.ts';

export interface Accepting {
  readonly token: string;
  readonly name?: string;
  readonly credential: Readonly<Record<string, unknown>>;
}

/** What the browser answered: a passkey that is there, or a new one. */
type Given = { readonly answer: Proven } | { readonly made: MadePasskey };

const newId = idMaker();
const firstPasskey = 'First passkey';

/** One statement: an invitation is accepted once, however many send it. @throws ApiError invalid_state */
async function take(
  connection: Queryable,
  service: Service,
  token: string,
): Promise<InvitationRow> {
  // Says why it cannot be accepted; the update decides.
  const row = await invitationOf(connection, service, token);
  const { rowCount } = await connection.query(
    `update control.invitations set accepted_at = $2
     where token_hash = $1 and accepted_at is null and revoked_at is null and expires_at > $2`,
    [storedSecret(service, 'invitation', token), instantOf(service.clocks.realNow())],
  );
  if (rowCount === 0) throw fail('invalid_state', { details: { reason: 'accepted' } });
  return row;
}

export async function addPerson(
  connection: Queryable,
  service: Pick<Service, 'clocks' | 'vault'>,
  row: InvitationRow,
  name: string | undefined,
): Promise<string> {
  if (row.kind === 'reset') throw fail('not_found');
  if (!name) throw fail('parameter_missing', { param: 'name' });
  const nowMs = service.clocks.realNow();
  const id = newId(nowMs);
  await connection.query(
    `insert into control.people (id, email, name, passkey_handle, created_at, invited_by)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, row.email, name, handleOf(service, row), instantOf(nowMs), row.invited_person],
  );
  return id;
}

/** A reset ends whatever let somebody in before. */
async function forget(connection: Queryable, service: Service, personId: string): Promise<void> {
  await connection.query('delete from control.person_passkeys where person_id = $1', [personId]);
  await connection.query('delete from control.recovery_codes where person_id = $1', [personId]);
  await endSessions(connection, service, { personId }, 'passkeys_reset');
}

/**
 * @returns the passkey that was made; null: none was
 * @throws ApiError parameter_invalid: the answer is of the other kind, or of somebody else
 */
async function prove(
  connection: Queryable,
  service: Service,
  row: InvitationRow,
  { personId, given, invitee }: { personId: string; given: Given; invitee: Invitee | null },
): Promise<ReturnType<typeof madePasskey> | null> {
  const purpose = `accept ${row.id}` as const;
  if ('answer' in given) {
    const isTheirs = answersBy(row, invitee) && given.answer.passkey.person_id === personId;
    if (!isTheirs) throw refused('unknown_credential');
    await takeAnswer(connection, service, purpose, given.answer);
    return null;
  }
  if (answersBy(row, invitee)) throw refused('not_verified');
  await takeChallenge(connection, service, purpose, given.made.challenge);
  const { made } = given;
  return madePasskey(await storePasskey(connection, service, personId, made, firstPasskey), made);
}

export async function grant(
  connection: Queryable,
  service: Pick<Service, 'clocks'>,
  { scope, roles, invited_by, invited_person }: InvitationRow,
  personId: string,
): Promise<void> {
  const now = instantOf(service.clocks.realNow());
  const bootstrap = isByCommandLine(invited_by) && (await isBootstrapping(connection, scope, now));
  await connection.query(
    `insert into control.roles (scope, person_id, role, granted_at, granted_by, bootstrap)
     select $1, $2, role, $4, $5, $6 from unnest($3::text[]) as role on conflict do nothing`,
    [scope, personId, roles, now, invited_person, bootstrap],
  );
}

async function acceptIn(
  connection: Queryable,
  service: Service,
  call: Call,
  { token, name, given }: Omit<Accepting, 'credential'> & { readonly given: Given },
) {
  await lockPeople(connection);
  const row = await take(connection, service, token);
  const invitee = await inviteeOf(connection, row.email);
  if (invitee?.disabled_at) throw fail('invalid_state', { details: { reason: 'disabled' } });
  await assertKnownHereAlone(connection, row, invitee);
  const personId = invitee?.id ?? (await addPerson(connection, service, row, name));
  if (row.kind === 'reset') await forget(connection, service, personId);
  const passkey = await prove(connection, service, row, { personId, given, invitee });
  await grant(connection, service, row, personId);
  const isNew = 'made' in given;
  const codes = isNew ? await replaceCodes(connection, service, personId) : null;
  const where = row.kind === 'join' ? { scope: row.scope } : {};
  const session = { personId, openedBy: 'passkey', ...where } as const;
  const opened = await replaceSession(connection, service, call, session);
  return { row, personId, opened, codes, passkey };
}

/** Accepts an invitation, and signs in. @throws ApiError not_found, invalid_state, parameter_invalid */
export const accept =
  (service: Service) =>
  async (call: Call, { token, name, credential }: Accepting): Promise<AcceptedInvitation> => {
    const { control } = service;
    const seen = await invitationOf(control, service, token);
    const byAnswer = answersBy(seen, await inviteeOf(control, seen.email));
    // Whoever accepted it in between made this person: it says so, not that the passkey is unknown.
    await invitationOf(control, service, token);
    const given: Given = byAnswer
      ? {
          answer: await verifyAnswer(service, await passkeyOf(control, credential), credential),
        }
      : { made: await verifyMade(service, credential) };
    const named = name === undefined ? {} : { name };
    const { opened, codes } = await call.act(
      (connection) => acceptIn(connection, service, call, { token, ...named, given }),
      ({ personId, passkey, row: { id, scope, roles, kind } }) => ({
        event: 'invitation_accepted',
        facts: { invitation_id: id, scope, roles },
        record: id,
        scope,
        personId,
        after: { kind, roles, ...passkey },
        notice:
          kind === 'reset'
            ? { kind: 'passkey_added', personId, scope }
            : { kind: 'roles_changed', personId, scope, roles, gained: roles },
      }),
    );
    call.keep(opened.token);
    return { session: await sessionView(control, service, opened.id), recovery_codes: codes };
  };
