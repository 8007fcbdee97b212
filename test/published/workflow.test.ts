import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { processMark } from '../../service/db/embedded_process.ts';
import { findDatabase } from '../../service/db/embedded_running.ts';
import { temporaryDataDir } from '../kit/database/database_server.ts';
import { snippetsOf } from '../kit/guides/snippets.ts';
import { root } from '../kit/processes/built.ts';
import { freePort } from '../kit/processes/free_port.ts';
import { runNode } from '../kit/processes/run_node.ts';
import { until } from '../kit/wait.ts';

/** The workflow that testing.md shows, run step by step as a runner of GitHub runs it. */

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

const page = readFileSync(join(root, 'docs/guide/testing.md'), 'utf8');
const shown = snippetsOf(page).find(({ language }) => language === 'yaml')?.text ?? '';
const steps: readonly Step[] = parse(shown).jobs.test.steps;

/** The reader's own tests take an access token by the variables that they find. */
const ownTests = `
const { PAY_BASE_URL, PAY_CLIENT_ID: client_id, PAY_CLIENT_SECRET: client_secret } = process.env;
const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
const { status } = await fetch(PAY_BASE_URL + '/oauth/token', { method: 'POST', body });
console.log('a token:', status, process.env.PAY_WEBHOOK_SECRET.slice(0, 6));
`;

/** Installs nothing: what it would install is there. */
const npmOf = (path: string) => `#!/bin/sh\n[ "$1" = ci ] || PATH='${path}' exec npm "$@"\n`;

let folder: string;
/** The checkout of this repository beside the reader's. */
let payments: string;
/** The environment of all steps; what one writes to GITHUB_ENV is in that of the next. */
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryDataDir();
  payments = join(folder, 'payments');
  const bin = join(folder, 'bin');
  for (const made of [payments, bin]) mkdirSync(made);
  for (const name of ['package.json', 'dist', 'cli'])
    symlinkSync(join(root, name), join(payments, name));
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"test":"node own_tests.mjs"}}');
  writeFileSync(join(folder, 'own_tests.mjs'), ownTests);
  const { PATH = '' } = process.env;
  writeFileSync(join(bin, 'npm'), npmOf(PATH), { mode: 0o755 });
  env = {
    PATH: [bin, PATH].join(delimiter),
    GITHUB_ENV: join(folder, 'github_env'),
    PORT: String(await freePort()),
    METRICS_PORT: '0',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  };
});
afterAll(async () => {
  // After a step that failed the sandbox still runs.
  if (isRunning(npm())) process.kill(npm());
  await until(() => !isRunning(npm()));
  rmSync(folder, { recursive: true });
});

const npm = (): number => Number(env.SANDBOX_PID);
const isRunning = (pid: number): boolean => processMark(pid) !== undefined;

/** Runs a step's script in a file of its own, by `bash -e`. @returns what it printed */
async function runStep({ run = '', env: own, 'working-directory': place = '.' }: Step) {
  const script = join(folder, 'step.sh');
  writeFileSync(script, run.replaceAll('8080', String(env.PORT)));
  writeFileSync(String(env.GITHUB_ENV), '');
  const cwd = join(folder, place);
  const ran = await runNode(['-e', script], { bin: 'bash', cwd, env: { ...env, ...own } });
  for (const line of readFileSync(String(env.GITHUB_ENV), 'utf8').trim().split('\n')) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== '') env[name] = value;
  }
  expect(ran.code, `${run}\n${ran.stdout}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

test('the workflow starts a sandbox, runs the tests on it, and leaves nothing running', async () => {
  const printed: string[] = [];
  const running = steps.filter(({ run }) => run !== undefined);
  for (const step of running.slice(0, -1)) printed.push(await runStep(step));
  expect(printed.join('')).toContain('a token: 200 whsec_');
  const { postmasterPid } = await findDatabase(join(payments, '.data'));
  await runStep(running.at(-1) ?? {});
  await until(() => ![npm(), postmasterPid].some(isRunning));
  await expect(fetch(`${env.PAY_BASE_URL}/livez`)).rejects.toThrow('fetch failed');
  expect(readFileSync(join(payments, 'sandbox.log'), 'utf8')).not.toMatch(/npm error/i);
});
