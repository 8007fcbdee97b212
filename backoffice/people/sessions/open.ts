import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { platform, scopesHere } from '../scope.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import type { OpenedBy, OpenedSession, Origin } from './sessions.ts';
import { type EndReason, type SessionRow, sessions } from './table.ts';
import { newSessionToken } from './token.ts';

/** Parts of commands that open and end sessions of people (rules/sign-in#7). */

type Hashing = Pick<Service, 'vault'>;

export interface Opening extends Origin {
  readonly personId: string;
  readonly openedBy: OpenedBy;
  /** The scope where it is to act; null: its person holds no role. */
  readonly scope: string | null;
}

/** The scope in which a new session acts if nobody says it: where the person acted last, or may act at all. */
export async function firstScope(db: Queryable, personId: string): Promise<string | null> {
  const scopes = await scopesHere(db, personId);
  const { rows } = await db.query<{ scope: string | null }>(
    `select scope from control.sessions where person_id = $1 order by created_at desc, id desc limit 1`,
    [personId],
  );
  const last = scopes.find(({ scope }) => scope === rows[0]?.scope);
  return (last ?? scopes[0])?.scope ?? null;
}

/** Opens a session. @returns it with the token of its cookie, this once */
export function openSession(
  work: Work,
  { vault }: Hashing,
  { personId, openedBy, scope, address, browser }: Opening,
): OpenedSession {
  const { now } = work;
  const token = newSessionToken({ vault });
  const byCode = openedBy === 'recovery_code';
  const byProvider = openedBy === 'single_sign_on';
  const { id } = work.create(sessions, {
    id: work.newId(),
    token_hash: storedSecret({ vault }, 'session', token),
    person_id: personId,
    scope,
    opened_by: openedBy,
    wants_passkey: byCode,
    created_at: now,
    last_used_at: now,
    expires_at: addSeconds(now, lifetimes.personSession),
    stepped_up_at: byCode || byProvider ? null : now,
    address,
    browser,
    ended_at: null,
    end_reason: null,
    only_scope: byProvider ? scope : null,
    visit_id: null,
    last_address: address,
    last_browser: browser,
    moved_at: null,
  });
  return { id, token, scope };
}

export const isOpen = ({ now }: Pick<Work, 'now'>, row: SessionRow): boolean =>
  row.ended_at === null && row.expires_at > now;

/** The sessions that act in a scope; a visitor's session also acts for the platform. */
export const sessionsIn = (rows: readonly SessionRow[], scope: string): readonly SessionRow[] =>
  rows.filter((row) => row.scope === scope || (scope === platform && row.visit_id !== null));

/** Ends those that are open. @returns how many they were */
export function endSessions(work: Work, rows: readonly SessionRow[], reason: EndReason): number {
  const open = rows.filter((row) => isOpen(work, row));
  for (const row of open)
    work.change<typeof sessions>(row, { ended_at: work.now, end_reason: reason });
  return open.length;
}

/** The session of the browser's cookie, which a new one replaces; null: there is none. */
export const loadReplaced = async (
  read: Read,
  { vault }: Hashing,
  cookie: string | null,
): Promise<SessionRow | null> =>
  cookie === null
    ? null
    : read.by(sessions, 'token', { token_hash: storedSecret({ vault }, 'session', cookie) });

/** Opens a session in place of the browser's earlier one. */
export function replaceSession(
  work: Work,
  parts: Hashing,
  replaced: SessionRow | null,
  opening: Opening,
): OpenedSession {
  if (replaced) endSessions(work, [replaced], 'replaced');
  return openSession(work, parts, opening);
}

/**
 * A new token in place of the session's own, freshly proven (rules/sign-in#8). @returns the token
 * @throws ApiError authentication_required: it has ended meanwhile
 */
export function rotateSession(work: Work, { vault }: Hashing, row: SessionRow): string {
  if (row.ended_at !== null)
    throw fail('authentication_required', { message: 'the session has ended' });
  const token = newSessionToken({ vault });
  work.change<typeof sessions>(row, {
    token_hash: storedSecret({ vault }, 'session', token),
    stepped_up_at: work.now,
    last_used_at: work.now,
    wants_passkey: false,
    moved_at: null,
  });
  return token;
}
