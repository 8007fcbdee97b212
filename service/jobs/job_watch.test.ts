import { expect, test } from 'vitest';
import type { DueJobs } from './job_store.ts';
import { openJobWatch } from './job_watch.ts';

const nowMs = Date.UTC(2026, 10, 20);
const tenantId = '019bdbeb-7a48-7002-bae0-3231bba71991';

/** A commit that schedules a job for now. */
const commit = {
  staged: {
    jobs: [
      {
        tenantId,
        name: 'account_closing',
        ref: tenantId,
        lease: null,
        time: { dueAt: '', wakeAt: new Date(nowMs).toISOString(), real: false },
      },
    ],
  },
} as never;

test('a job stays known when all is forgotten while a query that began before it is under way', async () => {
  const watch = openJobWatch(
    () => nowMs,
    () => {},
  );
  let answer: (found: DueJobs) => void = () => {};
  const read = () =>
    new Promise<DueJobs>((resolve) => {
      answer = resolve;
    });
  const learning = watch.learn(read);
  watch.see(commit);
  watch.forget();
  answer({ waiting: new Set(), nextWakeMs: nowMs + 60_000 });
  await learning;
  expect(watch.mayBeDue(tenantId)).toBe(true);
});
