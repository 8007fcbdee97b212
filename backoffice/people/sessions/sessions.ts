import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { openings } from '../../contract/people/session.ts';
import { newToken } from '../sign_in/secrets.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import { firstScope } from './open.ts';
import type { EndReason } from './table.ts';

/** Sessions of people (rules/sign-in#7). All times are real. */

type Timed = Pick<Service, 'clocks'>;
type Making = Pick<Service, 'clocks' | 'vault'>;

export const idleSeconds = (environment: Service['environment']): number =>
  environment === 'sandbox' ? lifetimes.personSessionIdleSandbox : lifetimes.personSessionIdle;

/** Where a request comes from, as its person sees it in the list. */
export interface Origin {
  readonly address: string;
  readonly browser: string;
}

export type OpenedBy = (typeof openings)[number];

export interface NewSession extends Origin {
  readonly personId: string;
  readonly openedBy: OpenedBy;
  /** Where it is to act; absent: where the person acted last, or may act at all. */
  readonly scope?: string;
}

/** A session with the token of its cookie. */
export interface OpenedSession {
  readonly id: string;
  readonly token: string;
  /** Where it acts; null: its person holds no role. */
  readonly scope: string | null;
}

const newId = idMaker();

export async function openSession(
  connection: Queryable,
  { clocks, vault }: Making,
  { personId, openedBy, address, browser, scope }: NewSession,
): Promise<OpenedSession> {
  const nowMs = clocks.realNow();
  const now = instantOf(nowMs);
  const id = newId(nowMs);
  const token = newToken('tps');
  const acting = scope ?? (await firstScope(connection, personId));
  const byCode = openedBy === 'recovery_code';
  const byProvider = openedBy === 'single_sign_on';
  await connection.query(
    `insert into control.sessions (id, token_hash, person_id, scope, opened_by, wants_passkey,
       created_at, last_used_at, expires_at, stepped_up_at, address, browser, only_scope,
       last_address, last_browser)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12, $10, $11)`,
    [
      id,
      storedSecret({ vault }, 'session', token),
      personId,
      acting,
      openedBy,
      byCode,
      now,
      instantOf(nowMs + lifetimes.personSession * 1_000),
      byCode || byProvider ? null : now,
      address,
      browser,
      byProvider ? (scope ?? null) : null,
    ],
  );
  return { id, token, scope: acting };
}

/** A new token in place of the session's own, freshly proven (rules/sign-in#8). @returns the token */
export async function rotateSession(
  connection: Queryable,
  { clocks, vault }: Making,
  sessionId: string,
): Promise<string | null> {
  const token = newToken('tps');
  const { rowCount } = await connection.query(
    `update control.sessions
     set token_hash = $2, stepped_up_at = $3, last_used_at = $3, wants_passkey = false,
       moved_at = null
     where id = $1 and ended_at is null`,
    [sessionId, storedSecret({ vault }, 'session', token), instantOf(clocks.realNow())],
  );
  return rowCount === 0 ? null : token;
}

/** Which sessions to end: those that match all that is given. A visitor's is of the platform too. */
export interface Ended {
  readonly personId?: string;
  readonly scope?: string;
  readonly id?: string;
  readonly tokenHash?: string;
  readonly butId?: string;
  readonly openedBy?: OpenedBy;
}

/** @returns how many were open */
export async function endSessions(
  connection: Queryable,
  { clocks }: Timed,
  which: Ended,
  reason: EndReason,
): Promise<number> {
  const { personId, scope, id, tokenHash: hash, butId, openedBy } = which;
  const { rowCount } = await connection.query(
    `update control.sessions set ended_at = $1, end_reason = $2
     where ended_at is null and expires_at > $1
       and ($3::uuid is null or person_id = $3) and ($4::text is null or scope = $4
         or ($4 = 'platform' and visit_id is not null))
       and ($5::uuid is null or id = $5) and ($6::text is null or token_hash = $6)
       and ($7::uuid is null or id <> $7) and ($8::text is null or opened_by = $8)`,
    [
      instantOf(clocks.realNow()),
      reason,
      personId ?? null,
      scope ?? null,
      id ?? null,
      hash ?? null,
      butId ?? null,
      openedBy ?? null,
    ],
  );
  return rowCount ?? 0;
}
