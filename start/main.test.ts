import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantFacts } from '../backoffice/tenants/create.ts';
import { findHome } from '../service/db/embedded_place.ts';
import { processMark } from '../service/db/embedded_process.ts';
import { findDatabase } from '../service/db/embedded_running.ts';
import { blankDatabase } from '../test/kit/database/database.ts';
import { temporaryDataDir } from '../test/kit/database/database_server.ts';
import { holdRequest } from '../test/kit/http/held_request.ts';
import { caller, fetchToken } from '../test/kit/http/http.ts';
import { application } from '../test/kit/person.ts';
import { npmStart } from '../test/kit/processes/built.ts';
import {
  type ServiceProcess,
  spawnService,
  terminate,
  untilReady,
} from '../test/kit/processes/processes.ts';
import { until } from '../test/kit/wait.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await temporaryDataDir();
});

const factsIn = async (folder: string): Promise<TenantFacts> =>
  JSON.parse(await readFile(join(folder, 'sandbox.json'), 'utf8'));

/** Starts a sandbox on the shared folder, unless told otherwise. Its banner is the last that a start does. */
async function startReady(
  env: Record<string, string>,
  how: Parameters<typeof spawnService>[1] = {},
): Promise<ServiceProcess> {
  const service = await spawnService({ DATA_DIR: dataDir, ...env }, how);
  await untilReady(service);
  await until(() => service.out().includes('Ctrl-C'));
  return service;
}

/** The number of the process that a refused start names. */
const processNamed = (log: string): number =>
  Number(/^The data folder \S+ is in use by process (\d+);/m.exec(log)?.[1]);

const isRefused = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('npm start', () => {
  let service: ServiceProcess;
  let facts: TenantFacts;
  let token: string;
  beforeAll(async () => {
    service = await startReady({}, { command: npmStart, leadsGroup: true });
    facts = await factsIn(dataDir);
    token = await fetchToken(service.baseUrl, facts);
  });
  afterAll(() => terminate(service));

  test('makes a sandbox, and prints how to reach it', async () => {
    expect(facts.base_url).toBe(service.baseUrl);
    for (const fact of Object.values(facts)) expect(service.out()).toContain(fact);
    expect(service.out()).toContain('284617');
    expect(service.out()).toContain(`Example shop    ${facts.shop_url}\n`);
    expect((await stat(join(dataDir, 'sandbox.json'))).mode & 0o777).toBe(0o600);
    expect((await fetch(`${service.baseUrl}/livez`)).status).toBe(200);
    expect(await (await fetch(`${service.baseUrl}/openapi.json`)).json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: service.baseUrl }],
    });
  });

  test('has the sample people and shops, with a ledger that keeps every invariant', async () => {
    const call = caller(service.baseUrl, token);
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

  test('on the folder of another one says whose it is and what to do, and harms nothing', async () => {
    const { port } = new URL(service.baseUrl);
    const second = await spawnService({ DATA_DIR: dataDir, PORT: port }, { command: npmStart });
    expect(await second.ended).toBe(1);
    const named = processNamed(second.log());
    expect(second.log().split('\n')).toContain(
      `The data folder ${dataDir} is in use by process ${named}; stop that first, or set another DATA_DIR.`,
    );
    expect(processMark(named)).toBeDefined();
    expect(await factsIn(dataDir)).toEqual(facts);
    expect(await service.status('/readyz')).toBe(200);
    const call = caller(service.baseUrl, token);
    expect((await call('GET', '/v1/customers?external_ref=sample-ana')).status).toBe(200);
  });

  test('ends at Ctrl-C when the requests under way are answered, with its shop and its PostgreSQL', async () => {
    const { postmasterPid } = await findDatabase(dataDir);
    const page = (await fetch(`${facts.shop_url}/api/stream`)).text();
    const customer = application('individual');
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': customer.external_ref,
    };
    const url = `${service.baseUrl}/v1/customers`;
    const held = await holdRequest(url, headers, JSON.stringify(customer));
    // The terminal's way: to npm and to the service, which npm tells once more.
    process.kill(-Number(service.child.pid), 'SIGINT');
    await until(() => isRefused(url));
    expect(await held.finish()).toBe(201);
    expect(await service.ended).toBe(0);
    expect(service.log()).toBe('');
    await expect(page).resolves.toContain('data: ');
    expect(processMark(postmasterPid)).toBeUndefined();
    await expect(findDatabase(dataDir)).rejects.toThrow('no PostgreSQL runs in');
  });

  test('is the same sandbox when it is started again, and ends when npm is gone', async () => {
    const { port } = new URL(service.baseUrl);
    const again = await startReady({ PORT: port }, { command: npmStart });
    const { portal_sign_in_url: _, ...before } = facts;
    expect(await factsIn(dataDir)).toMatchObject(before);
    expect(await fetchToken(again.baseUrl, facts)).toMatch(/^tok_/);
    again.child.kill('SIGHUP');
    // The service holds npm's output until it has ended.
    expect(await again.ended).toBe('SIGHUP');
    await expect(findDatabase(dataDir)).rejects.toThrow('no PostgreSQL runs in');
    expect(await isRefused(again.baseUrl)).toBe(true);
  });
});

