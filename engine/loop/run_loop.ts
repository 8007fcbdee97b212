import { faultFacts } from '../fault.ts';
import { openPulse } from './pulse.ts';

export interface RunLoopOptions {
  /** @returns milliseconds to sleep; 0: the next turn begins at once; nothing: `pauseMs` */
  readonly turn: () => Promise<number | undefined>;
  /** Milliseconds to sleep after a turn that named none, or failed. */
  readonly pauseMs: () => number;
  /** Milliseconds before the first turn; 0 unless given. */
  readonly firstAfterMs?: number;
  /** The message in the log when a turn fails. The loop goes on. */
  readonly failure: string;
  readonly log: { error(facts: object, message: string): void };
}

/** Turns of one piece of work, one after the other, with sleep between them. */
export interface RunLoop {
  /** Starts the loop; a second call changes nothing. */
  start(): void;
  /**
   * Ends the sleep. During a turn: the next turn begins without sleep.
   * @param withinMs only if the loop would sleep longer than this
   */
  wake(withinMs?: number): void;
  /** Begins no further turn, and resolves when the one under way has ended. */
  stop(): Promise<void>;
  /** Aborted by `stop`, for turns that can end early. */
  readonly stopping: AbortSignal;
}

export function runLoop({
  turn,
  pauseMs,
  firstAfterMs = 0,
  failure,
  log,
}: RunLoopOptions): RunLoop {
  const pulse = openPulse();
  const ending = new AbortController();
  const stopping = ending.signal;
  let looping: Promise<void> | null = null;
  /** When the next turn begins by itself, in `performance.now` time; in the past during a turn. */
  let plannedMs = Number.NEGATIVE_INFINITY;

  async function sleep(ms: number): Promise<void> {
    plannedMs = performance.now() + ms;
    if (ms > 0) await pulse.wait(ms);
    plannedMs = Number.NEGATIVE_INFINITY;
  }

  async function tryTurn(): Promise<number> {
    try {
      return (await turn()) ?? pauseMs();
    } catch (error) {
      log.error({ fault: faultFacts(error) }, failure);
      return pauseMs();
    }
  }

  async function loop(): Promise<void> {
    await sleep(firstAfterMs);
    while (!stopping.aborted) {
      const waitMs = await tryTurn();
      if (!stopping.aborted) await sleep(waitMs);
    }
  }

  return {
    stopping,
    start() {
      looping ??= loop();
    },
    wake(withinMs = 0) {
      if (withinMs <= 0 || performance.now() + withinMs < plannedMs) pulse.wake();
    },
    async stop() {
      ending.abort();
      pulse.wake();
      await looping;
    },
  };
}
