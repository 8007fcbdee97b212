import { type RunLoop, runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Provider } from '../../rails/providers/provider.ts';
import type { Service } from '../../service.ts';

const everyMs = 60_000;
/** A turn may take a minute, and its process may end within it. */
const graceMs = 120_000;
const periods = 3;

/** Raises an alarm where nobody polls a provider (rules/rails#10): every process watches, also one that never polls. */
export interface PollWatch extends Pick<RunLoop, 'start' | 'stop'> {
  watchNow(): Promise<void>;
}

export function openPollWatch(
  providers: readonly Provider[],
  { control, clocks, log }: Pick<Service, 'control' | 'clocks' | 'log'>,
): PollWatch {
  /** The earliest beginning of a delay: polls may have been due while no process ran. */
  const openedAt = instantOf(clocks.realNow());
  const overdue = new Set<string>();

  async function lateMs(provider: string): Promise<number> {
    const { rows } = await control.query<{ ms: number }>(
      `select extract(epoch from $1::timestamptz - greatest($2::timestamptz, (select next_at
          from control.rail_polls where provider = $3 and tenant_id = $4)))::float8 * 1000 as ms`,
      [instantOf(clocks.realNow()), openedAt, provider, platformId],
    );
    return rows[0]?.ms ?? 0;
  }

  async function watchOne(provider: string, everySeconds: number): Promise<void> {
    const late = await lateMs(provider);
    if (late <= periods * everySeconds * 1_000 + graceMs) overdue.delete(provider);
    else if (!overdue.has(provider)) {
      overdue.add(provider);
      log.error(
        {
          alarm: 'rail_provider',
          provider,
          method: 'poll',
          late_seconds: Math.round(late / 1_000),
        },
        'nobody polls a provider; its messages wait there',
      );
    }
  }

  async function watchNow(): Promise<void> {
    for (const { name, poll } of providers) if (poll) await watchOne(name, poll.everySeconds);
  }

  const { start, stop } = runLoop({
    firstAfterMs: everyMs,
    pauseMs: () => everyMs,
    turn: async () => void (await watchNow()),
    failure: 'the polls of providers could not be watched',
    log,
  });
  return { start, stop, watchNow };
}