test('the tenant gets new credentials when the file is gone, and the old ones are retired', async () => {
  const before = await factsIn(dataDir);
  await rm(join(dataDir, 'sandbox.json'));
  const service = await startReady({ LOG_LEVEL: 'info' });
  const after = await factsIn(dataDir);
  expect(after.base_url).toBe(service.baseUrl);
  expect(after.webhook_secret).not.toBe(before.webhook_secret);
  expect(await fetchToken(service.baseUrl, after)).toMatch(/^tok_/);
  await expect(fetchToken(service.baseUrl, before)).rejects.toThrow('401');
  expect(service.log()).toContain('"security":"credentials_replaced"');
  expect(await terminate(service)).toBe(0);
});

test('an empty database of one’s own becomes a sandbox, without a shop where SHOP=off', async () => {
  const database = await blankDatabase();
  const folder = await temporaryDataDir();
  const own = { DATABASE_URL: database.url, ENVIRONMENT: 'sandbox', DATA_DIR: folder };
  const service = await startReady({ ...own, SHOP: 'off' });
  const facts = await factsIn(folder);
  expect(facts.shop_url).toBeNull();
  expect(await fetchToken(service.baseUrl, facts)).toMatch(/^tok_/);
  expect(service.out()).toContain('Docs ');
  expect(service.out()).not.toMatch(/shop {2}|\/shop|null/);
  // As when its terminal is closed.
  service.child.kill('SIGHUP');
  expect(await service.ended).toBe(0);
  await database.drop();
});

describe('a start that cannot be', () => {
  /** The output of a start that ends with 1. */
  async function refusal(env: Record<string, string>): Promise<string> {
    const { ended, log } = await spawnService({ ENVIRONMENT: 'sandbox', ...env });
    expect(await ended).toBe(1);
    return log();
  }
  const linesOf = (text: string) => text.trim().split('\n');

  test('says in one line that its port is used, and stops the PostgreSQL that it has started', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const folder = await temporaryDataDir();
    expect(await refusal({ PORT: String(port), DATA_DIR: folder })).toBe(
      `PORT: ${port} is in use on 127.0.0.1; stop the process that listens there, or set PORT to another one.\n`,
    );
    expect(await findHome(folder)).toBeDefined();
    await expect(findDatabase(folder)).rejects.toThrow('no PostgreSQL runs in');
    other.close();
  });

  test('says a line for each wrong setting', async () => {
    const log = await refusal({ DATA_DIR: dataDir, PORT: 'x', LOG_LEVEL: 'y' });
    expect(linesOf(log)).toHaveLength(2);
  });

  test('says in one line that the database is not there', async () => {
    const nowhere = 'postgresql://nobody@127.0.0.1:9/none';
    const log = await refusal({ DATA_DIR: dataDir, DATABASE_URL: nowhere });
    expect(linesOf(log)).toEqual([expect.stringContaining('DATABASE_URL')]);
  });
});
