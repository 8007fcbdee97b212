import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { unavailable } from '@tenant-payments/engine/fail.ts';
import { type DatabaseClock, greatestDifferenceMs } from './database_clock.ts';
import type { ProcessRegistry } from './process_registry.ts';

const withinMs = 2_000;
/** Whoever asks more often is told what was found so shortly before: anybody may ask. */
const keptMs = 1_000;

/** Whether this process should be sent requests. */
export interface Readiness {
  /** @throws ApiError 503, which says why not */
  prove(): Promise<void>;
}

/** The parts of a cell that must work while it is served. */
interface Cell {
  readonly engine: Pick<Engine, 'proveWrites'>;
  readonly processRegistry: Pick<ProcessRegistry, 'proof'>;
  readonly databaseClock: Pick<DatabaseClock, 'aheadMs'>;
}

/** Why a cell cannot be served; null: a write has just worked on all connections of its engine. */
async function faultOf({ engine, processRegistry, databaseClock }: Cell): Promise<string | null> {
  const ahead = Math.abs(databaseClock.aheadMs());
  if (ahead > greatestDifferenceMs)
    return `the machine's clock differs from the database's by ${Math.round(ahead / 1_000)} s`;
  const late = sleep(withinMs, 'the database has taken no write for 2 s', { ref: false });
  const proven = engine.proveWrites(processRegistry.proof, withinMs).then(
    () => null,
    (error: { readonly code?: string }) =>
      `the database takes no writes (${error.code ?? 'it is away'})`,
  );
  return Promise.race([proven, late]);
}

/** A process of several cells is ready while it can serve one of them: the others may serve no other. */
export function openReadiness(peers: { readonly open: readonly Cell[] }): Readiness {
  let found: { readonly atMs: number; readonly fault: Promise<string | null> } | null = null;

  async function look(): Promise<string | null> {
    const faults = await Promise.all(peers.open.map(faultOf));
    return faults.includes(null) ? null : (faults[0] ?? null);
  }
  return {
    async prove() {
      const nowMs = performance.now();
      if (found === null || nowMs - found.atMs > keptMs) found = { atMs: nowMs, fault: look() };
      const fault = await found.fault;
      if (fault !== null) throw unavailable(`not ready: ${fault}`);
    },
  };
}
