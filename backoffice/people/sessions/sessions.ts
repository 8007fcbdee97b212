import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { openings } from '../../contract/people/session.ts';
import type { EndReason } from './table.ts';

/** Sessions of people (rules/sign-in#7). All times are real. */

type Timed = Pick<Service, 'clocks'>;

export const idleSeconds = (environment: Service['environment']): number =>
  environment === 'sandbox' ? lifetimes.personSessionIdleSandbox : lifetimes.personSessionIdle;

/** Where a request comes from, as its person sees it in the list. */
export interface Origin {
  readonly address: string;
  readonly browser: string;
}

export type OpenedBy = (typeof openings)[number];

/** A session with the token of its cookie. */
export interface OpenedSession {
  readonly id: string;
  readonly token: string;
  /** Where it acts; null: its person holds no role. */
  readonly scope: string | null;
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
