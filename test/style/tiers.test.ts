import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { gate, sortTests, tiers } from '../kit/projects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ofTier = (tier: string): string[] => Object.values(sortTests(root, tier)).flat();

test('each test file is in exactly one tier and one project', () => {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--', '*.test.ts', '*.test.tsx'],
    { cwd: root, encoding: 'utf8' },
  );
  const files = listed.split('\n').filter((file) => file !== '' && existsSync(file));
  expect(tiers.flatMap(ofTier).sort()).toEqual(files.sort());
});

test('each path of the gate leads to a test', () => {
  const inGate = ofTier('gate');
  expect(gate.filter((path) => !inGate.some((file) => file.startsWith(path)))).toEqual([]);
});
