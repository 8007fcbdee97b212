import { whileLocked } from '@tenant-payments/engine/advisory_lock.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { type RunLoop, runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { Provider, RailObjects } from '../../rails/providers/provider.ts';
import { withinTime } from '../../rails/providers/within_time.ts';
import type { Service } from '../../service.ts';
import type { Taking } from './taking.ts';

/** Advisory lock of the polls of a provider, in the database of control: one leader over all processes. */
const lock = 1_560_772_918;
const lockKey = "hashtextextended('control.rail_polls.' || $2, $1)";
const runMs = 60_000;
const longestPauseMs = 3_600_000;
/** One that fails now and then mends itself. */
const failuresToAlarm = 3;

/** Polls of the providers that have one (rules/rails#10). */
export interface Polls {
  /** Only a worker that serves all cells does. */
  start(): void;
  /** One turn of a provider. @returns what it was; `not now`: another process polls, or none is due */
  pollNow(name: string): Promise<'done' | 'failed' | 'not now'>;
  /** Ends a poll under way, whether it heeds its signal or not. */
  stop(): Promise<void>;
}

interface Needs {
  readonly service: Pick<Service, 'control' | 'clocks' | 'log' | 'meters'>;
  readonly taking: Taking;
  readonly objectsOf: (provider: string) => RailObjects;
}

interface Row {
  readonly cursor: string | null;
  readonly failures: number;
  readonly is_due: boolean;
}

type Polling = Provider & Required<Pick<Provider, 'poll'>>;
const polls = (provider: Provider): provider is Polling => provider.poll !== undefined;

/** Polls of all providers, each with a loop of its own. */
export function openPolls(
  providers: readonly Provider[],
  { service, taking, objectsOf }: Needs,
): Polls {
  const { control, clocks, log, meters } = service;
  const now = () => instantOf(clocks.realNow());

  async function read(client: pg.PoolClient, name: string): Promise<Row> {
    await client.query(
      `insert into control.rail_polls (provider, next_at, tenant_id) values ($1, $2, $3)
       on conflict do nothing`,
      [name, now(), platformId],
    );
    const { rows } = await client.query<Row>(
      `select cursor, failures, next_at <= $2 as is_due from control.rail_polls
       where provider = $1 and tenant_id = $3`,
      [name, now(), platformId],
    );
    return rows[0] as Row;
  }

  /** A leader that has lost its lock may meet another: the first one's cursor stays. */
  const keep = (client: pg.PoolClient, name: string, row: Row, cursor: string | null, ms: number) =>
    client.query(
      `update control.rail_polls set cursor = $3, failures = 0, done_at = $4, next_at = $5
       where provider = $1 and tenant_id = $6 and cursor is not distinct from $2`,
      [name, row.cursor, cursor, now(), instantOf(clocks.realNow() + ms), platformId],
    );

  async function putOff(client: pg.PoolClient, name: string, failures: number, ms: number) {
    const pauseMs = Math.min(ms * 2 ** failures, longestPauseMs);
    await client.query(
      `update control.rail_polls set failures = $2, next_at = $3
       where provider = $1 and tenant_id = $4`,
      [name, failures, instantOf(clocks.realNow() + pauseMs), platformId],
    );
  }

  function tell(name: string, failures: number, error: unknown): void {
    const said = { provider: name, method: 'poll', failures, fault: faultFacts(error) };
    const message = 'a provider cannot be polled; its messages wait there';
    if (failures >= failuresToAlarm) log.error({ alarm: 'rail_provider', ...said }, message);
    else log.warn(said, message);
  }

  async function turn(provider: Polling, client: pg.PoolClient, ending: AbortSignal) {
    const { name, poll } = provider;
    const everyMs = poll.everySeconds * 1_000;
    const row = await read(client, name);
    if (!row.is_due) return 'not now';
    try {
      const objects = objectsOf(name);
      const run = (signal: AbortSignal) => poll.run(row.cursor, { signal, objects });
      const { cursor, receipts } = await withinTime(runMs, run, ending);
      taking.check(receipts);
      await taking.take(provider, receipts, { headers: {}, body: null });
      await keep(client, name, row, cursor, everyMs);
      meters.railPolls.inc({ provider: name, result: 'ok' });
      return 'done';
    } catch (error) {
      if (ending.aborted) return 'not now';
      meters.railPolls.inc({ provider: name, result: 'failed' });
      tell(name, row.failures + 1, error);
      await putOff(client, name, row.failures + 1, everyMs);
      return 'failed';
    }
  }

  async function pollOne(provider: Polling, ending: AbortSignal) {
    const ofProvider = { key: lockKey, values: [lock, provider.name] };
    const poll = (client: pg.PoolClient) => turn(provider, client, ending);
    return (await whileLocked(control, ofProvider, poll)) ?? 'not now';
  }

  const loops = new Map<string, { readonly provider: Polling; readonly loop: RunLoop }>();
  for (const provider of providers.filter(polls)) {
    const loop = runLoop({
      pauseMs: () => Math.max(provider.poll.everySeconds * 1_000, 1_000),
      turn: async () => void (await pollOne(provider, loop.stopping)),
      failure: 'a provider was not polled',
      log,
    });
    loops.set(provider.name, { provider, loop });
  }
  return {
    start() {
      for (const { loop } of loops.values()) loop.start();
    },
    async pollNow(name) {
      const found = loops.get(name);
      if (!found) throw new Error(`${name} is not polled`);
      return pollOne(found.provider, found.loop.stopping);
    },
    async stop() {
      await Promise.all([...loops.values()].map(({ loop }) => loop.stop()));
    },
  };
}
