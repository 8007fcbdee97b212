import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Run } from '../command.ts';
import { openQueue, type ShedReason } from './queue.ts';

/** A queue whose batches end only when the test ends them. */
function openStandingQueue() {
  const shed: [Run, ShedReason][] = [];
  const batches: (readonly Run[])[] = [];
  let letGo = () => {};
  const writing = { done: Promise.resolve() };
  const queue = openQueue(
    (runs) => {
      batches.push(runs);
      return new Promise((resolve) => {
        letGo = resolve;
      });
    },
    (run, reason) => shed.push([run, reason]),
    () => writing.done,
  );
  return { queue, shed, batches, writing, letGo: () => letGo() };
}

const run = (agoMs = 0) => ({ enqueuedAt: performance.now() - agoMs }) as Run;
const turn = () => sleep(5);

test('a command that waits too long behind a blocked batch is refused before that batch ends', async () => {
  const { queue, shed, batches, letGo } = openStandingQueue();
  queue.push('request', run());
  await turn();
  const late = run(1_990);
  queue.push('request', late);
  await expect.poll(() => shed).toEqual([[late, 'late']]);
  expect(batches).toHaveLength(1);
  letGo();
  await queue.drained();
  expect(batches).toHaveLength(1);
});

test('a full queue refuses a command before its prepare', async () => {
  const { queue, shed, letGo } = openStandingQueue();
  queue.push('request', run());
  await turn();
  while (!queue.isFull()) queue.push('request', run());
  const last = run();
  queue.push('request', last);
  expect(shed).toEqual([[last, 'full']]);
  letGo();
});

test('fewer commands than the batch before wait until nothing is written, as many do not', async () => {
  const { queue, batches, writing, letGo } = openStandingQueue();
  let written = () => {};
  writing.done = new Promise((resolve) => {
    written = resolve;
  });
  queue.push('request', run());
  await turn();
  expect(batches).toHaveLength(0);
  written();
  await expect.poll(() => batches.length).toBe(1);
  writing.done = new Promise(() => {});
  letGo();
  await turn();
  queue.push('request', run());
  await expect.poll(() => batches.length).toBe(2);
  letGo();
});

test('a batch takes half of the commands that wait and of the batch before, of jobs what requests leave', async () => {
  const { queue, batches, letGo } = openStandingQueue();
  queue.push('request', run());
  await expect.poll(() => batches.length).toBe(1);
  const jobs = Array.from({ length: 10 }, () => run());
  for (const job of jobs) {
    queue.push('request', run());
    queue.push('job', job);
  }
  const jobsOf = (batch: readonly Run[] = []) => batch.filter((each) => jobs.includes(each)).length;
  for (const [index, [size, ofJobs]] of [
    [11, 3],
    [9, 7],
  ].entries()) {
    letGo();
    await expect.poll(() => batches.length).toBe(index + 2);
    expect(batches[index + 1]).toHaveLength(size ?? 0);
    expect(jobsOf(batches[index + 1])).toBe(ofJobs);
  }
  letGo();
});
