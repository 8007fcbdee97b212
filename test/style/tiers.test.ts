import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { gate, sortTests, tiers } from '../kit/projects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ofTier = (tier: string): string[] => Object.values(sortTests(root, { tier })).flat();

test('each test file is in exactly one tier and one project', () => {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--', '*.test.ts', '*.test.tsx'],
    { cwd: root, encoding: 'utf8' },
  );
  const files = listed.split('\n').filter((file) => file !== '' && existsSync(file));
  expect(tiers.flatMap(ofTier).sort()).toEqual(files.sort());
});

test('a run that names tests sorts these alone, and one that names none of ours sorts all', () => {
  const named = (...names: string[]) => Object.values(sortTests(root, { named: names })).flat();
  const cancel = 'service/resources/payments/cancel.test.ts';
  for (const name of [cancel, `./${cancel}:12`, `${root}${cancel}`, 'payments/CANCEL'])
    expect(named(name)).toEqual([cancel]);
  expect(named('test/style/tiers', 'payments/cancel')).toHaveLength(2);
  expect(named('no such test').sort()).toEqual(named().sort());
});

test('each path of the gate leads to a test', () => {
  const inGate = ofTier('gate');
  expect(gate.filter((path) => !inGate.some((file) => file.startsWith(path)))).toEqual([]);
});

/** The text of a test or of its kit that starts a build of this tree. */
const building = /scripts\/build\.mjs|\bbuild_(?:tpay|packages|sdk|site|web)\.mjs/;
/** The kit that builds before a run, under a lock, and the one that builds releases in folders of their own. */
const builders = ['test/kit/processes/built.ts', 'test/kit/processes/releases.ts'];

test('no test builds in this tree while others run what is built there', () => {
  const found = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /(?:^test\/|\.test\.ts$)/.test(file) && existsSync(file))
    .filter((file) => building.test(readFileSync(file, 'utf8')));
  expect(found.sort()).toEqual(builders);
});
