import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@tenant-payments/engine/fail.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { stopTimes } from './move/timing.ts';

/** A process's knowledge of moves between its cells. */
export interface StopsOfCells {
  start(): void;
  stop(): Promise<void>;
  /** Resolves when the Tenant is not stopped. @throws where nobody can say */
  passed(tenantId: string): Promise<void>;
}

/** Tenants that are being moved, and where those are that were. */
export interface Stops extends StopsOfCells {
  /** Whether what is known is young enough to be believed. */
  isCurrent(): boolean;
  /** Reads again. @throws where nobody can say */
  read(): Promise<void>;
  /** @throws ApiError 503 while the Tenant is stopped */
  check(tenantId: string): void;
  /** The cell that a Tenant was moved to since this process began; undefined: it was not. */
  movedTo(tenantId: string): string | undefined;
}

/** The findings of a look for stops. */
export interface Seen {
  /** The time there, for the next look. */
  readonly now: string;
  readonly stopped: readonly string[];
  /** The cell of each Tenant that was moved since the look before. */
  readonly moved: Readonly<Record<string, string>>;
}

/** Looks for stops. @param since when it looked before @throws where nobody can say */
export type Look = (since: string) => Promise<Seen>;

const none = (): undefined => undefined;

/**
 * A process's knowledge of Tenants that are stopped, from one place (rules/cells#17).
 * @param seen told of each change: a Tenant that is stopped now, or is in another cell now
 */
export function openStops(
  look: Look,
  log: Service['log'],
  seen: { stopped(tenantId: string): void; moved(tenantId: string): void },
): Stops {
  const stopped = new Set<string>();
  const cells = new Map<string, string>();
  let since = 'now';
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  function take({ stopped: names, moved }: Seen): void {
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
    const found = await look(since);
    take(found);
    since = found.now;
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
      if (stopped.has(tenantId))
        throw unavailable('the Tenant is being moved; try again', 1, 'cell');
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
