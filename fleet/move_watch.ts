import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Peers, Service } from '@tenant-payments/service/service.ts';
import type { AnyCell } from './any_cell.ts';
import { finishMove, hasDeparted, type MoveApart } from './move/depart.ts';
import { stopTimes } from './move/timing.ts';
import type { Look, Seen } from './stops.ts';

interface OpenMove extends MoveApart {
  /** Its command cannot go on. */
  readonly is_old: boolean;
}

interface Answer extends Seen {
  /** Moves whose Tenant is stopped, or was when their command died. */
  readonly open: readonly OpenMove[];
}

/**
 * The query for Tenants that are stopped now, the last switch of each Tenant since the last look and a minute before
 * it, and moves that somebody else may have to finish.
 */
const inControl = `select clock_timestamp()::text as now, array(
    select tenant_id::text from control.moves
    where state = 'stopped' and stopped_until > clock_timestamp()) as stopped,
  coalesce((select jsonb_object_agg(tenant_id, to_cell) from (
    select distinct on (tenant_id) tenant_id, to_cell from control.moves
    where switched_at > $1::timestamptz - interval '1 minute'
    order by tenant_id, switched_at desc) m), '{}') as moved,
  coalesce((select jsonb_agg(jsonb_build_object('id', id, 'tenant_id', tenant_id, 'from_cell', from_cell,
      'to_cell', to_cell, 'is_old', coalesce(stopped_until < clock_timestamp() - interval '30 seconds', true)))
    from control.moves where state in ('stopped', 'switched')), '[]') as open`;

/**
 * Finishes moves between two databases whose Tenant has left its old cell, where the command has died since
 * (rules/cells#25). It resolves to whether it finished any.
 */
function openFinisher(peers: Peers, ask: AnyCell) {
  /** Moves with which nothing is left to do here: finished, or their command died before the Tenant left. */
  const settled = new Set<string>();
  const control = {
    query: async (text: string, values: unknown[]) => ({ rows: await ask({ text, values }) }),
  };
  const asked = ({ pool, cell }: Service) => ({ client: pool, schema: `"${cell}"` });

  async function finish(move: OpenMove): Promise<boolean> {
    const [from, to] = [peers.at(move.from_cell), peers.at(move.to_cell)];
    if (!from || !to || !(from.isRemote || to.isRemote) || settled.has(move.id)) return false;
    if (await hasDeparted(asked(from), move.id)) {
      await finishMove(control, asked(to), move);
      settled.add(move.id);
      return true;
    }
    if (move.is_old) settled.add(move.id);
    return false;
  }

  async function finishAll(open: readonly OpenMove[]): Promise<boolean> {
    // If a database is away, the next look tries again.
    const done = await Promise.all(open.map((move) => finish(move).catch(() => false)));
    return done.includes(true);
  }

  // One that is away keeps no other Tenant waiting.
  return (open: readonly OpenMove[]) =>
    open.length === 0
      ? false
      : Promise.race([finishAll(open), sleep(stopTimes.poll, false, { ref: false })]);
}

/** Looks in the database of control, which knows every move. */
export function lookInControl({ peers }: Pick<Service, 'peers'>, ask: AnyCell): Look {
  const finish = openFinisher(peers, ask);
  return async (since) => {
    const query = { name: 'look for stops', text: inControl, values: [since] };
    const read = async () => {
      const [answer] = await ask<Answer>(query);
      assert(answer, 'a query without FROM has a row');
      return answer;
    };
    const answer = await read();
    return (await finish(answer.open)) ? read() : answer;
  };
}

/** A Tenant that has left and come back is here again. After a day every process has heard where it went. */
const inOneCell = `select clock_timestamp()::text as now, array(
    select tenant_id::text from tenants where stopped_until > clock_timestamp()
    union all select tenant_id::text from departures d
      where d.departed_at > clock_timestamp() - interval '1 day'
        and not exists (select from tenants t where t.tenant_id = d.tenant_id)) as stopped`;

/** Looks in a remote cell itself, which goes on while the database of control is away (rules/cells#24). */
export const lookInCell =
  ({ pool }: Service): Look =>
  async () => {
    const { rows } = await pool.query<Omit<Seen, 'moved'>>({
      name: 'look for stops here',
      text: inOneCell,
    });
    const [answer] = rows;
    assert(answer, 'a query without FROM has a row');
    return { ...answer, moved: {} };
  };
