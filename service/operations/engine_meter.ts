import { constraintOf } from '@tenant-payments/engine/batch/conflicts.ts';
import type { EngineObserver } from '@tenant-payments/engine/batch/observer.ts';
import { connectionLost, sessionStale } from '@tenant-payments/engine/lost.ts';
import type { MeterCount } from '@tenant-payments/engine/work_types.ts';
import type { Meters } from './meters.ts';

/** Why a batch was decided again, by SQLSTATE; a constraint is its own reason. */
const rerunReasons: Readonly<Record<string, string>> = {
  '40001': 'row_changed',
  '40P01': 'deadlock',
};

/** The engine reruns for a short list of codes and constraints, so the reasons are few. */
function reasonOf(error: unknown): string {
  if (sessionStale(error)) return 'session_stale';
  if (connectionLost(error)) return 'session_ended';
  const { code = '' } = (error ?? {}) as { readonly code?: string };
  return constraintOf(error) ?? rerunReasons[code] ?? code;
}

/** Counts what the engine reports. */
export const meterEngine = (meters: Meters): EngineObserver => ({
  committed({ commands, deferred, durationMs }) {
    meters.batchCommands.observe(commands);
    meters.batchSeconds.observe(durationMs / 1_000);
    if (deferred > 0) meters.commandsDeferred.inc(deferred);
  },
  rerun: (error) => meters.batchReruns.inc({ reason: reasonOf(error) }),
  split: () => meters.batchSplits.inc(),
  shed: (reason) => meters.commandsShed.inc({ reason }),
  lost: (commands) => meters.commandsLost.inc(commands),
});

/** Counts what committed commands have counted. */
export function countCommitted(
  meters: Pick<Meters, 'railMessages'>,
  counted: readonly MeterCount[],
) {
  for (const { labels } of counted) meters.railMessages.inc(labels);
}
