import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { SupportConsent } from '../../contract/people/support.ts';
import { lockPeople } from '../scope.ts';
import { idleSeconds } from '../sessions/sessions.ts';

/** An owner's consents, and who came in by them (rules/people#8). */

type Parts = Pick<Service, 'clocks' | 'environment'>;
type Visit = SupportConsent['visits'][number];

const newId = idMaker();

/** `$2` is now. */
const shown = `c.id, 'support_consent' as object,
  case when c.ended_at is not null then 'ended' when c.expires_at <= $2 then 'expired'
    else 'open' end as status,
  c.note, (select g.email from control.people g where g.id = c.given_by) as given_by,
  c.created_at, c.expires_at, c.ended_at`;

/** Whichever ends a visit first; PostgreSQL's `least` leaves out what is null. */
const visitEnd = `least(v.left_at, c.ended_at, s.ended_at, v.until,
  s.last_used_at + $3 * interval '1 second')`;

async function withVisits(
  db: Queryable,
  { clocks, environment }: Parts,
  consents: readonly Omit<SupportConsent, 'visits'>[],
): Promise<SupportConsent[]> {
  const { rows } = await db.query<Visit & { consent_id: string }>(
    `select v.id, v.consent_id, p.email as person, v.entered_at, v.until,
       case when ${visitEnd} <= $2 then ${visitEnd} end as left_at
     from control.support_visits v
       join control.support_consents c on c.id = v.consent_id
       join control.people p on p.id = v.person_id
       left join control.sessions s on s.id = v.session_id
     where v.consent_id = any ($1::uuid[]) order by v.entered_at desc, v.id desc`,
    [consents.map(({ id }) => id), instantOf(clocks.realNow()), idleSeconds(environment)],
  );
  return consents.map((consent) => ({
    ...consent,
    visits: rows
      .filter(({ consent_id }) => consent_id === consent.id)
      .map(({ consent_id: _, ...visit }) => visit),
  }));
}

/** Those of the last 90 days, newest first. */
export async function listConsents(
  db: Queryable,
  parts: Parts,
  scope: string,
): Promise<SupportConsent[]> {
  const { rows } = await db.query<Omit<SupportConsent, 'visits'>>(
    `select ${shown} from control.support_consents c
     where c.scope = $1 and c.created_at > $2::timestamptz - interval '90 days'
     order by c.created_at desc, c.id desc`,
    [scope, instantOf(parts.clocks.realNow())],
  );
  return withVisits(db, parts, rows);
}

interface Given {
  readonly scope: string;
  readonly hours: number;
  readonly note: string;
  /** Null: a program. */
  readonly personId: string | null;
}

/** @throws ApiError invalid_state: one holds already */
export async function giveConsent(
  connection: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  { scope, hours, note, personId }: Given,
): Promise<SupportConsent> {
  await lockPeople(connection);
  const nowMs = clocks.realNow();
  const now = instantOf(nowMs);
  const { rowCount } = await connection.query(
    `select from control.support_consents
     where scope = $1 and ended_at is null and expires_at > $2 limit 1`,
    [scope, now],
  );
  if (rowCount !== 0) throw fail('invalid_state', { details: { reason: 'already_given' } });
  const expires = instantOf(nowMs + hours * 3_600_000);
  const { rows } = await connection.query<Omit<SupportConsent, 'visits'>>(
    `insert into control.support_consents as c (id, created_at, scope, note, given_by, expires_at)
     values ($1, $2, $3, $4, $5, $6) returning ${shown}`,
    [newId(nowMs), now, scope, note, personId, expires],
  );
  const [given] = rows;
  if (!given) throw new Error('an insert returns its row');
  return { ...given, visits: [] };
}

/** Whoever is in by it is out from the next request on. @throws ApiError not_found; invalid_state */
export async function endConsent(
  connection: Queryable,
  parts: Parts,
  { scope, id }: { readonly scope: string; readonly id: string },
): Promise<SupportConsent> {
  if (!isUuid(id)) throw fail('not_found');
  const values = [scope, instantOf(parts.clocks.realNow()), id];
  const { rows } = await connection.query<Omit<SupportConsent, 'visits'>>(
    `update control.support_consents c set ended_at = $2
     where c.scope = $1 and c.id = $3 and c.ended_at is null and c.expires_at > $2
     returning ${shown}`,
    values,
  );
  const [ended] = await withVisits(connection, parts, rows);
  if (ended) return ended;
  const { rows: others } = await connection.query<Pick<SupportConsent, 'status'>>(
    `select ${shown} from control.support_consents c where c.scope = $1 and c.id = $3`,
    values,
  );
  if (!others[0]) throw fail('not_found');
  throw fail('invalid_state', { details: { reason: others[0].status } });
}
