import type { Chaos } from '@tenant-payments/contract/sandbox/chaos.ts';
import { arrayParameter } from '@tenant-payments/engine/database/binary.ts';
import { CompiledQuery, type Kysely } from 'kysely';
import type pg from 'pg';
import { settingOf } from './put.ts';

/** An event with its place in the order by which faults are drawn. */
export interface NumberedEvent {
  readonly tenantId: string;
  readonly eventId: string;
  readonly version: number;
  /** Its place among the tenant's events since the setting was put, by id; from 1 on. */
  readonly ordinal: number;
  readonly setting: Chaos;
}

type Setting = Chaos & { tenant_id: string };
type Row = Setting & { event_id: string; version: number; ordinal: number; seen: number };

const columns = 'duplicate, out_of_order, fail_first_attempt, api_503, seed, ends_at';

const active = `select tenant_id, ${columns} from chaos
  where greatest(duplicate, out_of_order, fail_first_attempt, api_503) > 0
    and (ends_at is null or ends_at > $1)`;

const countCall = `update chaos set requests_seen = requests_seen + 1
  where tenant_id = $1 and api_503 > 0 returning ${columns}, requests_seen as ordinal`;

/** Ids rise with time, so an event's place is the same in each process and at any time. */
const number = `with wanted as (select * from unnest($1::uuid[], $2::uuid[]) a(tenant_id, event_id)),
  last as (select distinct on (tenant_id) tenant_id, event_id from wanted order by tenant_id, event_id desc),
  numbered as (select c.events_seen, ${columns}, e.tenant_id, e.id as event_id, e.version,
      c.events_seen + row_number() over (partition by c.tenant_id order by e.id) as ordinal
    from last l join chaos c on c.tenant_id = l.tenant_id
    join events e on e.tenant_id = c.tenant_id and e.id > c.events_after and e.id <= l.event_id)
  select n.tenant_id, n.event_id, n.version, n.ordinal, n.events_seen as seen, ${columns}
  from numbered n join wanted using (tenant_id, event_id)`;

const moveOn = `update chaos c set events_seen = c.events_seen + $3, events_after =
    (select id from events where tenant_id = $1 and id > c.events_after order by id offset $3 - 1
      limit 1)
  where c.tenant_id = $1 and c.events_seen = $2`;

/**
 * The chaos table. Places of events are counted from a point that follows behind, so that counting
 * stays cheap; what is behind it meets no fault any more.
 * @param stride how many events it moves by, and as many at least it stays behind the last one sent
 */
export function openChaosStore(pool: pg.Pool, stride: number) {
  /** The settings that strike anything at an instant of real time, by tenant. */
  async function settings(at: string): Promise<ReadonlyMap<string, Chaos>> {
    const { rows } = await pool.query<Setting>({
      name: 'active chaos',
      text: active,
      values: [at],
    });
    return new Map(rows.map((row) => [row.tenant_id, settingOf(row)]));
  }

  async function follow(rows: readonly Row[]): Promise<void> {
    const far = new Map<string, number>();
    for (const { tenant_id, ordinal, seen } of rows)
      if (ordinal - seen >= 2 * stride) far.set(tenant_id, seen);
    for (const [tenantId, seen] of far) await pool.query(moveOn, [tenantId, seen, stride]);
  }

  return {
    settings,

    async of<DB>(db: Kysely<DB>, tenantId: string): Promise<Chaos | null> {
      const text = `select ${columns} from chaos where tenant_id = $1`;
      const { rows } = await db.executeQuery<Chaos>(CompiledQuery.raw(text, [tenantId]));
      return rows[0] ?? null;
    },

    /** @returns the call's place, and the setting of the moment; null when it strikes no calls */
    async countCall(tenantId: string): Promise<{ setting: Chaos; ordinal: number } | null> {
      const { rows } = await pool.query<Chaos & { ordinal: number }>(countCall, [tenantId]);
      const [row] = rows;
      return row ? { setting: settingOf(row), ordinal: row.ordinal } : null;
    },

    /** The places of these events; those made before the setting have none. */
    async number(
      events: readonly { readonly tenantId: string; readonly eventId: string }[],
    ): Promise<NumberedEvent[]> {
      const { rows } = await pool.query<Row>({
        name: 'number events',
        text: number,
        values: [
          arrayParameter(
            'uuid',
            events.map((event) => event.tenantId),
          ),
          arrayParameter(
            'uuid',
            events.map((event) => event.eventId),
          ),
        ],
      });
      await follow(rows);
      return rows.map((row) => ({
        tenantId: row.tenant_id,
        eventId: row.event_id,
        version: row.version,
        ordinal: row.ordinal,
        setting: settingOf(row),
      }));
    },
  };
}
