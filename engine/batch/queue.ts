import type { Run } from '../command.ts';

type Lane = 'request' | 'job';

/** Why a command was refused before any work: no room for it, or it had waited too long. */
export type ShedReason = 'full' | 'late';

/** Beyond these, a command is refused before any work (rules/engine#13). */
const maximumQueued = 4_096;
export const maximumWaitMs = 2_000;
/** How often the queue looks for commands that waited too long while a batch blocks. */
const shedEveryMs = 250;
const maximumBatch = 64;
const jobShare = 4;
/** A batch of this size waits for no other to be written: half of a small batch's cost does not depend on its size. */
const smallBatch = 40;
/** While commands still arrive, a batch waits for one more turn of the event loop, at most so often. */
const gatherTurns = 4;

/**
 * The queue before the engine. A batch starts when none is being read, and a small one when none is
 * being written: an idle service adds no wait, and a busy one fills its batches.
 * @param begin resolves when the next batch may begin
 * @param written resolves when nothing is being written
 */
export function openQueue(
  begin: (runs: readonly Run[]) => Promise<void>,
  shed: (run: Run, reason: ShedReason) => void,
  written: () => Promise<void>,
) {
  const lanes: Record<Lane, Run[]> = { request: [], job: [] };
  let working = false;
  let idle: (() => void)[] = [];
  let enough = () => {};
  /** How many the batch before holds. Its callers may come again once it is written. */
  let before = smallBatch;

  const size = () => lanes.request.length + lanes.job.length;

  /** Refuses commands that waited too long, also while no batch is taken. */
  function shedLate(): void {
    const oldest = performance.now() - maximumWaitMs;
    const { request } = lanes;
    const fresh = request.findIndex((run) => run.enqueuedAt >= oldest);
    const late = request.splice(0, fresh === -1 ? request.length : fresh);
    for (const run of late) shed(run, 'late');
  }

  /** Half of what waits and of the batch before together: one half is written while the other is decided. */
  function take(): Run[] {
    shedLate();
    const most = Math.min(maximumBatch, Math.ceil((size() + before) / 2));
    const share = Math.max(Math.ceil(most / jobShare), most - lanes.request.length);
    const jobs = lanes.job.splice(0, Math.min(share, maximumBatch / jobShare));
    return [...lanes.request.splice(0, most - jobs.length), ...jobs];
  }

  /** With fewer than the batch before, more may come while it is written. */
  const isSmall = () => size() < Math.min(before, smallBatch);

  async function gather(): Promise<void> {
    const filled = new Promise<void>((resolve) => {
      enough = resolve;
    });
    if (isSmall()) await Promise.race([written(), filled]);
    for (let turn = 0; turn < gatherTurns && size() < maximumBatch; turn += 1) {
      const seen = size();
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (size() === seen) return;
    }
  }

  async function work(): Promise<void> {
    working = true;
    const watch = setInterval(shedLate, shedEveryMs).unref();
    while (size() > 0) {
      await gather();
      const batch = take();
      if (batch.length > 0) {
        before = batch.length;
        await begin(batch);
      }
    }
    clearInterval(watch);
    working = false;
    for (const resolve of idle) resolve();
    idle = [];
  }

  return {
    push(lane: Lane, run: Run): void {
      if (size() >= maximumQueued) {
        shed(run, 'full');
        return;
      }
      lanes[lane].push(run);
      if (!isSmall()) enough();
      if (!working) void work();
    },
    /** Resolves when nothing is queued or being read. */
    drained: (): Promise<void> =>
      working ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve(),
    depth: size,
    /** No room: do not even prepare a command, which may call an outside service. */
    isFull: () => size() >= maximumQueued,
  };
}
