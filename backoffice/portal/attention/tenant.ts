import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import { endpointIds } from '@tenant-payments/engine/delivers_to.ts';
import { addSeconds, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { firstDeadline } from '@tenant-payments/service/resources/disputes/first_deadline.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { Attention } from '../../contract/operate/attention.ts';
import { seesAll } from '../../people/api_keys/acting.ts';
import { firstAttempted, isAccepted } from '../overview/endpoint_health.ts';
import { type Item, itemOf, type NamedRow, rowsUpTo } from './count.ts';

type Kind = Attention['items'][number]['kind'];
type Items = Promise<Item<Kind>[]>;

const daySeconds = 86_400;
const dueWithinDays = 7;
const expiresWithinDays = 14;
/** The attempts in a row that an endpoint must fail to accept until it counts as failing. */
const failures = 3;
/** The newest attempts of a Tenant that are looked at. */
const attemptsSeen = 500;

const named = (rows: readonly NamedRow[]): NamedRow[] =>
  rows.slice(0, 3).map(({ id, name, at }) => ({ id, name, at }));

/** Endpoints that are on, and whose last attempts all failed (rules/operations#95). */
async function endpoints({ db, tenantId }: ReadContext, now: Instant): Items {
  const first = firstAttempted(now);
  const { rows } = await sql<NamedRow>`
    with recent as (
      (select null::uuid as endpoint_id, at, ${isAccepted} as accepted from attempts
        where tenant_id = ${tenantId} and event_id >= ${first}
        order by event_id desc, number desc limit ${attemptsSeen})
      union all
      (select endpoint_id, at, ${isAccepted} as accepted from further_attempts
        where tenant_id = ${tenantId} and event_id >= ${first}
        order by event_id desc limit ${attemptsSeen})),
    enabled as (
      select null::uuid as id, null as name from webhook_endpoints
        where tenant_id = ${tenantId} and enabled
      union all
      select id, name from further_endpoints
        where tenant_id = ${tenantId} and enabled and deleted_at is null)
    select e.id, e.name, null::timestamptz as at from enabled e
    where (select count(*) from recent r where r.endpoint_id is not distinct from e.id
        and not r.accepted and r.at > coalesce((select max(s.at) from recent s
          where s.endpoint_id is not distinct from e.id and s.accepted), '-infinity'))
      >= ${sql.lit(failures)}
    order by e.id nulls first`.execute(db);
  const shown = rows.map((row) => ({ ...row, id: row.id && endpointIds.shown(row.id) }));
  return itemOf('endpoints_failing', rows.length, true, named(shown));
}

/** Disputes whose first open deadline has passed, or passes within a week. */
async function disputes(context: ReadContext, now: Instant): Items {
  const rows = await rowsUpTo<NamedRow & { readonly id: string; readonly at: Instant }>(
    context,
    sql`select id, null as name, at from (select d.id, ${firstDeadline('d')} as at
      from disputes d where d.tenant_id = ${context.tenantId} and d.status <> 'closed') open
    where at < ${addSeconds(now, dueWithinDays * daySeconds)} order by at, id`,
  );
  const shown = rows.map((row) => ({ ...row, id: publicId('dispute', row.id) }));
  const late = shown.filter(({ at }) => at < now);
  const due = shown.filter(({ at }) => at >= now);
  return [
    ...itemOf('disputes_late', late.length, true, named(late)),
    ...itemOf('disputes_due', due.length, false, named(due)),
  ];
}

/** Keys that the caller sees and that end soon. One that was made for a few days is none of them. */
async function keys(context: ReadContext, realNow: Instant): Items {
  const { actor, tenantId } = context;
  const within = sql.lit(`${expiresWithinDays} days`);
  const rows = await rowsUpTo<NamedRow>(
    context,
    sql`select null as id, name, expires_at as at from control.api_keys
    where scope = ${tenantId} and revoked_at is null and expires_at > ${realNow}
      and expires_at < ${addSeconds(realNow, expiresWithinDays * daySeconds)}
      and expires_at - created_at > ${within}::interval
      and (${seesAll(actor)}::boolean or person_id = ${actor.personId}::uuid)
    order by expires_at, control.api_keys.id`,
  );
  return itemOf('keys_expiring', rows.length, false, named(rows));
}

/** Customers of whom a reviewer has asked for more, and who have not answered. */
async function documents(context: ReadContext): Items {
  const rows = await rowsUpTo<NamedRow & { readonly id: string }>(
    context,
    sql`select id, null as name, null::timestamptz as at from customers
    where tenant_id = ${context.tenantId} and more_requested and status = 'pending'
    order by verification_updated_at, id`,
  );
  const shown = rows.map((row) => ({ ...row, id: publicId('customer', row.id) }));
  return itemOf('documents_asked', rows.length, false, named(shown));
}

/** GET /portal/api/attention (rules/operations#94) */
export const getAttention =
  ({ clocks }: Pick<Service, 'clocks'>) =>
  async (context: ReadContext): Promise<Attention> => {
    const now = await context.now();
    const may = (...roles: Parameters<typeof mayCall>[1]) => mayCall(roles, context.actor.roles);
    const found = await Promise.all([
      may('developer', 'support') ? endpoints(context, now) : [],
      disputes(context, now),
      keys(context, instantOf(clocks.realNow())),
      documents(context),
    ]);
    return { object: 'attention', items: found.flat() };
  };
