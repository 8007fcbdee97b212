import { randomBytes } from 'node:crypto';
import { recordWords } from '@tenant-payments/engine/packed_text/record_words.ts';
import { openVault } from '@tenant-payments/engine/vault.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reachable } from '../../../test/kit/files/report_files.ts';
import { startTestServer, type TestServer } from '../../../test/kit/server.ts';
import { openDownloadLinks, type Target } from './download_links.ts';

let realMs = Date.parse('2026-01-20T15:00:00Z');
const lines: string[] = [];
let server: TestServer;
/** The address of the first day's file, made now. */
let url: string;

const addressNow = async (token = server.token): Promise<string> =>
  (await server.call('GET', '/v1/reports/reconciliation?date=2026-01-20', { token })).body.file
    .download_url;
const open = (address: string, method = 'GET') => fetch(reachable(server, address), { method });

beforeAll(async () => {
  server = await startTestServer({ realNow: () => realMs, onLog: (line) => lines.push(line) });
  await server.call('POST', '/portal/api/clock/advance', { body: { to: '2026-01-21T12:00:00Z' } });
  url = await addressNow();
});
afterAll(() => server.stop());

async function expectNothing(address: string): Promise<void> {
  const reply = await open(address);
  const { error } = (await reply.json()) as { error: { code: string; request_id: string } };
  expect([reply.status, error.code], address).toEqual([404, 'not_found']);
  expect(error.request_id).toBe(reply.headers.get('service-request-id'));
}

test('an address is below PUBLIC_URL and opens without a token, as a file to save', async () => {
  expect(url.startsWith(`${server.service.config.publicUrl}/downloads/dl_`)).toBe(true);
  const reply = await open(url);
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="reconciliation-2026-01-20.csv"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(await reply.text()).toMatch(/^posting_id,[\s\S]+\n#TOTALS,[^\n]+\n$/);
});

test('HEAD gives the file’s headers without its body', async () => {
  const reply = await open(url, 'HEAD');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-disposition')).toContain('reconciliation-2026-01-20.csv');
  expect(await reply.text()).toBe('');
});

test('any other method or token is not found', async () => {
  expect((await open(url, 'POST')).status).toBe(404);
  for (const token of ['dl_', 'dl_x', 'x', `dl_${'A'.repeat(95)}`, '%00', `dl_${'é'.repeat(40)}`])
    await expectNothing(`http://any/downloads/${token}`);
});

test('an address with any byte changed opens nothing', async () => {
  const [head = '', token = ''] = url.split('dl_');
  const bytes = Buffer.from(token, 'base64url');
  for (let place = 0; place < bytes.length; place += 1) {
    const forged = Buffer.from(bytes);
    forged[place] = (forged[place] ?? 0) ^ 1;
    await expectNothing(`${head}dl_${forged.toString('base64url')}`);
  }
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef'.replace(token.at(-1) ?? '', ''))
    await expectNothing(`${head}dl_${token.slice(0, -1)}${last}`);
  await expectNothing(`${head}dl_${bytes.subarray(0, -1).toString('base64url')}`);
  await expectNothing(`${head}dl_${Buffer.concat([bytes, Buffer.of(0)]).toString('base64url')}`);
});

test('an address of another key, tenant, kind or record opens nothing', async () => {
  const { service, tenant } = server;
  const own = openDownloadLinks(service);
  const foreign = openDownloadLinks({
    ...service,
    vault: openVault([{ id: 'a', key: randomBytes(32) }], randomBytes(32)),
  });
  const { rows } = await service.pool.query<{ id: string }>(
    'select id from reconciliation_reports',
  );
  const target: Target = {
    kind: 'reconciliation',
    tenantId: tenant.tenantId,
    record: rows[0]?.id ?? '',
  };
  const addressOf = (links: typeof own, more: Partial<Target>) =>
    links.to({ ...target, ...more }, realMs + 60_000).url;
  expect((await open(addressOf(own, {}))).status).toBe(200);
  await expectNothing(addressOf(foreign, {}));
  await expectNothing(addressOf(own, { tenantId: (await server.anotherTenant()).tenantId }));
  await expectNothing(addressOf(own, { kind: 'statement' }));
  await expectNothing(addressOf(own, { record: tenant.tenantId }));
});

test('an address is valid for an hour of real time, whatever the tenant’s clock shows', async () => {
  await server.call('POST', '/portal/api/clock/advance', { body: { seconds: 5 * 86_400 } });
  expect((await open(url)).status).toBe(200);
  const { file } = (await server.call('GET', '/v1/reports/reconciliation?date=2026-01-20')).body;
  expect(file.expires_at).toBe(new Date(realMs + 3_600_000).toISOString());
  realMs += 3_599_000;
  expect((await open(url)).status).toBe(200);
  realMs += 1_000;
  await expectNothing(url);
});

test('neither an address nor its token is in the log or the request log', async () => {
  await server.service.requestLog.flush();
  const { rows } = await server.service.pool.query<{ text: string }>(
    `select concat_ws(' ', path, request_body, response_body) as text from requests
      where path like '/v1/reports%'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  const texts = rows.map((row) => recordWords.unpack(row.text));
  for (const text of [...texts, ...lines]) expect(text).not.toContain('dl_');
});
