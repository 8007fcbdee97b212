import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { doesOf, recordOf } from '@tenant-payments/engine/job_facts.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import { maximumUpcoming, type Upcoming } from '../../contract/sandbox/clock.ts';

interface Row {
  readonly name: string | null;
  readonly ref: string;
  readonly at: Instant;
}

function viewOf({ name, ref, at }: Row): Upcoming {
  if (name === null)
    return {
      kind: 'delivery',
      name: 'attempt',
      does: 'sends an event to a webhook endpoint',
      record_id: publicId('event', ref),
      at,
    };
  return { kind: 'job', name, does: doesOf(name), record_id: recordOf(name, ref), at };
}

/** GET /portal/api/clock/upcoming: what an advance of the clock would run (rules/operations#58). */
export async function listUpcoming({ tenantId, db }: ReadContext): Promise<Page<Upcoming>> {
  const { rows } = await sql<Row>`
    (select name, ref, due_at as at from jobs
      where tenant_id = ${tenantId} and not real order by wake_at limit ${maximumUpcoming})
    union all
    (select null, event_id, due_at from deliveries
      where tenant_id = ${tenantId} and wake_at is not null and due_at is not null
      order by wake_at limit ${maximumUpcoming})
    union all
    (select null, event_id, due_at from further_deliveries
      where tenant_id = ${tenantId} and wake_at is not null and due_at is not null
      order by wake_at limit ${maximumUpcoming})
    order by at, ref limit ${maximumUpcoming}`.execute(db);
  return wholeList(rows.map(viewOf));
}
