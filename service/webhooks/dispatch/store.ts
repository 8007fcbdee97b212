import { arrayParameter } from '@tenant-payments/engine/database/binary.ts';
import { type PackedText, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import type { ClockFacts } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { type Headers, packHeaders } from '../header_text/header_text.ts';
import type { Answer } from '../send/send.ts';
import type { DeliveryFault } from './delivery_fault.ts';
import { type DeliveryKind, deliveryKinds } from './kinds.ts';
import type { DeliveryState } from './outcome.ts';
import { statementsOf } from './statements.ts';

/** A delivery that this process holds under a lease, with all that an attempt needs. */
export interface ClaimedDelivery {
  readonly tenantId: string;
  readonly eventId: string;
  /** The further endpoint that it goes to; null: the first. */
  readonly endpointId: string | null;
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
  /** The trace of the request that has caused the event; null: none. */
  readonly trace: string | null;
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
    /** The id of a further endpoint; absent for the first. */
    endpoint_id?: string;
    lease_until: Instant;
    revision: number;
    created_at: Instant;
    made_at: Instant;
    object_id: string;
    body: PackedText;
    trace: string | null;
    url: string | null;
    secret_id: string | null;
  };

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
  endpointId: row.endpoint_id ?? null,
  lease: row.lease_until,
  revision: row.revision,
  createdAt: row.created_at,
  state: stateOf(row),
  body: unpackEvent({ ...row, id: row.event_id, created_at: row.made_at }),
  url: row.url,
  signedAlone: row.secret_id,
  trace: row.trace,
  clock: { clock_offset_ms: row.clock_offset_ms, clock_at: row.clock_at },
  fault: null,
});

const keyCells = (rows: readonly ClaimedDelivery[]): Buffer[] => [
  arrayParameter(
    'uuid',
    rows.map((row) => row.tenantId),
  ),
  arrayParameter(
    'uuid',
    rows.map((row) => row.eventId),
  ),
  arrayParameter(
    'uuid',
    rows.map((row) => row.endpointId),
  ),
  arrayParameter(
    'timestamptz',
    rows.map((row) => row.lease),
  ),
];

type Key = Pick<Row, 'event_id' | 'endpoint_id'>;

/** The name of a delivery among those of its kind. */
export const keyOf = ({ eventId, endpointId }: Pick<ClaimedDelivery, 'eventId' | 'endpointId'>) =>
  `${eventId} ${endpointId}`;
const keyOfRow = ({ event_id, endpoint_id }: Key): string =>
  keyOf({ eventId: event_id, endpointId: endpoint_id ?? null });

/** The deliveries of a kind as the dispatcher uses them. Leases and wake times are real time. */
export function openDeliveryStore(pool: pg.Pool, kind: DeliveryKind = deliveryKinds.first) {
  const statements = statementsOf(kind);
  const named = (name: string) => `${name} ${kind.deliveries}`;

  async function claim(name: string, text: string, values: unknown[]): Promise<ClaimedDelivery[]> {
    const { rows } = await pool.query<Row>({ name, text, values });
    return rows.map(claimedOf);
  }

  return {
    claim: (now: Instant, lease: Instant, limit: number, except: readonly string[]) =>
      claim(named('claim'), statements.claim, [now, lease, limit, except]),

    /** The due deliveries of one tenant, also while its clock is being advanced. */
    claimOf: (tenantId: string, now: Instant, lease: Instant, limit: number) =>
      claim(named('claim of a tenant'), statements.claimOf, [now, lease, limit, tenantId]),

    /** @returns the keys of those whose results were written; the others were changed or lost meanwhile */
    async record(results: readonly DeliveryResult[]): Promise<Set<string>> {
      const column = (type: string, pick: (result: DeliveryResult) => unknown) =>
        arrayParameter(type, results.map(pick));
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
      const query = { name: named('record'), text: statements.record, values };
      const { rows } = await pool.query<Key>(query);
      return new Set(rows.map(keyOfRow));
    },

    /** The rows that this process still holds, read again. */
    async reload(rows: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
      const found = await pool.query<Row>(statements.reload, keyCells(rows));
      const held = new Map(found.rows.map((row) => [keyOfRow(row), row]));
      return rows.flatMap((row) => {
        const now = held.get(keyOf(row));
        return now ? [{ ...row, revision: now.revision, state: stateOf(now) }] : [];
      });
    },

    /** Frees rows that were not attempted; `wakeAt` postpones one. */
    async giveBack(
      rows: readonly { row: ClaimedDelivery; wakeAt: Instant | null }[],
    ): Promise<void> {
      const wakes = arrayParameter(
        'timestamptz',
        rows.map(({ wakeAt }) => wakeAt),
      );
      await pool.query(statements.giveBack, [...keyCells(rows.map(({ row }) => row)), wakes]);
    },
  };
}

export type DeliveryStore = ReturnType<typeof openDeliveryStore>;
