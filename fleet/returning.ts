import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { type RunLoop, runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { isAway } from '@tenant-payments/service/cells/peers.ts';
import type { Peers, Service } from '@tenant-payments/service/service.ts';

const pauseMs = 5_000;

/**
 * Looks for cells that were away at the start, and serves them once they are there (rules/cells#24).
 * @param serve makes everything that a cell needs, by its name @throws while it cannot
 */
export function openReturning(
  peers: Peers,
  log: Service['log'],
  serve: (cell: string) => Promise<void>,
): RunLoop {
  async function look(cell: string): Promise<void> {
    try {
      await serve(cell);
      peers.welcome(cell);
      log.warn({ cell }, 'a cell that was away is served from now on');
    } catch (error) {
      if (!isAway(error))
        log.error({ cell, fault: faultFacts(error) }, 'a cell that was away cannot be served');
    }
  }
  const loop = runLoop({
    firstAfterMs: pauseMs,
    pauseMs: () => pauseMs,
    turn: async () => {
      for (const cell of peers.away) await look(cell);
      return undefined;
    },
    failure: 'cells that were away cannot be looked for',
    log,
  });
  return { ...loop, start: () => peers.away.size > 0 && loop.start() };
}
