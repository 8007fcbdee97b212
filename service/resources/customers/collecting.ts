import { type AskContext, type Asking, command } from '@tenant-payments/engine/command.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';

/**
 * Of submissions at once by one session or link, one gives its data to the identity provider: the others wait until it is
 * accepted or has failed, so that what is kept there is what was accepted (rules/customers#21).
 */

/** A session or an owner, whose submission is being collected. */
export type Collecting = {
  /** Until when the call that asks the provider may take; null: none does. */
  readonly collecting_until: Instant | null;
};

/** A provider has less time for an answer. A claim that stays, because its process has died, ends by itself. */
const claimSeconds = 30;

export const isCollecting = ({ now }: Work, { collecting_until: until }: Collecting): boolean =>
  until !== null && until > now;

/** Claims the question once all checks have passed, or waits for the call that did. */
export function claimCollecting(work: Work, row: Collecting): Asking {
  if (isCollecting(work, row)) return { ask: 'wait' };
  const collecting_until = addSeconds(work.now, claimSeconds);
  work.change<AnyTable>(row, { collecting_until });
  return { ask: 'now' };
}

/**
 * Runs the call to the provider. Where it fails, another one may begin.
 * @param table with the row of this id
 */
export function openCollecting(table: AnyTable) {
  const stop = command('stop_collecting', {
    load: (read, { id }: { readonly id: string }) => read.one(table, id),
    decide: (work, row) => {
      work.change(row, { collecting_until: null });
      return { value: null };
    },
  });
  return <T>(id: string, { submit }: AskContext, collect: () => Promise<T>): Promise<T> =>
    collect().catch(async (error: unknown) => {
      await submit(stop, { id }).catch(() => {});
      throw error;
    });
}
