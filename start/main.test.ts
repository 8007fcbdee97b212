import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findHome } from '../service/db/embedded_place.ts';
import { findDatabase } from '../service/db/embedded_running.ts';
import { blankDatabase, type TestDatabase } from '../test/kit/database/database.ts';
import { caller, fetchToken } from '../test/kit/http/http.ts';
import { asStarted } from '../test/kit/processes/built.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await blankDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'tpay-main-'));
});
afterAll(() => database.drop());

interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number>;
}

function run(env: Record<string, string>): Started {
  const child = spawn(process.execPath, asStarted, {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ENVIRONMENT: 'sandbox',
      METRICS_PORT: '0',
      SAMPLE_WEEK: '0',
      ...env,
    },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = once(child, 'exit').then(([code]) => Number(code ?? -1));
  return { child, out: () => out, err: () => err, ended };
}

const facts = async () => JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));

/** Starts it, waits until it is ready, lets `look` look, and asks it to end. */
async function whileRunning(
  look: (baseUrl: string) => Promise<void>,
  env: Record<string, string> = {},
): Promise<Started> {
  const started = run({ PORT: '0', ...env });
  const over = started.ended.then((code) => {
    throw new Error(`ended with ${code}: ${started.err()}`);
  });
  over.catch(() => {});
  const ready = async () => {
    while (!started.out().includes('Ctrl-C')) await new Promise((r) => setTimeout(r, 20));
    const { base_url } = await facts();
    while (!(await fetch(`${base_url}/readyz`)).ok);
    await look(base_url);
  };
  await Promise.race([ready(), over]);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  return started;
}

it('makes a sandbox, prints how to reach it, and is the same sandbox at the next start', async () => {
  const first = await whileRunning(async (baseUrl) => {
    const credentials = await facts();
    expect(await fetchToken(baseUrl, credentials)).toMatch(/^tok_/);
    expect((await stat(join(dataDir, 'sandbox.json'))).mode & 0o777).toBe(0o600);
    expect((await fetch(`${baseUrl}/livez`)).status).toBe(200);
    expect(await (await fetch(`${baseUrl}/openapi.json`)).json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: baseUrl }],
    });
  });
  const before = await facts();
  for (const name of ['client_id', 'client_secret', 'webhook_secret', 'portal_url', 'docs_url'])
    expect(first.out()).toContain(before[name]);
  expect(first.out()).toContain('284617');
  expect(first.out()).toContain(`Example shop    ${before.shop_url}\n`);
  await whileRunning(async (baseUrl) => {
    const { client_id, client_secret, webhook_secret } = await facts();
    expect({ client_id, client_secret, webhook_secret }).toEqual({
      client_id: before.client_id,
      client_secret: before.client_secret,
      webhook_secret: before.webhook_secret,
    });
    expect(await fetchToken(baseUrl, before)).toMatch(/^tok_/);
  });
});

it('has the sample people and shops, with a ledger that keeps every invariant', async () => {
  await whileRunning(async (baseUrl) => {
    const call = caller(baseUrl, await fetchToken(baseUrl, await facts()));
    const availableOf = async (ref: string) => {
      const { body } = await call('GET', `/v1/customers?external_ref=${ref}`);
      const balance = await call('GET', `/v1/accounts/${body.data[0].account_id}/balance`);
      return balance.body.available;
    };
    expect(await availableOf('sample-ana')).toBe(250_00);
    expect(await availableOf('sample-ben')).toBe(0);
    expect(await availableOf('sample-cafe')).toBe(99_50);
    const cleo = await call('GET', '/v1/customers?external_ref=sample-cleo');
    expect(cleo.body.data[0].verification.status).toBe('created');
    const ledger = await call('GET', '/portal/api/ledger/verify');
    expect(ledger.body).toMatchObject({ ok: true, violations: [] });
  });
});

it('gives the tenant new credentials when the file is gone, and retires the old ones', async () => {
  const before = await facts();
  await rm(join(dataDir, 'sandbox.json'));
  const { err } = await whileRunning(
    async (baseUrl) => {
      const after = await facts();
      expect(after.base_url).toBe(baseUrl);
      expect(after.webhook_secret).not.toBe(before.webhook_secret);
      expect(await fetchToken(baseUrl, after)).toMatch(/^tok_/);
      await expect(fetchToken(baseUrl, before)).rejects.toThrow('401');
    },
    { LOG_LEVEL: 'info' },
  );
  expect(err()).toContain('"security":"credentials_replaced"');
});

it('names no address of the shop where SHOP=off', async () => {
  const { out } = await whileRunning(
    async () => expect(await facts()).toMatchObject({ shop_url: null }),
    { SHOP: 'off' },
  );
  expect(out()).toContain('Docs ');
  expect(out()).not.toMatch(/shop {2}|\/shop|null/);
});

it('ends with one clear line when its port is used', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const used = `PORT: ${port} is in use on 127.0.0.1; stop the process that listens there, or set PORT to another one.\n`;
  const started = run({ PORT: String(port) });
  expect(await started.ended).toBe(1);
  expect(started.err()).toBe(used);
  // The embedded server, which is started first, is stopped again.
  const folder = await mkdtemp(join(tmpdir(), 'tpay-main-'));
  const embedded = run({ PORT: String(port), DATABASE_URL: '', DATA_DIR: folder });
  expect(await embedded.ended).toBe(1);
  expect(embedded.err()).toBe(used);
  expect(await findHome(folder)).toBeDefined();
  await expect(findDatabase(folder)).rejects.toThrow('no PostgreSQL runs in');
  other.close();
});

it('ends with a line for each wrong setting', async () => {
  const started = run({ PORT: 'x', LOG_LEVEL: 'y' });
  expect(await started.ended).toBe(1);
  expect(started.err().trim().split('\n')).toHaveLength(2);
});

it('ends with one line when the database is not there', async () => {
  const started = run({ PORT: '0', DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
  expect(await started.ended).toBe(1);
  expect(started.err().trim().split('\n')).toHaveLength(1);
  expect(started.err()).toContain('DATABASE_URL');
});
