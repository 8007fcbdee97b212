import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../core/fail.ts';
import { runLoop } from '../core/loop/run_loop.ts';
import type { Service } from '../service.ts';
import type { AnyCell } from './any_cell.ts';
import { stopTimes } from './move/timing.ts';

/** Tenants that are being moved, and where those are that were. */
export interface Stops {
  start(): void;
  stop(): Promise<void>;
  /** Whether what is known is young enough to be believed. */
  isCurrent(): boolean;
  /** Reads again. @throws where no cell's login can read it */
  read(): Promise<void>;
  /** @throws ApiError 503 while the Tenant is stopped */
  check(tenantId: string): void;
  /** Resolves when the Tenant is not stopped. @throws as `read` */
  passed(tenantId: string): Promise<void>;
  /** The cell that a Tenant was moved to since this process began; undefined: it was not. */
  movedTo(tenantId: string): string | undefined;
}

interface Answer {
  readonly now: string;
  readonly stopped: readonly string[];
  /** The cell of each Tenant that was moved. */
  readonly moved: Readonly<Record<string, string>>;
}

/** Who is stopped now, and the last switch of each Tenant since the last look and a minute before it. */
const look = `select clock_timestamp()::text as now, array(
    select tenant_id::text from control.moves
    where state = 'stopped' and stopped_until > clock_timestamp()) as stopped,
  coalesce((select jsonb_object_agg(tenant_id, to_cell) from (
    select distinct on (tenant_id) tenant_id, to_cell from control.moves
    where switched_at > $1::timestamptz - interval '1 minute'
    order by tenant_id, switched_at desc) m), '{}') as moved`;

const none = (): undefined => undefined;

/**
 * What a process knows of moves between its cells (rules/cells#17).
 * @param seen told of each change: a Tenant that is stopped now, or is in another cell now
 */
export function openStops(
  ask: AnyCell,
  log: Service['log'],
  seen: { stopped(tenantId: string): void; moved(tenantId: string): void },
): Stops {
  const stopped = new Set<string>();
  const cells = new Map<string, string>();
  let since = 'now';
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  function take({ stopped: names, moved }: Answer): void {
    for (const [tenantId, cell] of Object.entries(moved)) {
      if (cells.get(tenantId) === cell) continue;
      cells.set(tenantId, cell);
      seen.moved(tenantId);
    }
    const before = new Set(stopped);
    stopped.clear();
    for (const tenantId of names) {
      stopped.add(tenantId);
      if (!before.has(tenantId)) seen.stopped(tenantId);
    }
  }

  async function readNow(): Promise<void> {
    const begunMs = performance.now();
    const query = { name: 'look for stops', text: look, values: [since] };
    const [answer] = await ask<Answer>(query);
    if (!answer) return;
    take(answer);
    since = answer.now;
    readAtMs = begunMs;
  }

  const read = () => {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  };
  const isCurrent = () => performance.now() - readAtMs < stopTimes.believed;
  const loop = runLoop({
    pauseMs: () => stopTimes.poll,
    // Requests say it.
    turn: () => read().then(none, none),
    failure: 'moves between cells cannot be read',
    log,
  });

  return {
    start: loop.start,
    stop: loop.stop,
    isCurrent,
    read,
    check(tenantId) {
      if (stopped.has(tenantId)) throw unavailable('the Tenant is being moved; try again');
    },
    async passed(tenantId) {
      if (!isCurrent()) await read();
      while (stopped.has(tenantId)) {
        await sleep(stopTimes.poll);
        await read();
      }
    },
    movedTo: (tenantId) => cells.get(tenantId),
  };
}
