import { type AskContext, type Asking, command } from '@tenant-payments/engine/command.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';

/**
 * A claim on a question to the outside, so that one call at a time asks it (rules/engine#30). The instant until which
 * it stands names the call that has it: one that was overtaken neither prolongs nor ends the claim of another.
 */

/** Long enough that a busy process prolongs it in time, short enough that a retry outlasts it. */
const claimSeconds = 5;
const prolongMs = 1_500;

/** Takes the claim, or waits while that of another call stands. */
export function claim(
  work: Work,
  standing: Instant | null,
  take: (until: Instant) => void,
): Asking {
  if (standing !== null && standing > work.now) return { ask: 'wait' };
  const until = addSeconds(work.now, claimSeconds);
  take(until);
  return { ask: 'now', told: until };
}

/** The answer to a question, with the claim under which it was asked, as it stood last. */
export interface Answered<T> {
  readonly answer: T;
  readonly claim: Instant;
}

interface Change {
  readonly id: string;
  readonly claim: Instant;
  readonly isOver: boolean;
}

/**
 * Asks under a claim, which is prolonged while the call lives, and ended where it fails. A claim that stays ends by itself.
 * @param table with the row of the claim, by a key of one column
 * @param column with the instant until which it stands
 */
export function openClaims<T extends AnyTable>(table: T, column: keyof T['columns'] & string) {
  const changeClaim = command('change_claim', {
    load: (read, { id }: Change) => read.one<AnyTable>(table, id),
    decide: (work, row, { claim: own, isOver }) => {
      if (row[column] !== own) return { value: own };
      const until = isOver ? null : addSeconds(work.now, claimSeconds);
      work.change<AnyTable>(row, { [column]: until });
      return { value: until ?? own };
    },
  });
  return async <A>(
    id: string,
    { submit, told }: AskContext,
    ask: () => Promise<A>,
  ): Promise<Answered<A>> => {
    let own = told as Instant;
    let changing = Promise.resolve();
    const change = (isOver: boolean): Promise<void> => {
      changing = changing
        .then(async () => {
          const { body } = await submit(changeClaim, { id, claim: own, isOver });
          own = JSON.parse(body);
        })
        .catch(() => {});
      return changing;
    };
    const prolonging = setInterval(() => void change(false), prolongMs);
    try {
      const answer = await ask();
      clearInterval(prolonging);
      await changing;
      return { answer, claim: own };
    } catch (error) {
      clearInterval(prolonging);
      await change(true);
      throw error;
    }
  };
}
