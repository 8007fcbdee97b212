import { expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import type { Key } from './keys/key.ts';
import { chosenKeys, keys } from './keys.ts';
import { conclusionOf, median, resultOf, resultTable } from './report.ts';

const ratio: Key = {
  key: 'payments_c128_vs_tpcb_c64',
  title: '',
  unit: 'ratio',
  better: 'higher',
  must: 0.7,
  goal: 1.2,
};
const report = (...rounds: number[]) => ({
  machine: {},
  results: { [ratio.key]: resultOf(ratio, rounds, true) },
  runs: [],
});

test('a median is the middle round, or the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([1])).toBe(1);
});

test('a figure that does not meet its must is named', () => {
  expect(conclusionOf(report(0.6, 0.65, 0.9))).toBe('NOT MET: payments_c128_vs_tpcb_c64');
  expect(resultTable(report(0.6, 0.65, 0.9))).toContain('not met');
  expect(conclusionOf(report(0.7))).toBe('Every must is met.');
  expect(resultTable(report(1.2))).toContain('goal met');
});

test('where lower is better, a must is the maximum', () => {
  const seconds = { ...ratio, better: 'lower', must: 3, goal: 1.5 } as const;
  const results = { cold_start_seconds: resultOf(seconds, [3.1], true) };
  expect(conclusionOf({ machine: {}, results, runs: [] })).toContain('NOT MET');
});

test('figures against another reference than pgbench have neither must nor goal', () => {
  expect(resultOf(ratio, [0.1], false)).toMatchObject({ value: 0.1, must: null, goal: null });
});

test('--only takes keys and prefixes of keys, and refuses any other word', () => {
  expect([...chosenKeys('hot,payments_c8')]).toEqual([
    'hot_vs_uniform_c128',
    'payments_c8_vs_tpcb_c8',
  ]);
  expect(chosenKeys(undefined).size).toBe(keys.length);
  expect(() => chosenKeys('cold,nothing')).toThrow('"nothing" is not the start of any');
  expect(() => chosenKeys('')).toThrow('is not the start of any');
});

test('--profile takes the load of 128 clients by default', () => {
  const file = 'service.cpuprofile';
  const profileOf = (...argv: string[]) => parseArguments(['--profile', file, ...argv]).profile;
  expect(parseArguments([]).profile).toBeNull();
  expect(profileOf()).toEqual({ load: 'payments_c128', file });
  const load = 'create_and_complete_c128';
  expect(profileOf('--profile-load', load)).toEqual({ load, file });
  expect(() => profileOf('--profile-load', 'tpcb_c64')).toThrow('--profile-load takes');
});
