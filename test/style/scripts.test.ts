import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const scriptsOf = (manifest: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(manifest, 'utf8')).scripts;

/** Scripts that run until they are told to end, or that end others when they do. */
const untilTold: readonly (readonly [manifest: string, scripts: readonly string[]])[] = [
  [
    'package.json',
    [
      'start',
      'dev',
      'bank',
      'test',
      'test:gate',
      'test:rest',
      'nightly',
      'check',
      'check:node',
      'check:runtimes',
      'unit',
      'demo',
      'bench',
      'prove',
      'shots',
      'conformance',
      'mutations',
      'cli',
      'tpay',
    ],
  ],
  ['examples/corner-shop/package.json', ['start']],
];

test.each(untilTold)(
  'what npm is told, the programs of %s are told: no shell and no other program stays between them',
  (manifest, names) => {
    const scripts = scriptsOf(manifest);
    const last = names.map((name) => [name, scripts[name]?.split(' && ').at(-1)]);
    // tsx would start a second node, and kill it when it does not answer a signal in 30 ms.
    const direct = /^(?:\w+=\S+ )*exec node /;
    expect(last.filter(([, command]) => !direct.test(command ?? ''))).toEqual([]);
  },
);

test.each(['start', 'bank', 'cli', 'tpay'])(
  'after an install without scripts npm run %s says in one line what to do',
  (script) => {
    const cwd = mkdtempSync(join(tmpdir(), 'not-built-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    mkdirSync(join(cwd, 'scripts'));
    for (const file of ['package.json', 'scripts/not_built.mjs'])
      copyFileSync(file, join(cwd, file));
    const { status, stderr } = spawnSync('npm', ['run', '--silent', script], {
      cwd,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      'Nothing is built, as after npm ci --ignore-scripts. Build it with: npm run build\n',
    ]);
  },
);
