import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { readFurtherEndpoints } from '@tenant-payments/service/webhooks/further_endpoints.ts';
import { shownEndpoint } from '@tenant-payments/service/webhooks/further_table.ts';
import { sql } from 'kysely';
import type { FurtherEndpoint } from '../../contract/traffic/further_endpoints.ts';
import { type EndpointHealth, firstAttempted, isAccepted } from '../overview/endpoint_health.ts';

interface HealthRow extends EndpointHealth {
  readonly endpoint_id: string;
}

const unused: EndpointHealth = { last_success_at: null, failure_streak: 0 };

/** How the attempts at each of them end lately, as those at the first one are shown. */
async function healthOf({ db, tenantId, now }: ReadContext) {
  const { rows } = await sql<HealthRow>`
    with recent as (select endpoint_id, at, ${isAccepted} as accepted from further_attempts
        where tenant_id = ${tenantId} and event_id >= ${firstAttempted(await now())}),
      success as (select endpoint_id, max(at) filter (where accepted) as at from recent group by 1)
    select s.endpoint_id, s.at as last_success_at, (count(*)
        filter (where not r.accepted and (s.at is null or r.at > s.at)))::integer as failure_streak
    from recent r join success s using (endpoint_id) group by s.endpoint_id, s.at`.execute(db);
  return new Map(
    rows.map(({ endpoint_id, last_success_at, failure_streak }) => [
      endpoint_id,
      { last_success_at, failure_streak },
    ]),
  );
}

/** GET /portal/api/webhook-endpoints (rules/webhooks#35) */
export async function listFurtherEndpoints(context: ReadContext): Promise<Page<FurtherEndpoint>> {
  const [rows, health] = await Promise.all([
    readFurtherEndpoints(context.db, context.tenantId),
    healthOf(context),
  ]);
  return wholeList(
    rows.map((row) => ({ ...shownEndpoint(row), ...(health.get(row.id) ?? unused) })),
  );
}
