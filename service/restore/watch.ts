import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '../service.ts';
import { beginRestore, openRestoreOf } from './begin.ts';
import { holdTenants, releaseTenants } from './hold.ts';
import type { RestoreCause, RestoreRow } from './table.ts';
import { beat, enterTimeline, findRestore, tellsTimeline, type Witness } from './timeline.ts';

const usualPauseMs = 1_000;
/** While a restore is under way, its alarm is raised again after this time. */
const alarmEveryMs = 3_600_000;

type Parts = Pick<Service, 'pool' | 'control' | 'clocks' | 'log'>;

const underWay = 'the database was restored: orders, messages and events are held';

/** Begins a restore that nobody has announced, and holds the Tenants of this cell. */
async function begin({ pool, control, clocks }: Parts, cause: RestoreCause): Promise<RestoreRow> {
  const now = instantOf(clocks.realNow());
  const row = await beginRestore(control, { cause, restoredTo: null, by: 'service', now });
  await holdTenants(pool, row.version_floor);
  return row;
}

/**
 * Begins a restore if the database was restored since a process last ran (rules/restore#6), and holds the Tenants while
 * one is under way. A starting process calls it before it sends anything out.
 */
export async function proveTimeline(parts: Parts): Promise<void> {
  const { pool, control, log } = parts;
  const found = (await tellsTimeline(pool)) ? await findRestore(pool) : null;
  if (found === 'moved')
    log.warn(
      { alarm: 'timeline' },
      'the database goes on from a promotion or a restore; if it was a restore, run `restore begin`',
    );
  else if (found !== null) await begin(parts, found);
  if (found !== null) await enterTimeline(pool);
  const open = await openRestoreOf(control);
  if (open) await holdTenants(pool, open.version_floor);
}

/** Holds the Tenants while a restore is under way, and begins a restore when the database has lost writes. */
export interface RestoreWatch {
  start(): void;
  stop(): Promise<void>;
  /** One look, which the loop makes each second. */
  look(): Promise<void>;
}

/** Opens the watch of one cell in this process. */
export function openRestoreWatch(parts: Parts, pauseMs = usualPauseMs): RestoreWatch {
  const { pool, control, clocks, log } = parts;
  let witness: Witness | null = null;
  /** Whether the server reports its timeline; null: not asked yet. */
  let reportsTimeline: boolean | null = null;
  let alarmedMs = Number.NEGATIVE_INFINITY;

  /** Checks that the database still has all that it has acknowledged to this process. */
  async function prove(): Promise<void> {
    const found = await beat(pool, witness);
    witness = found.witness;
    if (!found.hasLost) return;
    await begin(parts, 'lost_writes');
    await enterTimeline(pool);
  }

  async function look(): Promise<void> {
    reportsTimeline ??= await tellsTimeline(pool);
    if (reportsTimeline) await prove();
    const open = await openRestoreOf(control);
    if (!open) {
      alarmedMs = Number.NEGATIVE_INFINITY;
      return releaseTenants(pool);
    }
    await holdTenants(pool, open.version_floor);
    if (clocks.realNow() - alarmedMs < alarmEveryMs) return;
    alarmedMs = clocks.realNow();
    log.error({ alarm: 'restore', id: open.id, cause: open.cause }, underWay);
  }

  const loop = runLoop({
    pauseMs: () => pauseMs,
    async turn() {
      await look().catch((error: unknown) =>
        log.warn({ fault: faultFacts(error) }, 'a restore cannot be looked for'),
      );
      return undefined;
    },
    failure: 'a restore cannot be looked for',
    log,
  });
  return { start: loop.start, stop: loop.stop, look };
}
