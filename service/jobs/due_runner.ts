import { ApiError } from '../core/fail.ts';
import { faultFacts } from '../http/errors.ts';
import type { Service } from '../service.ts';
import type { ClaimedDue } from './due_store.ts';
import type { Duties } from './duties.ts';

const firstBackOffMs = 1_000;
const longestBackOffMs = 3_600_000;
/** A row that nobody knows how to run waits for a release that does. */
const unknownBackOffMs = 3_600_000;
const maximumRemembered = 10_000;

export type DueKey = Pick<ClaimedDue, 'tenantId' | 'what' | 'ref'>;
export const dueKey = ({ tenantId, what, ref }: DueKey): string => `${tenantId} ${what} ${ref}`;

interface Running {
  readonly tenantId: string;
  readonly done: Promise<void>;
}

/** Runs claimed rows. One that fails is given back, to be tried again later and later. */
export function openDueRunner(
  { engine, log }: Pick<Service, 'engine' | 'log'>,
  duties: Duties,
  backOff: (row: ClaimedDue, delayMs: number) => Promise<void>,
) {
  const running = new Map<string, Running>();
  const failures = new Map<string, number>();

  function delayAfterFailure(row: ClaimedDue): number {
    const before = failures.get(dueKey(row)) ?? 0;
    if (failures.size >= maximumRemembered) failures.clear();
    failures.set(dueKey(row), before + 1);
    return Math.min(firstBackOffMs * 2 ** before, longestBackOffMs);
  }

  async function submit(row: ClaimedDue): Promise<void> {
    const { tenantId, what, ref } = row;
    const facts = { tenant_id: tenantId, what, ref };
    const duty = duties[what];
    if (!duty) {
      log.error({ alarm: 'unknown_duty', ...facts }, 'nobody knows this duty');
      return backOff(row, unknownBackOffMs);
    }
    try {
      await engine.submit(duty, { tenantId, input: { ref }, lane: 'due', held: row });
      failures.delete(dueKey(row));
    } catch (error) {
      const again_in_ms = delayAfterFailure(row);
      if (error instanceof ApiError)
        log.warn({ ...facts, again_in_ms, code: error.code }, 'a duty was refused');
      else
        log.error(
          { alarm: 'duty', ...facts, again_in_ms, fault: faultFacts(error) },
          'a duty failed',
        );
      await backOff(row, again_in_ms);
    }
  }

  return {
    count: (): number => running.size,
    /** Never rejects: a row that cannot even be given back is free again when its lease ends. */
    run(row: ClaimedDue): Promise<void> {
      const key = dueKey(row);
      const done = submit(row)
        .catch((error: unknown) => log.error({ fault: faultFacts(error) }, 'a due row is stuck'))
        .finally(() => running.delete(key));
      running.set(key, { tenantId: row.tenantId, done });
      return done;
    },
    /** Resolves when what runs now has ended: this tenant's, or everybody's for null. */
    async settled(tenantId: string | null): Promise<void> {
      const mine = [...running.values()].filter(
        (one) => tenantId === null || one.tenantId === tenantId,
      );
      await Promise.all(mine.map((one) => one.done));
    },
  };
}
