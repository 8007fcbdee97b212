import { randomUUID } from 'node:crypto';
import type { WriteProof } from '@tenant-payments/engine/batch/engine.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Role } from '../config/values.ts';
import { version } from '../config/version.ts';
import { type DatabaseCause, databaseCause } from './database_causes.ts';
import { type DatabaseClock, databaseTime, greatestDifferenceMs } from './database_clock.ts';
import type { Meters } from './meters.ts';

const usualBeatMs = 2_000;
/** A process not seen for so long is no longer counted, and later deleted. */
export const liveForMs = 10_000;
const keptForMs = 60_000;
/** Longer than the replacement of a worker takes. */
const workerMissingMs = 30_000;

/** A process of this deployment. */
export interface Peer {
  readonly id: string;
  readonly roles: ReadonlySet<Role>;
}

/** The processes of this deployment that are alive, and this one's part of a common limit. */
export interface ProcessRegistry {
  /** The id of this process, made anew at each start. */
  readonly id: string;
  /** Processes that are alive and have this role, this one included. */
  live(role: Role): number;
  /**
   * This process's part of a common limit (rules/limits#13).
   * At least 1: a limit below the number of processes is exceeded rather than never served.
   */
  share(limit: number): number;
  /** A write of this process, for a connection that must prove that it can. */
  readonly proof: WriteProof;
  /** Registers this process; resolves when the others are known. @throws when the database is away */
  start(): Promise<void>;
  /** Removes this process, so that the others take over its share at once. Never rejects. */
  stop(): Promise<void>;
}

/** The part of `limit` that falls to the `rank`-th of `count`; the parts of all add up to it. */
export function shareOf(limit: number, count: number, rank: number): number {
  const whole = Math.floor(limit / count);
  return Math.max(1, rank < limit % count ? whole + 1 : whole);
}

/** Updates this process's row, deletes those of dead processes, and reads the others. */
const beat = `with swept as (delete from processes where process_id in
    (select process_id from processes where seen_at < $5 for update skip locked)),
  me as (insert into processes (process_id, roles, started_at, seen_at, version)
    values ($1, $2, $3, $3, $6)
    on conflict (process_id) do update set seen_at = excluded.seen_at)
  select p.process_id, p.roles, ${databaseTime} as at from (select) one
    left join processes p on p.seen_at >= $4 and p.process_id <> $1`;

/** A write on a connection, which changes nothing that anybody is shown. */
const proof = 'update processes set seen_at = seen_at where process_id = $1';

/** A failover takes less. */
const alarmAfterMs = 10_000;

interface BeatRow {
  /** Null in a row that holds the time alone. */
  readonly process_id: string | null;
  readonly roles: string;
  readonly at: number;
}

interface Needs {
  readonly pool: pg.Pool;
  readonly clocks: Pick<Clocks, 'realNow'>;
  readonly databaseClock: DatabaseClock;
  /** Called when its beat found the database away, or without writes. */
  readonly onAway: () => void;
  readonly config: Pick<Config, 'roles'>;
  readonly log: Logger;
  readonly meters: Pick<Meters, 'databaseAway' | 'faults'>;
}

/** One line when the database goes, one when it is back, and an alarm when that takes longer than a failover does. */
function openAway({ log, meters, clocks }: Pick<Needs, 'log' | 'meters' | 'clocks'>) {
  let since: { readonly ms: number; isAlarm: boolean } | null = null;
  return (cause: DatabaseCause | null): void => {
    if (cause === null) {
      if (since !== null) {
        const away_ms = Math.round(clocks.realNow() - since.ms);
        log.warn({ away_ms, since: instantOf(since.ms) }, 'the database is back');
      }
      since = null;
      meters.databaseAway.set(0);
      return;
    }
    if (since === null) {
      since = { ms: clocks.realNow(), isAlarm: false };
      meters.faults.inc({ cause });
      log.warn({ cause }, 'the database is away');
    }
    const awayMs = clocks.realNow() - since.ms;
    meters.databaseAway.set(awayMs / 1_000);
    if (awayMs < alarmAfterMs || since.isAlarm) return;
    since.isAlarm = true;
    log.error(
      { alarm: 'database_away', since: instantOf(since.ms), cause },
      'the database is still away',
    );
  };
}

/** The registry of processes that share a database. Until it starts, this one is the only one. */
export function openProcessRegistry(
  { pool, clocks, databaseClock, config, log, onAway, meters }: Needs,
  { beatMs = usualBeatMs, id = randomUUID() as string } = {},
): ProcessRegistry {
  const me: Peer = { id, roles: config.roles };
  let peers: readonly Peer[] = [me];
  const ago = (ms: number): Instant => instantOf(clocks.realNow() - ms);
  const withRole = (role: Role) => peers.filter(({ roles }) => roles.has(role));

  async function look(): Promise<void> {
    const roles = [...me.roles].join(',');
    const ask = () =>
      pool.query<BeatRow>({
        name: 'beat',
        text: beat,
        values: [me.id, roles, ago(0), ago(liveForMs), ago(keptForMs), version],
      });
    const { rows } = await databaseClock.measure(ask, ({ rows: [row] }) => row?.at ?? Number.NaN);
    const others = rows.flatMap(({ process_id, roles }) =>
      process_id === null ? [] : [{ id: process_id, roles: new Set(roles.split(',') as Role[]) }],
    );
    // In one order everywhere, so that each knows its rank.
    peers = [me, ...others].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  let workerSeenMs = clocks.realNow();
  let isMissing = false;

  /** Without a worker, requests are served but no job runs and no event is delivered. */
  function checkWorkers(): void {
    if (withRole('worker').length > 0) {
      workerSeenMs = clocks.realNow();
      isMissing = false;
    } else if (!isMissing && clocks.realNow() - workerSeenMs > workerMissingMs) {
      isMissing = true;
      log.warn(
        { alarm: 'no_worker', cause: 'no_worker' },
        'no process with the role worker is alive',
      );
    }
  }

  let isOff = false;

  /** Makes this process not ready while its clock is off; other processes go on. */
  function checkClock(): void {
    const ahead_ms = Math.round(databaseClock.aheadMs());
    const wasOff = isOff;
    isOff = Math.abs(ahead_ms) > greatestDifferenceMs;
    if (isOff && !wasOff)
      log.error(
        { alarm: 'clock', cause: 'clock', ahead_ms },
        "the machine's clock differs from the database's",
      );
  }

  const tellAway = openAway({ log, meters, clocks });

  async function turn(): Promise<undefined> {
    // Until the database is back, the others count as they were last seen.
    await look().then(
      () => tellAway(null),
      (error: unknown) => {
        const cause = databaseCause(error);
        if (cause === null)
          log.warn({ fault: faultFacts(error) }, 'other processes cannot be seen');
        else {
          onAway();
          tellAway(cause);
        }
      },
    );
    checkWorkers();
    checkClock();
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
    id: me.id,
    live: (role) => withRole(role).length,
    share(limit) {
      const serving = withRole('api');
      return shareOf(limit, Math.max(serving.length, 1), Math.max(serving.indexOf(me), 0));
    },
    proof: { name: 'proof', text: proof, values: [me.id] },
    async start() {
      await look();
      checkClock();
      isRegistered = true;
      loop.start();
    },
    async stop() {
      if (!isRegistered) return;
      await loop.stop();
      // When this fails, the row is deleted later by another process.
      await pool.query('delete from processes where process_id = $1', [me.id]).catch(() => {});
    },
  };
}
