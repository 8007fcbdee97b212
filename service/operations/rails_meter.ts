import { faultFacts } from '@tenant-payments/engine/fault.ts';
import type { Logger } from 'pino';
import { isCause } from './causes.ts';
import { openLineLimit } from './line_limit.ts';
import type { Meters } from './meters.ts';

/** Measures the calls of the rails, and says once that those of a method are paused (rules/operations#79). */
export function watchRails({ railsSeconds, railsInFlight, faults }: Meters, log: Logger) {
  const limit = openLineLimit();
  return {
    ended(method: string, result: string, seconds: number, fault?: unknown): void {
      railsSeconds.observe({ method, result }, seconds);
      if (fault === undefined) return;
      if (isCause(result)) faults.inc({ cause: result });
      const left_out = limit();
      const said = { method, cause: result, fault: faultFacts(fault) };
      if (left_out !== null) log.warn({ ...said, left_out }, 'a call of the rails failed');
    },
    running(method: string, count: number): void {
      railsInFlight.set({ method }, count);
    },
    paused(method: string, isPaused: boolean): void {
      if (isPaused)
        log.error({ alarm: 'rails', method }, 'calls of the rails fail, and are paused');
      else log.warn({ method }, 'the rails answer again');
    },
  };
}
