import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRails, sandboxSample } from '../../start/composition.ts';
import { root } from '../kit/processes/built.ts';
import { runNode } from '../kit/processes/run_node.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';

let folder: string;
let house: TestServer;

/** The package as somebody else has it: packed, unpacked, and in no repository. */
function install(): void {
  const built = join(root, 'cli/dist');
  execFileSync('npm', ['pack', built, '--pack-destination', folder, '--silent'], { cwd: folder });
  execFileSync('bash', ['-c', 'tar -xzf *.tgz'], { cwd: folder });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tpay-package-'));
  install();
  house = await startTestServer({ answerAfterSeconds: 0 });
  const rails = await openRails(house.service);
  await sandboxSample(house.service, rails).seed(house.tenant.tenantId);
});
afterAll(async () => {
  await house.stop();
  rmSync(folder, { recursive: true });
});

const tpay = () => join(folder, 'package/tpay.js');
const env = () => ({ PATH: process.env.PATH, HOME: folder, DATA_DIR: '/nowhere' });

test('the packed command line runs by itself, and without an account', async () => {
  const { stdout, status } = spawnSync(tpay(), ['--version'], { env: env(), encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '1.0.0\n']);
  const help = spawnSync(tpay(), [], { env: env(), encoding: 'utf8' });
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toMatch(/^Usage: tpay/);
});

test('npx runs the packed command line in an empty folder, without a network', () => {
  const cwd = join(folder, 'empty');
  mkdirSync(cwd);
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const args = ['--yes', '--offline', join('..', packed), '--version'];
  const { stdout, status } = spawnSync('npx', args, { cwd, env: env(), encoding: 'utf8' });
  expect([status, stdout, readdirSync(cwd)]).toEqual([0, '1.0.0\n', []]);
});

/** Writes what a process has cost, which the load of the machine changes less than its duration. */
const meter = `process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeFileSync(process.env.COST, String(user + system));
});`;

test('the help costs less processor time than four bare starts of node', () => {
  const [cost, file] = [join(folder, 'cost'), join(folder, 'meter.cjs')];
  writeFileSync(file, meter);
  const costOf = (args: string[]): number => {
    const metered = { ...env(), COST: cost, NODE_OPTIONS: `--require ${file}` };
    spawnSync(process.execPath, args, { env: metered });
    return Number(readFileSync(cost, 'utf8'));
  };
  const rounds = Array.from({ length: 7 }, () => [costOf(['-e', '0']), costOf([tpay(), '--help'])]);
  const [bare = 0, help = 0] = [0, 1].map((which) =>
    Math.min(...rounds.map((pair) => Number(pair[which]))),
  );
  expect(help / bare).toBeLessThan(4);
});

/** All that the guide has one type in, in its order. */
const script = () =>
  [
    ...readFileSync(join(root, 'docs/guide/command-line.md'), 'utf8').matchAll(
      /^```sh\n(.*?)^```$/gms,
    ),
  ]
    .map(([, block]) => block)
    .join('');

test('what command-line.md has one type works as it stands', async () => {
  const data = join(folder, 'data');
  const bin = join(folder, 'bin');
  for (const each of [data, bin]) mkdirSync(each);
  const facts = { ...house.tenant, base_url: house.baseUrl };
  writeFileSync(join(data, 'sandbox.json'), JSON.stringify(facts));
  writeFileSync(join(bin, 'tpay'), `#!/bin/sh\nexec ${process.execPath} ${tpay()} "$@"\n`);
  chmodSync(join(bin, 'tpay'), 0o755);
  const onError = `set -Eeuo pipefail; trap 'echo "failed: $BASH_COMMAND"' ERR\n`;
  const runner = `const { spawnSync } = require('node:child_process');
    const { status } = spawnSync('bash', ['-c', process.env.SCRIPT], { stdio: 'inherit' });
    process.exit(status);`;
  const { code, stdout, stderr } = await runNode(['-e', runner], {
    cwd: folder,
    env: {
      HOME: folder,
      DATA_DIR: data,
      PATH: `${bin}:${process.env.PATH}`,
      SCRIPT: onError + script(),
    },
  });
  expect(code, (stdout + stderr).slice(-3_000)).toBe(0);
});
