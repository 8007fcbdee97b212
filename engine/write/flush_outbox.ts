import { arrayParameter } from '../database/binary.ts';
import { packEvent } from '../packed_text/event_text.ts';
import type { JobChange, JobTime } from '../work_types.ts';
import type { EventText } from './event.ts';
import { copyInto, type Statement } from './sql.ts';

const copyEvents = copyInto('events', {
  tenant_id: 'uuid',
  id: 'uuid',
  type: 'text',
  object_type: 'text',
  object_id: 'uuid',
  version: 'integer',
  created_at: 'timestamptz',
  sample: 'boolean',
  request_id: 'uuid',
  trace: 'text',
  body: 'text',
});

const copyDeliveries = copyInto('deliveries', {
  tenant_id: 'uuid',
  event_id: 'uuid',
  created_at: 'timestamptz',
  due_at: 'timestamptz',
  wake_at: 'timestamptz',
});

const copyFurtherDeliveries = copyInto('further_deliveries', {
  tenant_id: 'uuid',
  event_id: 'uuid',
  endpoint_id: 'uuid',
  created_at: 'timestamptz',
  due_at: 'timestamptz',
  wake_at: 'timestamptz',
});

/** Writes a batch's events, their texts packed. */
export const insertEvents = (events: readonly EventText[]): Statement =>
  copyEvents(
    events.map((event) => {
      const { tenantId, id, type, objectType, objectId, version, at, sample, requestId, trace } =
        event;
      return [
        tenantId,
        id,
        type,
        objectType,
        objectId,
        version,
        at,
        sample,
        requestId,
        trace,
        packEvent(event),
      ];
    }),
  );

export type JobKey = Pick<JobChange, 'tenantId' | 'name' | 'ref' | 'lease'>;
export type JobRow = Pick<JobChange, 'tenantId' | 'name' | 'ref' | 'trace'> & JobTime;

export function insertJobs(jobs: readonly JobRow[]): Statement {
  const column = (type: string, pick: (job: JobRow) => unknown) =>
    arrayParameter(type, jobs.map(pick));
  return {
    name: 'insert jobs',
    text: `insert into jobs (tenant_id, name, ref, due_at, wake_at, real, trace)
      select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::boolean[], $7::text[])
      on conflict (tenant_id, name, ref) do update set due_at = excluded.due_at,
        wake_at = excluded.wake_at, real = excluded.real, trace = excluded.trace, lease_until = null`,
    values: [
      column('uuid', (d) => d.tenantId),
      column('text', (d) => d.name),
      column('uuid', (d) => d.ref),
      column('timestamptz', (d) => d.dueAt),
      column('timestamptz', (d) => d.wakeAt),
      column('boolean', (d) => d.real),
      column('text', (d) => d.trace),
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
      arrayParameter(
        'uuid',
        jobs.map((d) => d.tenantId),
      ),
      arrayParameter(
        'text',
        jobs.map((d) => d.name),
      ),
      arrayParameter(
        'uuid',
        jobs.map((d) => d.ref),
      ),
      arrayParameter(
        'timestamptz',
        jobs.map((d) => d.lease),
      ),
    ],
  };
}

/** Deliveries for tenants with an endpoint; other events have none until they are resent. */
export const insertDeliveries = (
  events: readonly EventText[],
  wakeAt: (event: EventText) => string,
): Statement =>
  copyDeliveries(
    events.map((event) => [event.tenantId, event.id, event.at, event.at, wakeAt(event)]),
  );

/** An event with an endpoint beside the first one that gets it. */
export interface FurtherDelivery {
  readonly event: EventText;
  readonly endpointId: string;
}

/** Deliveries for the endpoints beside the first one. */
export const insertFurtherDeliveries = (
  rows: readonly FurtherDelivery[],
  wakeAt: (event: EventText) => string,
): Statement =>
  copyFurtherDeliveries(
    rows.map(({ event, endpointId }) => [
      event.tenantId,
      event.id,
      endpointId,
      event.at,
      event.at,
      wakeAt(event),
    ]),
  );
