import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { refused } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { isBootstrapping } from '../bootstrap.ts';
import { grantRoles, held } from '../grant.ts';
import type { Notice } from '../notices/notices.ts';
import { type Asked, type Done, personCommand, signingIn } from '../person_command.ts';
import { platform } from '../scope.ts';
import { endSessions, firstScope, loadReplaced, replaceSession } from '../sessions/open.ts';
import type { OpenedSession, Origin } from '../sessions/sessions.ts';
import { sessions } from '../sessions/table.ts';
import { loadAnswered, takeAnswered } from '../sign_in/challenge.ts';
import {
  loadKeeping,
  madePasskey,
  removePasskeys,
  replaceRecoveryCodes,
  storePasskey,
} from '../sign_in/keep.ts';
import {
  loadProven,
  type MadePasskey,
  type Proven,
  passkeyOf,
  takeProven,
  verifyAnswer,
  verifyMade,
} from '../sign_in/passkeys.ts';
import { passkeys, recoveryCodes } from '../sign_in/table.ts';
import { people, roleGrants } from '../table.ts';
import {
  answersBy,
  assertNoOtherScope,
  assertOpen,
  handleOf,
  invitationOf,
  inviteeOf,
  isByCommandLine,
  tokenHashOf,
} from './invitation_row.ts';
import { type InvitationRow, invitations } from './table.ts';

/** A browser's request to accept an invitation, and its origin. */
export interface Accepting extends Origin, Asked {
  readonly token: string;
  readonly name?: string;
  readonly credential: Readonly<Record<string, unknown>>;
  /** The cookie of the browser's earlier session; null: there is none. */
  readonly cookie: string | null;
}

/** The session that it opens, and recovery codes where a passkey was made. */
export interface Accepted {
  readonly opened: OpenedSession;
  readonly codes: string[] | null;
}

/** The browser's answer: a passkey that is there, or a new one. */
type Given = { readonly answer: Proven } | { readonly made: MadePasskey };

interface Prepared {
  readonly given: Given;
  /** The scope of a person who only replaces passkeys. */
  readonly firstScope: string | null;
}

const firstPasskey = 'First passkey';

/** @throws ApiError not_found, invalid_state, parameter_invalid */
async function prepare(service: Service, { token, credential }: Accepting): Promise<Prepared> {
  const { control } = service;
  const seen = await invitationOf(control, service, token);
  const invitee = await inviteeOf(control, seen.email);
  // Whoever accepted it in between made this person: it says so, not that the passkey is unknown.
  await invitationOf(control, service, token);
  const given: Given = answersBy(seen, invitee)
    ? { answer: await verifyAnswer(service, await passkeyOf(control, credential), credential) }
    : { made: await verifyMade(service, credential) };
  return { given, firstScope: invitee && (await firstScope(control, invitee.id)) };
}

/** Reads what a person holds. */
async function loadHeld(read: Read, personId: string | null) {
  if (personId === null) return { grants: [], passkeys: [], codes: [], sessions: [] };
  const [grants, keys, codes, open] = await Promise.all([
    read.set(roleGrants, 'person_id', personId),
    read.set(passkeys, 'person_id', personId),
    read.set(recoveryCodes, 'person_id', personId),
    read.set(sessions, 'person_id', personId),
  ]);
  return { grants, passkeys: keys, codes, sessions: open };
}

async function loadGiven(
  read: Read,
  service: Service,
  { id, person, given }: { id: string; person: string | null; given: Given },
) {
  const purpose = `accept ${id}` as const;
  if ('answer' in given)
    return { ...given, proven: await loadProven(read, service, purpose, given.answer) };
  const [answered, keeping] = await Promise.all([
    loadAnswered(read, service, purpose, given.made.challenge),
    loadKeeping(read, person, given.made),
  ]);
  return { ...given, answered, keeping };
}

