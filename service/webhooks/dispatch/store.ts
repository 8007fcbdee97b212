import { cells } from '@tenant-payments/engine/database/binary.ts';
import { type Packed, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import { type ClockFacts, moved, realTimeOfClock } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { type Headers, packHeaders } from '../header_text/header_text.ts';
import type { Answer } from '../send/send.ts';
import type { DeliveryFault } from './delivery_fault.ts';
import type { DeliveryState } from './outcome.ts';

/** A delivery that this process holds under a lease, with all that an attempt needs. */
export interface ClaimedDelivery {
  readonly tenantId: string;
  readonly eventId: string;
  /** The lease's end, in real time. A process that finds another value has lost the delivery. */
  readonly lease: Instant;
  readonly revision: number;
  readonly createdAt: Instant;
  readonly state: DeliveryState;
  readonly body: string;
  /** The endpoint at this moment; null when none is enabled. */
  readonly url: string | null;
  /** The only secret that signs it; null: every active one does. */
  readonly signedAlone: string | null;
  readonly clock: ClockFacts;
  /** A fault that the sandbox injects; null: none. */
  readonly fault: DeliveryFault | null;
}

/** An attempt as it is stored. */
export interface AttemptRecord {
  readonly at: Instant;
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly answer: Answer;
}

/** The new state of a delivery, and the attempt that caused it, if one was made. */
export interface DeliveryResult {
  readonly claimed: ClaimedDelivery;
  readonly state: DeliveryState;
  readonly attempt: AttemptRecord | null;
}

type Row = DeliveryState &
  ClockFacts & {
    tenant_id: string;
    event_id: string;
    lease_until: Instant;
    revision: number;
    created_at: Instant;
    made_at: Instant;
    object_id: string;
    body: Packed;
    url: string | null;
    secret_id: string | null;
  };

const stateColumns = `d.status, d.attempts, d.first_attempt_at, d.last_attempt_at,
  d.last_response_status, d.next_attempt_at, d.due_at, d.extra`;

const claimed = (picked: string) => `with picked as (${picked} for update of d skip locked),
  claimed as (update deliveries d set lease_until = $2 from picked p
    where d.tenant_id = p.tenant_id and d.event_id = p.event_id returning d.tenant_id, d.event_id, d.lease_until, d.revision,
      d.created_at, d.wake_at, ${stateColumns})
  select d.tenant_id, d.event_id, d.lease_until, d.revision, d.created_at, ${stateColumns},
    e.created_at as made_at, e.object_id, e.body, w.url, s.secret_id, t.clock_offset_ms, t.clock_at
  from claimed d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
  join tenants t on t.tenant_id = d.tenant_id
  left join webhook_endpoints w on w.tenant_id = d.tenant_id and w.enabled
  left join signed_alone s on s.tenant_id = d.tenant_id and s.event_id = d.event_id
  order by d.wake_at, d.event_id`;

/** No event of it is held after a restore (rules/restore#10). */
const deliversNow = 't.held_at is null';

/** Of all tenants except those whose lane is full, whose clock is being advanced, or that are being moved. */
const claimAny = claimed(`select d.tenant_id, d.event_id from deliveries d
  join tenants t on t.tenant_id = d.tenant_id
  where d.wake_at <= $1 and (d.lease_until is null or d.lease_until <= $1)
    and t.clock_target is null and (t.stopped_until is null or t.stopped_until <= $1)
    and d.tenant_id <> all($4::uuid[]) and ${deliversNow}
  order by d.wake_at limit $3`);

const claimOf = claimed(`select d.tenant_id, d.event_id from tenants t
  join deliveries d on d.tenant_id = t.tenant_id
  where t.tenant_id = $4 and d.wake_at <= ${realTimeOfClock} and ${deliversNow}
    and (d.lease_until is null or d.lease_until <= $1)
  order by d.wake_at, d.event_id limit $3`);

/**
 * Results are written where the lease still holds and the row is unchanged. FOR SHARE on the tenant:
 * no wake time is computed from a clock offset that an advance changes meanwhile.
 */
const record = `with x as (select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[],
    $4::integer[], $5::text[], $6::integer[], $7::timestamptz[], $8::timestamptz[], $9::integer[],
    $10::timestamptz[], $11::timestamptz[], $12::boolean[], $13::timestamptz[], $14::text[],
    $15::text[], $16::integer[], $17::text[], $18::text[], $19::integer[], $20::text[])
    x(tenant_id, event_id, lease, revision, status, attempts, first_attempt_at, last_attempt_at,
      last_response_status, next_attempt_at, due_at, extra, at, url, request_headers,
      response_status, response_headers, response_body, duration_ms, error)),
  clocks as (select tenant_id, clock_offset_ms from tenants
    where tenant_id = any($1::uuid[]) for share),
  done as (update deliveries d set status = x.status, attempts = x.attempts,
      first_attempt_at = x.first_attempt_at, last_attempt_at = x.last_attempt_at,
      last_response_status = x.last_response_status, next_attempt_at = x.next_attempt_at,
      due_at = x.due_at, extra = x.extra, lease_until = null, revision = d.revision + 1,
      wake_at = ${moved('x.due_at', "- c.clock_offset_ms * interval '1 ms'")}
    from x join clocks c on c.tenant_id = x.tenant_id
    where d.tenant_id = x.tenant_id and d.event_id = x.event_id and d.lease_until = x.lease
      and d.revision = x.revision
    returning d.tenant_id, d.event_id),
  written as (insert into attempts (tenant_id, event_id, number, at, url, request_headers,
      response_status, response_headers, response_body, duration_ms, error)
    select x.tenant_id, x.event_id, x.attempts, x.at, x.url, x.request_headers, x.response_status,
      x.response_headers, x.response_body, x.duration_ms, x.error
    from x join done using (tenant_id, event_id) where x.at is not null)
  select event_id from done`;

const reload = `select d.tenant_id, d.event_id, d.revision, ${stateColumns}
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) x(tenant_id, event_id, lease)
  join deliveries d on d.tenant_id = x.tenant_id and d.event_id = x.event_id
    and d.lease_until = x.lease`;

const giveBack = `update deliveries d set lease_until = null, revision = d.revision + 1,
    wake_at = coalesce(x.wake_at, d.wake_at)
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])
    x(tenant_id, event_id, lease, wake_at)
  where d.tenant_id = x.tenant_id and d.event_id = x.event_id and d.lease_until = x.lease`;

const stateOf = (row: DeliveryState): DeliveryState => ({
  status: row.status,
  attempts: row.attempts,
  first_attempt_at: row.first_attempt_at,
  last_attempt_at: row.last_attempt_at,
  last_response_status: row.last_response_status,
  next_attempt_at: row.next_attempt_at,
  due_at: row.due_at,
  extra: row.extra,
});

const claimedOf = (row: Row): ClaimedDelivery => ({
  tenantId: row.tenant_id,
  eventId: row.event_id,
  lease: row.lease_until,
  revision: row.revision,
  createdAt: row.created_at,
  state: stateOf(row),
  body: unpackEvent({ ...row, id: row.event_id, created_at: row.made_at }),
  url: row.url,
  signedAlone: row.secret_id,
  clock: { clock_offset_ms: row.clock_offset_ms, clock_at: row.clock_at },
  fault: null,
});

const keyCells = (rows: readonly ClaimedDelivery[]): Buffer[] => [
  cells(
    'uuid',
    rows.map((row) => row.tenantId),
  ),
  cells(
    'uuid',
    rows.map((row) => row.eventId),
  ),
  cells(
    'timestamptz',
    rows.map((row) => row.lease),
  ),
];

/** The deliveries table as the dispatcher uses it. Leases and wake times are real time. */
export function openDeliveryStore(pool: pg.Pool) {
  async function claim(name: string, text: string, values: unknown[]): Promise<ClaimedDelivery[]> {
    const { rows } = await pool.query<Row>({ name, text, values });
    return rows.map(claimedOf);
  }

  return {
    claim: (now: Instant, lease: Instant, limit: number, except: readonly string[]) =>
      claim('claim deliveries', claimAny, [now, lease, limit, except]),

    /** The due deliveries of one tenant, also while its clock is being advanced. */
    claimOf: (tenantId: string, now: Instant, lease: Instant, limit: number) =>
      claim('claim deliveries of', claimOf, [now, lease, limit, tenantId]),

    /** @returns the events whose results were written; the others were changed or lost meanwhile */
    async record(results: readonly DeliveryResult[]): Promise<Set<string>> {
      const column = (type: string, pick: (result: DeliveryResult) => unknown) =>
        cells(type, results.map(pick));
      const values = [
        ...keyCells(results.map(({ claimed: row }) => row)),
        column('integer', ({ claimed: row }) => row.revision),
        column('text', ({ state }) => state.status),
        column('integer', ({ state }) => state.attempts),
        column('timestamptz', ({ state }) => state.first_attempt_at),
        column('timestamptz', ({ state }) => state.last_attempt_at),
        column('integer', ({ state }) => state.last_response_status),
        column('timestamptz', ({ state }) => state.next_attempt_at),
        column('timestamptz', ({ state }) => state.due_at),
        column('boolean', ({ state }) => state.extra),
        column('timestamptz', ({ attempt }) => attempt?.at),
        column('text', ({ attempt }) => attempt?.url),
        column('text', ({ attempt }) => attempt && packHeaders(attempt.requestHeaders)),
        column('integer', ({ attempt }) => attempt?.answer.status),
        column(
          'text',
          ({ attempt }) => attempt?.answer.headers && packHeaders(attempt.answer.headers),
        ),
        column('text', ({ attempt }) => attempt?.answer.body),
        column('integer', ({ attempt }) => attempt?.answer.durationMs),
        column('text', ({ attempt }) => attempt?.answer.error),
      ];
      const query = { name: 'record deliveries', text: record, values };
      const { rows } = await pool.query<{ event_id: string }>(query);
      return new Set(rows.map((row) => row.event_id));
    },

    /** The rows that this process still holds, read again. */
    async reload(rows: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
      const found = await pool.query<Row>(reload, keyCells(rows));
      const held = new Map(found.rows.map((row) => [row.event_id, row]));
      return rows.flatMap((row) => {
        const now = held.get(row.eventId);
        return now ? [{ ...row, revision: now.revision, state: stateOf(now) }] : [];
      });
    },

    /** Frees rows that were not attempted; `wakeAt` postpones one. */
    async giveBack(
      rows: readonly { row: ClaimedDelivery; wakeAt: Instant | null }[],
    ): Promise<void> {
      const wakes = cells(
        'timestamptz',
        rows.map(({ wakeAt }) => wakeAt),
      );
      await pool.query(giveBack, [...keyCells(rows.map(({ row }) => row)), wakes]);
    },
  };
}

export type DeliveryStore = ReturnType<typeof openDeliveryStore>;
