import { expect, test } from 'vitest';
import { daysFrom } from './counters.ts';

test('shortly before midnight Eastern Time a command loads the counters of both days', () => {
  expect(daysFrom('2026-01-20T15:00:00.000Z')).toEqual(['2026-01-20']);
  expect(daysFrom('2026-01-21T04:59:30.000Z')).toEqual(['2026-01-20', '2026-01-21']);
  expect(daysFrom('2026-01-21T05:00:00.000Z')).toEqual(['2026-01-21']);
});
