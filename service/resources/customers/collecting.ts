import { type AskContext, type Asking, command } from '@tenant-payments/engine/command.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';

/**
 * One submission at a time of a session or link gives its data to the identity provider: the others wait until it is
 * accepted or has failed, so that what is kept there is what was accepted (rules/customers#21).
 */

/** A session or an owner, whose submission is being collected. */
export type Collecting = {
  /** Until when the call that asks the provider may take; null: none does. */
  readonly collecting_until: Instant | null;
};

/** Long enough that a busy process prolongs it in time, short enough that a retry outlasts it. */
const claimSeconds = 5;
const prolongMs = 1_500;

export const isCollecting = ({ now }: Work, { collecting_until: until }: Collecting): boolean =>
  until !== null && until > now;

/** Claims the question once all checks have passed, or waits for the call that did. */
export function claimCollecting(work: Work, row: Collecting): Asking {
  if (isCollecting(work, row)) return { ask: 'wait' };
  const collecting_until = addSeconds(work.now, claimSeconds);
  work.change<AnyTable>(row, { collecting_until });
  return { ask: 'now' };
}

interface Change {
  readonly id: string;
  readonly isOver: boolean;
}

/**
 * Runs the call to the provider under the claim. Where it fails, another one may begin; a claim that stays ends by itself.
 * @param table with the row of the claim
 */
export function openCollecting(table: AnyTable) {
  const changeClaim = command('change_collecting', {
    load: (read, { id }: Change) => read.one(table, id),
    decide: (work, row, { isOver }) => {
      const until = isOver ? null : addSeconds(work.now, claimSeconds);
      if (row.collecting_until !== null) work.change(row, { collecting_until: until });
      return { value: null };
    },
  });
  return async <T>(id: string, { submit }: AskContext, collect: () => Promise<T>): Promise<T> => {
    const change = (isOver: boolean) => submit(changeClaim, { id, isOver }).catch(() => {});
    const prolonging = setInterval(() => void change(false), prolongMs);
    try {
      return await collect();
    } catch (error) {
      await change(true);
      throw error;
    } finally {
      clearInterval(prolonging);
    }
  };
}
