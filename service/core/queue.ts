import type { Run } from './command.ts';

type Lane = 'request' | 'due';

/** Past these, a command is refused before any work (architecture 3, Submit). */
const maximumQueued = 4_096;
const maximumWaitMs = 2_000;
const maximumBatch = 64;
const dueShare = 4;
/** While arrivals still grow, a batch waits for one more turn of the loop, at most so many times. */
const gatherTurns = 4;

/**
 * The queue before the engine. A batch starts when none is being read, so an idle service adds no
 * wait and a busy one fills its batches by itself.
 * @param begin resolves when the next batch may begin
 */
export function openQueue(
  begin: (runs: readonly Run[]) => Promise<void>,
  shed: (run: Run) => void,
) {
  const lanes: Record<Lane, Run[]> = { request: [], due: [] };
  let working = false;
  let idle: (() => void)[] = [];

  const size = () => lanes.request.length + lanes.due.length;

  function take(): Run[] {
    const due = lanes.due.splice(0, maximumBatch / dueShare);
    const batch = [...lanes.request.splice(0, maximumBatch - due.length), ...due];
    const oldest = performance.now() - maximumWaitMs;
    const late = batch.filter((run) => run.enqueuedAt < oldest);
    for (const run of late) shed(run);
    return late.length === 0 ? batch : batch.filter((run) => run.enqueuedAt >= oldest);
  }

  async function gather(): Promise<void> {
    for (let turn = 0; turn < gatherTurns; turn += 1) {
      const before = size();
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (size() === before) return;
    }
  }

  async function work(): Promise<void> {
    working = true;
    while (size() > 0) {
      await gather();
      const batch = take();
      if (batch.length > 0) await begin(batch);
    }
    working = false;
    for (const resolve of idle) resolve();
    idle = [];
  }

  return {
    push(lane: Lane, run: Run): void {
      if (size() >= maximumQueued) {
        shed(run);
        return;
      }
      lanes[lane].push(run);
      if (!working) void work();
    },
    /** Resolves when nothing is queued or being read. */
    drained: (): Promise<void> =>
      working ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve(),
    depth: size,
  };
}
