import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseArguments, roundsOf } from './arguments.ts';
import { type Proof, proofs } from './proofs.ts';
import { marker, pageOf, rowOf, rowsOf } from './report.ts';

const proof = (key: string, rounds = 100): Proof => ({
  key,
  rounds,
  fault: `${key} is cut`,
  promise: 'nothing is lost',
  file: `${key}.test.ts`,
});
const known = [proof('first'), proof('second')];
const around = { seed: 7, seconds: 12.3, date: '2026-11-21', machine: '2 cores' };
const row = (key: string, figures: Record<string, number> = {}) =>
  rowOf(proof(key), { rounds: 100, violations: [], figures }, around);

test('every proof has its own key and an own test file that registers it', () => {
  expect(new Set(proofs.map(({ key }) => key)).size).toBe(proofs.length);
  for (const { file } of proofs) expect(readFileSync(file, 'utf8')).toContain('proofTest(');
});

test('without arguments every proof is held with its own rounds', () => {
  const { chosen, scale, isList } = parseArguments([], known);
  expect([chosen, scale, isList]).toEqual([known, 1, false]);
});

test('--only takes keys in any order, --seed and --scale numbers', () => {
  const { chosen, seed, scale } = parseArguments(
    ['--only', 'second,first', '--seed', '12', '--scale', '0.25'],
    known,
  );
  expect([chosen, seed, scale]).toEqual([known, 12, 0.25]);
  expect(known.map((one) => roundsOf(one, scale))).toEqual([25, 25]);
  expect(roundsOf(proof('small', 2), 0.1)).toBe(1);
});

test('a proof on a cluster is held where --citus names one', () => {
  const proofs: Proof[] = [proof('first'), { ...proof('cells'), needsCitus: true }];
  const keysOf = (...argv: string[]) => parseArguments(argv, proofs).chosen.map(({ key }) => key);
  expect(keysOf()).toEqual(['first']);
  expect(keysOf('--citus', 'a,b')).toEqual(['first', 'cells']);
  expect(() => keysOf('--only', 'cells')).toThrow(/cells needs --citus/);
});

test.each([
  [['--only', 'third'], /there is no proof third; --only takes first,second/],
  [['--scale', '0'], /--scale/],
  [['--scale', 'many'], /--scale/],
  [['--seed', '1.5'], /--seed/],
  [['--rounds', '3'], /--rounds/],
])('refuses %j', (argv, reason) => {
  expect(() => parseArguments(argv, known)).toThrow(reason);
});

test('a page is read back as it was written, and what stands above the marker stays', () => {
  const rows = [row('first', { kills: 12, slowestMs: 3 }), row('second')];
  const page = pageOf(`# Reliability\n\nBy hand.\n`, rows, ['first', 'second']);
  expect(page.startsWith(`# Reliability\n\nBy hand.\n\n${marker}\n\n| proof `)).toBe(true);
  expect(page).toContain('kills 12, slowestMs 3');
  expect(rowsOf(page)).toEqual(rows);
  expect(pageOf(page, [], ['first', 'second'])).toBe(page);
});

test('a run of some proofs leaves the rows of the others, and rows of none go', () => {
  const page = pageOf('', [row('first'), row('gone'), row('second')], ['first', 'gone', 'second']);
  const again = { ...row('second', { kills: 3 }), seed: '8' };
  const updated = pageOf(page, [again], ['second', 'first']);
  expect(rowsOf(updated)).toEqual([again, row('first')]);
});

test('a violation is counted, and a bar cannot break the table', () => {
  const bad = rowOf(
    { ...proof('first'), fault: 'a | b' },
    { rounds: 1, violations: ['x', 'y'] },
    around,
  );
  const [read] = rowsOf(pageOf('', [bad], ['first']));
  expect([read?.violations, read?.fault]).toEqual(['2', 'a / b']);
});
