import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { banner } from '../../start/banner.ts';
import { sandboxSample } from '../../start/composition.ts';
import { fetchToken } from '../../test/kit/http/http.ts';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import { openTpay } from '../../test/kit/tpay.ts';
import type { TenantFacts } from './create.ts';
import { type SandboxStart, sandboxTenant } from './sandbox_file.ts';

let own: TestServer;
let path: string;
let start: () => Promise<SandboxStart>;
let first: TenantFacts;

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rotated-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  path = join(dataDir, 'sandbox.json');
  own = await startTestServer({
    workers: false,
    tenant: { calendar: false },
    config: { dataDir },
  });
  onTestFinished(() => own.stop());
  start = () => sandboxTenant(own.service, sandboxSample(own.service, own.rails));
  first = (await start()).facts;
});

const file = async () => JSON.parse(await readFile(path, 'utf8'));

/** Makes a secret, then retires the one before, as the docs have a rotation. @returns the new one as it was shown */
async function rotate(of: 'webhook-secrets' | 'credentials') {
  const token = await fetchToken(own.baseUrl, first);
  const secrets = `/portal/api/${of}`;
  const { data } = (await own.call('GET', secrets, { token })).body;
  const added = await own.call('POST', secrets, { token, body: {} });
  const retired = await own.call('DELETE', `${secrets}/${data[0].id}`, { token });
  expect([added.status, retired.status]).toEqual([201, 200]);
  return added.body;
}

test('after a rotation the file and the next banner have the secret that signs', async () => {
  const { secret } = await rotate('webhook-secrets');
  expect(await file()).toEqual({ ...first, webhook_secret: secret });
  expect((await start()).facts.webhook_secret).toBe(secret);
});

test('after a rotation of the client secret the file and the next banner have the new one, and tpay goes on', async () => {
  const { client_secret } = await rotate('credentials');
  expect(client_secret).not.toBe(first.client_secret);
  const rotated = { ...first, client_secret };
  expect(await file()).toEqual(rotated);
  const tpay = openTpay({ DATA_DIR: join(path, '..') });
  await writeFile(path, JSON.stringify({ ...rotated, base_url: own.baseUrl }));
  expect((await tpay('clock')).code).toBe(0);
  const { facts, isOutdated } = await start();
  expect([facts.client_id, facts.client_secret, facts.webhook_secret, isOutdated]).toEqual([
    first.client_id,
    client_secret,
    first.webhook_secret,
    false,
  ]);
});

test('a start whose file has a retired client secret replaces nothing and says what to do, as tpay does', async () => {
  const { client_secret } = await rotate('credentials');
  await writeFile(path, JSON.stringify({ ...first, base_url: own.baseUrl }));
  const tpay = await openTpay({ DATA_DIR: join(path, '..') })('clock');
  expect([tpay.code, tpay.err.at(-1)]).toEqual([
    1,
    expect.stringContaining(`${path} has a client`),
  ]);
  const again = await start();
  const { portal_sign_in_url: _, base_url: __, ...kept } = first;
  expect(again).toMatchObject({ isOutdated: true, facts: kept });
  expect(await fetchToken(own.baseUrl, { ...first, client_secret })).toMatch(/^tok_/);
  const shown = banner(again, path, 1);
  expect(shown).toContain(`${path} has a client secret that is retired, and another is active`);
  expect(shown).not.toContain(first.client_secret);
  await writeFile(path, JSON.stringify({ ...first, client_secret }));
  expect((await start()).isOutdated).toBe(false);
});
