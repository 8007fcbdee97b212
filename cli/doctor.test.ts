import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Finding, Part } from '../scripts/doctor/finding.ts';
import { programs } from '../test/kit/processes/built.ts';
import { freePort } from '../test/kit/processes/free_port.ts';
import { settingsOf } from '../test/kit/processes/settings.ts';
import { openServer } from '../test/kit/server.ts';
import { run } from './run.ts';

const server = await openServer({ environment: 'production', workers: false });
const folder = mkdtempSync(join(tmpdir(), 'tpay-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const railsPath = join(folder, 'rails.mjs');
writeFileSync(
  railsPath,
  `const none = async () => {};
  export const rails = {
    identity: { collect: none, check: none, matches: none },
    aggregator: { linkToken: none, exchange: none, verify: none },
    bank: { take: none },
    messages: { send: none },
  };`,
  { mode: 0o600 },
);

async function doctor(more: Record<string, string> = {}, ...flags: string[]) {
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(['doctor', ...flags], {
    env: { ...settingsOf(server), RAILS: railsPath, PORT, METRICS_PORT, ...more },
    programs,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out, err };
}

/** Runs it, and finds each finding by its part. @param more settings that are other than those of the deployment */
async function found(more: Record<string, string> = {}) {
  const { code, out } = await doctor(more, '--json');
  const { ok, findings } = JSON.parse(out.join('')) as { ok: boolean; findings: Finding[] };
  expect(code).toBe(ok ? 0 : 1);
  return (part: Part) => findings.filter((one) => one.part === part);
}

test('the doctor says in a line for each thing that a process needs how it is', async () => {
  const { code, out, err } = await doctor();
  expect([code, err]).toEqual([0, []]);
  const parts = out.map((line) => line.slice(8).split(' ')[0]);
  for (const part of [
    'settings',
    'node',
    'files',
    'disk',
    'ports',
    'address',
    'database',
    'version',
  ])
    expect(parts).toContain(part);
  for (const part of ['role', 'session', 'clock', 'tls', 'migrations', 'keys', 'rails'])
    expect(out.find((line) => line.slice(8).startsWith(part))).toMatch(/^ok /);
  const addressed = out.find((line) => line.includes(' address '));
  expect(addressed).toMatch(/^look .*pay\.example\.com was not reached from here: .*See that/);
});

test('faulty settings are a line each, and nothing else is looked at', async () => {
  const at = await found({ PORT: 'x', LOG_LEVEL: 'y' });
  expect(at('settings').map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(at('database')).toEqual([]);
});

test('a database that is away has its cause from the closed list, and the rest is looked at all the same', async () => {
  const nowhere = 'postgresql://nobody@127.0.0.1:9/none';
  const at = await found({ DATABASE_URL: nowhere, MIGRATION_DATABASE_URL: nowhere });
  expect(at('database')[0]).toMatchObject({
    state: 'failed',
    what: 'DATABASE_URL: database_unreachable: nothing listens there',
  });
  expect(at('rails')[0]?.state).toBe('ok');
});

test('keys that are not those of the database, and files that others may read, are named with what to do', async () => {
  const key = join(folder, 'pepper');
  writeFileSync(key, randomBytes(32).toString('base64'));
  chmodSync(key, 0o640);
  const at = await found({ PIN_PEPPER: '', PIN_PEPPER_FILE: key });
  expect(at('keys')[0]).toMatchObject({
    state: 'failed',
    what: 'PIN_PEPPER holds no key that the database was used with before',
  });
  expect(at('files')[0]).toMatchObject({ state: 'warning', advice: `Run: chmod 600 ${key}` });
});

test('a port of another program is named', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const at = await found({ PORT: String(port) });
  expect(at('ports')[0]).toMatchObject({
    state: 'failed',
    what: `PORT: ${port} is in use by another program`,
  });
  other.close();
});

test('a module of rails that cannot be loaded is named', async () => {
  const at = await found({ RAILS: join(folder, 'none.mjs') });
  expect(at('rails')[0]).toMatchObject({ state: 'failed' });
  expect(at('rails')[0]?.what).toMatch(/^RAILS: .*cannot be loaded/);
});

test('the doctor knows the built-in adapters: it looks at their secret files, and at whether they are reached', async () => {
  const mail = join(folder, 'mail');
  writeFileSync(mail, 'smtp://127.0.0.1:9');
  chmodSync(mail, 0o640);
  const identity = join(folder, 'identity');
  writeFileSync(identity, randomBytes(32).toString('base64'));
  chmodSync(identity, 0o640);
  const at = await found({
    MAIL_FILE: mail,
    MAIL_FROM: 'no-reply@pay.example',
    IDENTITY_KEY: '',
    IDENTITY_KEY_FILE: identity,
  });
  expect(at('settings')).toEqual([expect.objectContaining({ state: 'ok' })]);
  expect(at('files').map(({ what }) => what)).toEqual([
    `IDENTITY_KEY_FILE: others may read ${identity}`,
    `MAIL_FILE: others may read ${mail}`,
  ]);
  expect(at('rails')).toContainEqual(
    expect.objectContaining({ state: 'failed', what: 'smtp: does not reach 127.0.0.1:9' }),
  );
});
