import { deliveryOffsetsSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { expect, test } from 'vitest';
import { nextAttemptAt } from './schedule.ts';

const first = '2026-11-21T09:30:00.250Z';

test('attempts made when they are due follow the twelve offsets and end at 72 hours', () => {
  const made: string[] = [];
  for (let at: string | null = first; at !== null; at = nextAttemptAt(first, at)) made.push(at);
  expect(made).toEqual(deliveryOffsetsSeconds.map((seconds) => addSeconds(first, seconds)));
  expect(made).toHaveLength(12);
  expect(made.at(-1)).toBe(addSeconds(first, 72 * 3600));
});

test('offsets that were missed collapse into one attempt', () => {
  expect(nextAttemptAt(first, addSeconds(first, 3 * 3600))).toBe(addSeconds(first, 6 * 3600));
  expect(nextAttemptAt(first, addSeconds(first, 80 * 3600))).toBeNull();
});
