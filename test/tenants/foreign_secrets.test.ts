import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openDownloadLinks } from '../../service/http/files/download_links.ts';
import { openInbound } from '../../service/inbound/inbound.ts';
import { draftOf, rawOf } from '../contract/cases/requests.ts';
import { newKey, uuid } from '../kit/ids.ts';
import { type Asked, keyed } from './asked.ts';
import type { TenantRecords } from './records.ts';
import { masked, openTwoTenants, told } from './two_tenants.ts';

const { server, sender, own, other, leaked, rowsOfOther } = await openTwoTenants();

describe('a key of another Tenant', () => {
  const withKey = async (asked: Asked, whose: TenantRecords, key: string) => {
    const draft = draftOf(asked.endpoint, await asked.make(whose), whose.tenant.token);
    return rawOf({ ...draft, key });
  };

  test.each(keyed.map((asked) => [asked.endpoint.id, asked] as const))(
    'is free for %s, and stays what it was for the other',
    async (_, asked) => {
      const key = newKey();
      const request = await withKey(asked, other, key);
      const theirs = await sender.send(request);
      expect(theirs.status).toBe(asked.endpoint.success.status);
      // One after the other: a second session of a customer cancels the first.
      const withTheirs = await sender.send(await withKey(asked, own, key));
      const withOwn = await sender.send(await withKey(asked, own, newKey()));
      expect(leaked(withTheirs, '')).toBeUndefined();
      expect(masked(told(withTheirs, key))).toBe(masked(told(withOwn, key)));
      expect(withTheirs.headers.get('idempotent-replayed')).toBeNull();
      const again = await sender.send(request);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body).toEqual(theirs.body);
    },
  );
});

describe('an address of a file', () => {
  const tables = { statement: 'statements', reconciliation: 'reconciliation_reports' } as const;

  test.each(['statement', 'reconciliation'] as const)(
    'of a %s opens none of another Tenant, though it be signed',
    async (kind) => {
      const links = openDownloadLinks(server.service);
      const { rows } = await server.service.pool.query<{ id: string }>(
        `select id from ${tables[kind]} where tenant_id = $1 limit 1`,
        [other.tenant.tenantId],
      );
      const open = async (tenantId: string, record: string) => {
        const { url } = links.to({ kind, tenantId, record }, links.expiryMs(60));
        const path = new URL(url).pathname;
        return told(await sender.send({ method: 'GET', path, headers: {} }), path);
      };
      const record = rows[0]?.id ?? '';
      expect(await open(other.tenant.tenantId, record)).toMatch(/^200 /);
      const foreign = await open(own.tenant.tenantId, record);
      expect(foreign).toBe(await open(own.tenant.tenantId, randomUUID()));
      expect(foreign).toMatch(/^404 /);
    },
  );

  test('that was altered to name another Tenant opens nothing', async () => {
    const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
    for (const url of [other.statementUrl, other.reportUrl]) {
      const [before = '', token = ''] = new URL(url).pathname.split('dl_');
      const bytes = Buffer.from(token, 'base64url');
      bytesOf(own.tenant.tenantId).copy(bytes, 1);
      const path = `${before}dl_${bytes.toString('base64url')}`;
      expect((await sender.send({ method: 'GET', path, headers: {} })).status).toBe(404);
    }
  });
});

describe('a caller', () => {
  const askAs = async (bearer: string) =>
    told(
      await sender.send({
        method: 'GET',
        path: '/v1/customers?external_ref=unknown',
        headers: { authorization: `Bearer ${bearer}` },
      }),
      bearer,
    );

  test('is unknown by a secret that is no access token, or by halves of two tokens', async () => {
    const unknown = await askAs(`at_${'x'.repeat(60)}`);
    expect(unknown).toMatch(/^401 /);
    const { token: mine } = own.tenant;
    const { token: theirs } = other.tenant;
    const half = Math.floor(mine.length / 2);
    const session = await other.api.session('pin_reset', other.payer);
    const secrets = [
      other.linkToken,
      session.token,
      `rt_test_${other.endedSession}`,
      other.tenant.client_secret,
      other.tenant.webhook_secret,
      new URL(other.statementUrl).pathname.split('/').at(-1) ?? '',
      theirs.slice(0, half) + mine.slice(half),
      mine.slice(0, half) + theirs.slice(half),
    ];
    for (const secret of secrets) expect(await askAs(secret)).toBe(unknown);
  });

  test('is unknown by the name of one client and the secret of another', async () => {
    const tokenFor = async (client_id: string) => {
      const { client_secret } = own.tenant;
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id,
        client_secret,
      });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const request = { method: 'POST', path: '/oauth/token', headers, body: String(body) };
      return told(await sender.send(request), client_id);
    };
    const unknown = await tokenFor('cl_unknown');
    expect(unknown).toMatch(/^401 /);
    expect(await tokenFor(other.tenant.client_id)).toBe(unknown);
  });
});

test("what a bank or a provider reports of another Tenant's record is unknown", async () => {
  const { engine, log, pool } = server.service;
  const silent = Object.assign(Object.create(log), { error: () => {} });
  const inbound = openInbound({ engine, log: silent, asks: false });
  const { tenantId } = own.tenant;
  const before = await rowsOfOther();
  const { rows } = await pool.query<{ id: string }>(
    'select id from instructions where tenant_id = $1',
    [other.tenant.tenantId],
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const orderId of [...rows.map(({ id }) => id), randomUUID()])
    for (const said of [
      { outcome: 'settled', amount: 1_00 },
      { outcome: 'failed', reason: 'AC04' },
      { outcome: 'returned', amount: 1_00 },
    ] as const)
      expect(await inbound.bank(tenantId, { id: randomUUID(), orderId, ...said })).toBe('unknown');
  const linkId = uuid('linked_account', other.payer.linkedAccountId ?? '');
  const subjectId = uuid('customer', other.inReview);
  const id = randomUUID();
  expect(await inbound.aggregator(tenantId, { id, linkId, outcome: 'verified' })).toBe('unknown');
  expect(
    await inbound.identity(tenantId, {
      id: randomUUID(),
      subject: 'customer',
      subjectId,
      decision: 'approved',
    }),
  ).toBe('unknown');
  expect(await rowsOfOther()).toEqual(before);
});
