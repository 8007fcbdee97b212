import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { sleep } from '@tenant-payments/engine/loop/pulse.ts';
import { connectionLost } from '@tenant-payments/engine/lost.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import type { WebhookContext } from '../context.ts';
import type { DeliveryState } from './outcome.ts';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  type DeliveryResult,
  type DeliveryStore,
  keyOf,
} from './store.ts';

const batchSize = 500;
const retryAfterMs = 500;

/** The result of an attempt; `decide` gives the new state from the row as it is when written. */
export interface Outcome {
  readonly claimed: ClaimedDelivery;
  readonly decide: (state: DeliveryState) => DeliveryState;
  readonly attempt: AttemptRecord | null;
}

interface Waiting extends Outcome {
  readonly resolve: () => void;
}

const resultOf = ({ claimed, decide, attempt }: Outcome): DeliveryResult => ({
  claimed,
  state: decide(claimed.state),
  attempt,
});

/**
 * Writes results in batches: those that come during a write go with the next. A delivery that a
 * resend changed meanwhile is read and decided again; one whose lease has ended is left to the
 * process that holds it now.
 */
export function openRecorder(
  store: DeliveryStore,
  { clocks, log }: Pick<WebhookContext, 'clocks' | 'log'>,
) {
  let waiting: Waiting[] = [];
  let writing = false;

  async function write(outcomes: readonly Outcome[]): Promise<void> {
    const done = await store.record(outcomes.map(resultOf));
    const open = outcomes.filter(({ claimed }) => !done.has(keyOf(claimed)));
    if (open.length === 0) return;
    const fresh = await store.reload(open.map(({ claimed }) => claimed));
    const held = new Map(fresh.map((row) => [keyOf(row), row]));
    const again = open.flatMap((outcome) => {
      const claimed = held.get(keyOf(outcome.claimed));
      return claimed ? [{ ...outcome, claimed }] : [];
    });
    if (again.length < open.length)
      log.warn(
        { count: open.length - again.length },
        'attempts ended after their lease; another process repeats them',
      );
    if (again.length > 0) await write(again);
  }

  /**
   * Retries while the database is away; after the lease another worker attempts the event again. A
   * result that cannot be written at all must not keep the others of its batch from being written.
   */
  async function persist(batch: readonly Waiting[]): Promise<void> {
    let open = batch;
    while (open.length > 0) {
      try {
        return await write(open);
      } catch (error) {
        log.error(
          { fault: faultFacts(error) },
          'results of webhook attempts cannot be written; they are tried again until their lease ends',
        );
        if (open.length > 1 && !connectionLost(error)) return inHalves(open);
        await sleep(retryAfterMs);
        open = open.filter(({ claimed }) => epochMs(claimed.lease) > clocks.realNow());
      }
    }
  }

  async function inHalves(batch: readonly Waiting[]): Promise<void> {
    const half = Math.ceil(batch.length / 2);
    await Promise.all([persist(batch.slice(0, half)), persist(batch.slice(half))]);
  }

  async function work(): Promise<void> {
    if (writing) return;
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await persist(batch);
      for (const { resolve } of batch) resolve();
    }
    writing = false;
  }

  return {
    /** Resolves when the result is written, or its lease has ended. */
    push: (outcome: Outcome): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ ...outcome, resolve });
        void work();
      }),
  };
}
