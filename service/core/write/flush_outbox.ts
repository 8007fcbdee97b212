import { packEvent } from '../packed_text/event_text.ts';
import type { JobChange, JobTime } from '../work_types.ts';
import type { EventText } from './event.ts';
import { bodies, bodiesColumn, cells, type Statement } from './sql.ts';

const packed = ({ id, at, objectId, body }: EventText) =>
  packEvent(body, { id, created_at: at, object_id: objectId });

/** Writes a batch's events; bodies travel as one delimited text. */
export function insertEvents(events: readonly EventText[]): Statement {
  const column = (type: string, pick: (event: EventText) => unknown) =>
    cells(type, events.map(pick));
  return {
    name: 'insert events',
    text: `insert into events (tenant_id, id, type, object_type, object_id, version, created_at, sample, request_id, body)
      select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::integer[], $7::timestamptz[], $8::boolean[], $9::uuid[], ${bodiesColumn('$10')})`,
    values: [
      column('uuid', (e) => e.tenantId),
      column('uuid', (e) => e.id),
      column('text', (e) => e.type),
      column('text', (e) => e.objectType),
      column('uuid', (e) => e.objectId),
      column('integer', (e) => e.version),
      column('timestamptz', (e) => e.at),
      column('boolean', (e) => e.sample),
      column('uuid', (e) => e.requestId),
      bodies(events.map(packed)),
    ],
  };
}

export type JobKey = Pick<JobChange, 'tenantId' | 'name' | 'ref' | 'lease'>;
export type JobRow = Pick<JobChange, 'tenantId' | 'name' | 'ref'> & JobTime;

export function insertJobs(jobs: readonly JobRow[]): Statement {
  const column = (type: string, pick: (job: JobRow) => unknown) => cells(type, jobs.map(pick));
  return {
    name: 'insert jobs',
    text: `insert into jobs (tenant_id, name, ref, due_at, wake_at, real)
      select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::boolean[])
      on conflict (tenant_id, name, ref) do update set due_at = excluded.due_at,
        wake_at = excluded.wake_at, real = excluded.real, lease_until = null`,
    values: [
      column('uuid', (d) => d.tenantId),
      column('text', (d) => d.name),
      column('uuid', (d) => d.ref),
      column('timestamptz', (d) => d.dueAt),
      column('timestamptz', (d) => d.wakeAt),
      column('boolean', (d) => d.real),
    ],
  };
}

export function deleteJobs(jobs: readonly JobKey[]): Statement {
  return {
    name: 'delete jobs',
    text: `delete from jobs t
      using unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) x(tenant_id, name, ref, lease)
      where t.tenant_id = x.tenant_id and t.name = x.name and t.ref = x.ref
        and (x.lease is null or t.lease_until = x.lease)`,
    values: [
      cells(
        'uuid',
        jobs.map((d) => d.tenantId),
      ),
      cells(
        'text',
        jobs.map((d) => d.name),
      ),
      cells(
        'uuid',
        jobs.map((d) => d.ref),
      ),
      cells(
        'timestamptz',
        jobs.map((d) => d.lease),
      ),
    ],
  };
}

/** Deliveries for tenants with an endpoint; other events have none until they are resent. */
export function insertDeliveries(
  events: readonly EventText[],
  wakeAt: (event: EventText) => string,
): Statement {
  return {
    name: 'queue deliveries',
    text: `insert into deliveries (tenant_id, event_id, created_at, due_at, wake_at)
      select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $3::timestamptz[], $4::timestamptz[])`,
    values: [
      cells(
        'uuid',
        events.map((e) => e.tenantId),
      ),
      cells(
        'uuid',
        events.map((e) => e.id),
      ),
      cells(
        'timestamptz',
        events.map((e) => e.at),
      ),
      cells('timestamptz', events.map(wakeAt)),
    ],
  };
}