async function load(
  read: Read,
  service: Service,
  { token, cookie }: Accepting,
  { given }: Prepared,
) {
  const row = await read.by(invitations, 'token', { token_hash: tokenHashOf(service, token) });
  if (!row) throw fail('not_found');
  const person = await read.by(people, 'email', { email: row.email });
  const id = person?.id ?? null;
  const [holds, proof, staff, replaced] = await Promise.all([
    loadHeld(read, id),
    loadGiven(read, service, { id: row.id, person: id, given }),
    row.scope === platform ? read.set(roleGrants, 'scope', platform) : [],
    loadReplaced(read, service, cookie),
  ]);
  return { row, person, holds, proof, staff, replaced };
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** Makes the person whom an invitation names. @throws ApiError not_found, parameter_missing */
export function createPerson(
  work: Work,
  parts: Pick<Service, 'vault'>,
  row: Pick<InvitationRow, 'id' | 'kind' | 'email' | 'invited_person'>,
  name: string | undefined,
): string {
  if (row.kind === 'reset') throw fail('not_found');
  if (!name) throw fail('parameter_missing', { param: 'name' });
  const { id } = work.create(people, {
    id: work.newId(),
    email: row.email,
    name,
    passkey_handle: handleOf(parts, row),
    created_at: work.now,
    disabled_at: null,
    invited_by: row.invited_person,
  });
  return id;
}

/**
 * Takes an invitation, and gives its roles. @param of the roles of the person, and those of the platform
 * @throws ApiError invalid_state: whoever made it takes it
 */
export function takeInvitation(
  work: Work,
  row: InvitationRow,
  personId: string,
  of: Pick<Loaded, 'staff'> & Pick<Loaded['holds'], 'grants'>,
): void {
  const { scope, roles, invited_by, invited_person: by } = row;
  const bootstrap =
    scope === platform && isByCommandLine(invited_by) && isBootstrapping(of.staff, work.now);
  work.change<typeof invitations>(row, { accepted_at: work.now });
  grantRoles(work, of.grants, { scope, personId, roles, by, bootstrap });
}

/** @throws ApiError invalid_state */
function assertAcceptable(work: Work, { row, person, holds }: Loaded): void {
  assertOpen(row, work.now);
  if (person?.disabled_at) throw fail('invalid_state', { details: { reason: 'disabled' } });
  if (row.kind === 'join' && holds.passkeys.length === 0)
    assertNoOtherScope(held(holds.grants), row.scope);
}

/** A reset ends whatever let somebody in before. */
function forget(work: Work, { holds }: Loaded): void {
  removePasskeys(work, holds.passkeys);
  endSessions(work, holds.sessions, 'passkeys_reset');
}

/**
 * @param answers whether a passkey that is there accepts it
 * @returns what the audit keeps of the passkey that was made
 * @throws ApiError parameter_invalid: the answer is of the other kind, or of somebody else
 */
function prove(work: Work, { proof }: Loaded, personId: string, answers: boolean): object {
  if ('answer' in proof) {
    const isTheirs = answers && proof.answer.passkey.person_id === personId;
    if (!isTheirs) throw refused('unknown_credential');
    takeProven(work, proof.proven, proof.answer);
    return {};
  }
  if (answers) throw refused('not_verified');
  takeAnswered(work, proof.answered);
  const { made, keeping } = proof;
  return madePasskey(storePasskey(work, keeping, { personId, made, name: firstPasskey }));
}

/** Somebody new is told of the roles alone: whoever was known before, of a passkey made by the link too. */
const noticesOf = (
  { kind, scope, roles }: InvitationRow,
  { personId, isKnown, isNew }: { personId: string; isKnown: boolean; isNew: boolean },
): readonly Notice[] => [
  ...(isNew && isKnown ? [{ kind: 'passkey_added', personId, scope } as const] : []),
  ...(kind === 'join'
    ? [{ kind: 'roles_changed', personId, scope, roles, gained: roles } as const]
    : []),
];

/** Accepts an invitation, and signs in. @throws ApiError not_found, invalid_state, parameter_invalid */
export const acceptInvitation = (service: Service) =>
  personCommand('accept_invitation', {
    prepare: (input: Accepting) => prepare(service, input),
    load: (read, input, prepared) => load(read, service, input, prepared),
    decide: (work, loaded, { name, ...from }, { firstScope }): Done<Accepted> => {
      assertAcceptable(work, loaded);
      const { row, person, holds, staff } = loaded;
      const answers = answersBy(row, { passkeys: holds.passkeys.length });
      const personId = person?.id ?? createPerson(work, service, row, name);
      if (row.kind === 'reset') forget(work, loaded);
      const passkey = prove(work, loaded, personId, answers);
      takeInvitation(work, row, personId, { grants: holds.grants, staff });
      const isNew = 'made' in loaded.proof;
      const codes = isNew ? replaceRecoveryCodes(work, service, personId, holds.codes) : null;
      const { address, browser } = from;
      const acting = row.kind === 'join' ? row.scope : firstScope;
      const opening = { personId, openedBy: 'passkey', scope: acting, address, browser } as const;
      const opened = replaceSession(work, service, loaded.replaced, opening);
      const { id, kind, scope, roles } = row;
      const after = { kind, roles, ...passkey };
      work.audit({ actor: signingIn(personId, from), record: id, scope, after });
      return {
        result: { opened, codes },
        event: 'invitation_accepted',
        facts: { invitation_id: id, scope, roles },
        personId,
        notices: noticesOf(row, { personId, isKnown: person !== null, isNew }),
      };
    },
  });
