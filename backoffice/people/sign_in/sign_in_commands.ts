import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { refused } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type Asked, type Done, personCommand, signingIn } from '../person_command.ts';
import { platform } from '../scope.ts';
import { endSessions, firstScope, loadReplaced, replaceSession } from '../sessions/open.ts';
import type { OpenedBy, OpenedSession, Origin } from '../sessions/sessions.ts';
import { type SessionRow, sessions } from '../sessions/table.ts';
import { type PersonRow, people } from '../table.ts';
import { loadProven, type Proven, takeProven } from './passkeys.ts';
import { storedCode, storedSecret } from './stored_secrets.ts';
import { recoveryCodes, signInLinks } from './table.ts';

/** How a person signs in (rules/sign-in#4, rules/sign-in#6). */

type Parts = Pick<Service, 'control' | 'vault' | 'clocks'>;

/** Whoever comes, by a browser that may have a session. */
export interface Coming {
  readonly from: Origin & Asked;
  readonly cookie: string | null;
}

interface Known {
  readonly person: PersonRow | null;
  readonly replaced: SessionRow | null;
}

export async function loadComing(
  read: Read,
  parts: Pick<Parts, 'vault'>,
  personId: string,
  { cookie }: Coming,
): Promise<Known> {
  const [person, replaced] = await Promise.all([
    read.maybe(people, personId),
    loadReplaced(read, parts, cookie),
  ]);
  return { person, replaced };
}

const isEnabled = (person: PersonRow | null): person is PersonRow =>
  person !== null && person.disabled_at === null;

/** @throws ApiError parameter_invalid: a person who is disabled is as unknown as nobody */
function enabled({ person }: Known): PersonRow {
  if (!isEnabled(person)) throw refused('unknown_credential');
  return person;
}

/** The way of a sign-in. */
interface Way {
  readonly openedBy: OpenedBy;
  readonly scope: string | null;
  /** Further facts for the audit. */
  readonly more?: object;
}

/** Opens the session of whoever has proven who they are; its row stands in the chain of where it acts. */
export function signIn(
  work: Work,
  parts: Pick<Parts, 'vault'>,
  { personId, replaced }: { readonly personId: string; readonly replaced: SessionRow | null },
  { openedBy, scope, from, more }: Way & Pick<Coming, 'from'>,
): Done<OpenedSession> & { readonly personId: string } {
  const { address, browser } = from;
  const opening = { personId, openedBy, scope, address, browser };
  const opened = replaceSession(work, parts, replaced, opening);
  work.audit({
    actor: signingIn(personId, from),
    record: opened.id,
    scope: opened.scope ?? platform,
    after: { opened_by: openedBy, ...more },
  });
  return { result: opened, event: 'signed_in', facts: { opened_by: openedBy }, personId };
}

interface ByPasskey extends Coming {
  readonly proven: Proven;
}

/** POST /portal/api/sign-in/finish @throws ApiError parameter_invalid */
export const signInByPasskey = (parts: Parts) =>
  personCommand('sign_in', {
    prepare: ({ proven: { passkey } }: ByPasskey) => firstScope(parts.control, passkey.person_id),
    load: async (read, { proven, ...coming }) => {
      const [known, taken] = await Promise.all([
        loadComing(read, parts, proven.passkey.person_id, coming),
        loadProven(read, parts, 'sign_in', proven),
      ]);
      return { known, taken };
    },
    decide: (work, { known, taken }, { proven, from }, scope) => {
      takeProven(work, taken, proven);
      const { id: personId } = enabled(known);
      const { replaced } = known;
      return signIn(work, parts, { personId, replaced }, { openedBy: 'passkey', scope, from });
    },
  });

interface ByCode extends Coming {
  readonly email: string;
  readonly code: string;
}

const wrongCode = () =>
  fail('parameter_invalid', { param: 'recovery_code', details: { reason: 'wrong' } });

/**
 * POST /portal/api/sign-in/recovery. An address that nobody has and a wrong code cost the same one statement.
 * @throws ApiError parameter_invalid
 */
export const signInByCode = (parts: Parts) =>
  personCommand('sign_in_by_recovery_code', {
    prepare: async ({ email, code }: ByCode) => {
      const codeHash = storedCode(parts, code);
      const { rows } = await parts.control.query<{ id: string }>(
        `select p.id from control.recovery_codes c join control.people p on p.id = c.person_id
         where p.email = $1 and p.disabled_at is null and c.code_hash = $2 and c.used_at is null
           and c.ended_at is null`,
        [email, codeHash],
      );
      if (!rows[0]) throw wrongCode();
      const { id } = rows[0];
      return { personId: id, codeHash, scope: await firstScope(parts.control, id) };
    },
    load: async (read, coming, { personId, codeHash }) => {
      const [known, code, open] = await Promise.all([
        loadComing(read, parts, personId, coming),
        read.maybe(recoveryCodes, { person_id: personId, code_hash: codeHash }),
        read.set(sessions, 'person_id', personId),
      ]);
      return { known, code, open };
    },
    decide: (work, { known, code, open }, { from }, { personId, scope }) => {
      const isGood = code !== null && code.used_at === null && code.ended_at === null;
      if (!isGood || !isEnabled(known.person)) throw wrongCode();
      work.change<typeof recoveryCodes>(code, { used_at: work.now });
      endSessions(work, open, 'recovery_code');
      const { replaced } = known;
      const way = { openedBy: 'recovery_code', scope, from } as const;
      const done = signIn(work, parts, { personId, replaced }, way);
      return {
        ...done,
        event: 'recovery_code_used',
        notices: [{ kind: 'recovery_code_used', personId, scope: scope ?? platform }],
      };
    },
  });

interface ByLink extends Coming {
  readonly token: string;
}

export const wrongLink = () =>
  fail('parameter_invalid', { param: 'token', details: { reason: 'used_or_expired' } });

/** POST /portal/api/sign-in/link @throws ApiError parameter_invalid */
export const signInByLink = (parts: Parts) =>
  personCommand('sign_in_by_link', {
    load: async (read, { token, ...coming }: ByLink) => {
      const link = await read.maybe(signInLinks, storedSecret(parts, 'link', token));
      if (link === null) throw wrongLink();
      return { link, known: await loadComing(read, parts, link.person_id, coming) };
    },
    decide: (work, { link, known }, { from }) => {
      const { used_at, ended_at, expires_at, scope } = link;
      if (used_at !== null || ended_at !== null || expires_at <= work.now) throw wrongLink();
      work.change<typeof signInLinks>(link, { used_at: work.now });
      const { id: personId } = enabled(known);
      const { replaced } = known;
      return signIn(work, parts, { personId, replaced }, { openedBy: 'sandbox_link', scope, from });
    },
  });
