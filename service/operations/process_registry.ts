import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config, Role } from '../config/config.ts';
import type { Clocks } from '../core/clock.ts';
import { faultFacts } from '../core/fault.ts';
import { type Instant, instantOf } from '../core/instant.ts';
import { runLoop } from '../core/loop/run_loop.ts';

const usualBeatMs = 2_000;
/** Who has not been seen for so long is not counted any more, and later forgotten. */
const liveForMs = 10_000;
const keptForMs = 60_000;
/** Longer than a worker takes to be replaced by the next. */
const patienceMs = 30_000;

/** A process of this deployment. */
export interface Peer {
  readonly id: string;
  readonly roles: ReadonlySet<Role>;
}

/** Which processes of this deployment are alive, and what of a common limit falls to this one. */
export interface ProcessRegistry {
  /** Processes that are alive and have this role, this one included. */
  live(role: Role): number;
  /**
   * What each process may let pass so that all together let `limit` pass (decisions 1.8, Rates).
   * At least 1: a limit below the number of processes is exceeded rather than never served.
   */
  share(limit: number): number;
  /** Joins the others; resolves when they are known. @throws when the database is not there */
  start(): Promise<void>;
  /** Leaves them, so that they take over this one's share at once. Never rejects. */
  stop(): Promise<void>;
}

/** The part of `limit` that falls to the `rank`-th of `count`; the parts of all add up to it. */
export function shareOf(limit: number, count: number, rank: number): number {
  const whole = Math.floor(limit / count);
  return Math.max(1, rank < limit % count ? whole + 1 : whole);
}

/** A statement of one row for each process; those that ended without a word are swept on the way. */
const beat = `with swept as (delete from processes where process_id in
    (select process_id from processes where seen_at < $5 for update skip locked)),
  me as (insert into processes (process_id, roles, started_at, seen_at) values ($1, $2, $3, $3)
    on conflict (process_id) do update set seen_at = excluded.seen_at)
  select process_id, roles from processes where seen_at >= $4 and process_id <> $1`;

interface Needs {
  readonly pool: pg.Pool;
  readonly clocks: Pick<Clocks, 'realNow'>;
  readonly config: Pick<Config, 'roles'>;
  readonly log: Logger;
}

/** This process among those that share its database. Until it starts it is the only one. */
export function openProcessRegistry(
  { pool, clocks, config, log }: Needs,
  { beatMs = usualBeatMs } = {},
): ProcessRegistry {
  const me: Peer = { id: randomUUID(), roles: config.roles };
  let peers: readonly Peer[] = [me];
  const ago = (ms: number): Instant => instantOf(clocks.realNow() - ms);
  const withRole = (role: Role) => peers.filter(({ roles }) => roles.has(role));

  async function look(): Promise<void> {
    const roles = [...me.roles].join(',');
    const { rows } = await pool.query<{ process_id: string; roles: string }>({
      name: 'beat',
      text: beat,
      values: [me.id, roles, ago(0), ago(liveForMs), ago(keptForMs)],
    });
    const others = rows.map((row) => ({
      id: row.process_id,
      roles: new Set(row.roles.split(',') as Role[]),
    }));
    // In one order everywhere, so that each knows its rank.
    peers = [me, ...others].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  let workerSeenMs = clocks.realNow();
  let isMissing = false;

  /** Requests are served without a worker, but nothing falls due and no event is delivered. */
  function missWorkers(): void {
    if (withRole('worker').length > 0) {
      workerSeenMs = clocks.realNow();
      isMissing = false;
    } else if (!isMissing && clocks.realNow() - workerSeenMs > patienceMs) {
      isMissing = true;
      log.warn({ alarm: 'no_worker' }, 'no process with the role worker is alive');
    }
  }

  async function turn(): Promise<undefined> {
    // What was known of the others is believed until the database is back.
    await look().catch((error: unknown) =>
      log.warn({ fault: faultFacts(error) }, 'other processes cannot be seen'),
    );
    missWorkers();
  }
  const loop = runLoop({
    firstAfterMs: beatMs,
    pauseMs: () => beatMs,
    turn,
    failure: 'other processes cannot be counted',
    log,
  });
  let isRegistered = false;

  return {
    live: (role) => withRole(role).length,
    share(limit) {
      const serving = withRole('api');
      return shareOf(limit, Math.max(serving.length, 1), Math.max(serving.indexOf(me), 0));
    },
    async start() {
      await look();
      isRegistered = true;
      loop.start();
    },
    async stop() {
      if (!isRegistered) return;
      await loop.stop();
      // Else it is forgotten by itself.
      await pool.query('delete from processes where process_id = $1', [me.id]).catch(() => {});
    },
  };
}
