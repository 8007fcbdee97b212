import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { SupportConsent } from '../../contract/people/support.ts';
import { idleSeconds } from '../sessions/sessions.ts';

/** An owner's consents, and who came in by them (rules/people#8). */

type Parts = Pick<Service, 'clocks' | 'environment'>;
type Visit = SupportConsent['visits'][number];

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

/** The consents of the last 90 days, newest first. */
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

/** One as it is after it was given or ended. @throws when there is none */
export async function consentOf(db: Queryable, parts: Parts, id: string): Promise<SupportConsent> {
  const { rows } = await db.query<Omit<SupportConsent, 'visits'>>(
    `select ${shown} from control.support_consents c where c.id = $1`,
    [id, instantOf(parts.clocks.realNow())],
  );
  const [consent] = await withVisits(db, parts, rows);
  if (!consent) throw new Error('a consent is shown that is not there');
  return consent;
}
