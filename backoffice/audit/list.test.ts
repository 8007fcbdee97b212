import { createHash } from 'node:crypto';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { openPages } from '@tenant-payments/engine/pages.ts';
import { appendAudit } from '@tenant-payments/engine/write/append_audit.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, openApi } from '../../test/kit/api.ts';
import { isRemote } from '../../test/kit/database/database_url.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { portalPerson } from '../../test/kit/people.ts';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { openAuditHeads } from './heads.ts';
import { listAudit } from './list.ts';
import { auditQuery } from './rows.ts';

const lines: string[] = [];
const server = await openServer({ own: true, manual: true, onLog: (line) => lines.push(line) });

let tenant: TestTenant;
let api: Api;
beforeEach(async () => {
  tenant = await server.anotherTenant();
  api = openApi(server.baseUrl, tenant.token);
});

const audit = async (query = ''): Promise<ReplyBody[]> =>
  (await api.get(`/portal/api/audit${query}`)).data;
const acts = async (query = '') => (await audit(query)).map(({ act }) => act);

test('the acts of a Tenant come newest first, page by page, and no other Tenant sees them', async () => {
  for (const days of [10, 20, 30, 40, 50]) await api.settings({ refund_window_days: days });
  const rows = await audit();
  expect(rows.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
  expect(rows[0]).toMatchObject({
    actor: { kind: 'client', id: tenant.client_id, person_id: null },
    act: 'putSettings',
    outcome: 'done',
    before: { refund_window_days: 40 },
    after: { refund_window_days: 50 },
    previous_hash: rows[1].hash,
  });
  const first = await api.get('/portal/api/audit?limit=3');
  const second = await api.get(`/portal/api/audit?limit=3&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toEqual(rows);
  expect(second.has_more).toBe(false);
  const other = openApi(server.baseUrl, (await server.anotherTenant()).token);
  expect((await other.get('/portal/api/audit')).data).toEqual([]);
  const { body } = await other.call('GET', `/portal/api/audit?cursor=${first.next_cursor}`);
  expect(body.error).toMatchObject({ code: 'parameter_invalid', param: 'cursor' });
});

test('each filter finds its acts alone', async () => {
  await api.settings({ refund_window_days: 10 });
  const { id } = await api.post('/portal/api/webhook-secrets');
  await api.post('/portal/api/review/reserve/reserve/fund', { amount: 5 });
  const [last, , first] = await audit();
  expect(await acts('?act=putSettings')).toEqual(['putSettings']);
  expect(await acts('?act=review')).toEqual(['review.reserve.fund']);
  expect(await acts('?act=rev')).toEqual([]);
  expect(await acts(`?record=${id.slice(0, 12)}`)).toEqual(['createWebhookSecret']);
  expect(await acts(`?record=${id.slice(0, 12)}%25`)).toEqual([]);
  expect(await acts(`?record=${id}`)).toEqual(['createWebhookSecret']);
  expect(await acts(`?actor=${tenant.client_id}`)).toHaveLength(3);
  expect(await acts('?actor=cl_0')).toEqual([]);
  expect(await acts(`?to=${first.at}`)).toEqual([]);
  expect(await acts(`?from=${last.at}`)).toContain('review.reserve.fund');
  for (const odd of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
    expect(await acts(`?from=${odd}&to=${odd}`)).toEqual([]);
  const { body } = await api.call('GET', '/portal/api/audit?from=2026-12-31T23:59:60Z');
  expect(body.error).toMatchObject({ code: 'parameter_invalid', param: 'from' });
});

test("the platform's chain is listed by its name, with the Tenants that were made", async () => {
  const admin = await portalPerson(server, 'platform', ['admin']);
  const asked = await admin.ask('GET', `/audit?scope=platform&limit=1&act=createTenant`);
  const [newest] = asked.body.data;
  expect(newest).toMatchObject({
    actor: { kind: 'process', id: 'service' },
    act: 'createTenant',
    record: tenant.tenantId,
  });
});

/** A caller with these roles, in no Tenant where it is empty. */
function contextOf(roles: readonly Role[], tenantId = tenant.tenantId): ReadContext {
  const { db, vault } = server.service;
  const actor = { kind: 'person', id: 'prs_1', personId: 'prs_1', roles } as const;
  return {
    tenantId,
    actor: { ...actor, address: null, requestId: null },
    db,
    now: async () => '',
    pages: openPages(vault, tenantId, '/portal/api/audit', {}),
  };
}

test.each<[string, readonly Role[], string | undefined, 'platform' | 'tenant', object | null]>([
  ['an owner reads that of the Tenant', ['owner'], undefined, 'tenant', null],
  ['an owner reads none of the platform', ['owner'], undefined, 'platform', { param: 'scope' }],
  ['an admin in no Tenant reads that of the platform', ['admin'], '', 'platform', null],
  [
    'an admin in no Tenant is asked to choose one',
    ['admin'],
    '',
    'tenant',
    { details: { reason: 'choose_tenant' } },
  ],
])('%s', async (_what, roles, tenantId, scope, refusal) => {
  await api.settings({ refund_window_days: 10 });
  const listed = listAudit(async () => {})(contextOf(roles, tenantId), { scope });
  if (refusal) await expect(listed).rejects.toMatchObject({ code: 'forbidden', ...refusal });
  else
    expect(((await listed) as { data: object[] }).data[0]).toMatchObject({
      act: scope === 'platform' ? 'createTenant' : 'putSettings',
    });
});

test('all chains are one list to an admin, page by page, and a program has its own alone', async () => {
  await api.settings({ refund_window_days: 10 });
  const other = openApi(server.baseUrl, (await server.anotherTenant()).token);
  await other.settings({ refund_window_days: 20 });
  const admin = await portalPerson(server, 'platform', ['admin']);
  const all = async (query: string) =>
    (await admin.ask('GET', `/audit?scope=all&${query}`)).body as ReplyBody;
  const whole = await all('limit=12');
  const first = await all('limit=5');
  const next = await all(`limit=7&cursor=${first.next_cursor}`);
  expect([...first.data, ...next.data]).toEqual(whole.data);
  const scopes = new Set(whole.data.map(({ tenant_name }: ReplyBody) => tenant_name));
  expect(scopes.size).toBeGreaterThan(1);
  const [row] = (await all(`record=${tenant.tenantId.slice(0, 30)}&act=createTenant`)).data;
  expect(row).toMatchObject({ record: tenant.tenantId, tenant_id: null });
  const own = await audit('?scope=all&limit=100');
  expect(new Set(own.map(({ tenant_id }) => tenant_id))).toEqual(new Set([tenant.tenantId]));
});

test("a program reads no chain but its Tenant's, by its token or by a key that it makes", async () => {
  await api.settings({ refund_window_days: 10 });
  const other = await server.anotherTenant();
  await openApi(server.baseUrl, other.token).settings({ refund_window_days: 20 });
  const stranger = await portalPerson(server, other.tenantId, ['owner']);
  await stranger.ask('POST', '/my-recovery-codes');
  const expires_at = new Date(server.service.clocks.realNow() + 3_600_000).toISOString();
  const asked = { name: 'Reports', roles: ['admin', 'owner'], expires_at };
  const { key } = await api.post('/portal/api/api-keys', asked);
  for (const token of [tenant.token, key]) {
    const program = openApi(server.baseUrl, token);
    const read = (query: string) => program.call('GET', `/portal/api/audit${query}`);
    const { data } = (await read('?scope=all&limit=100')).body;
    expect(new Set(data.map((row: ReplyBody) => row.tenant_id))).toEqual(
      new Set([tenant.tenantId]),
    );
    const file = await fetch(`${server.baseUrl}/portal/api/audit?scope=all&format=csv`, {
      headers: { authorization: `Bearer ${token}` },
    });
    // A key never steps up, so it gets no file.
    const [, ...lines] = file.ok ? (await file.text()).trim().split('\r\n') : [''];
    const told = token === key ? [] : [tenant.tenantId];
    expect([...new Set(lines.map((line) => line.split(',')[0]))]).toEqual(told);
    for (const query of ['?scope=platform', '/proof?scope=platform', '/people?scope=platform'])
      expect((await read(query)).body.error.details).toEqual({ reason: 'no_person' });
    for (const scope of ['tenant', 'all'])
      expect((await read(`/people?scope=${scope}&q=${stranger.email}`)).body.data).toEqual([]);
  }
});

test('all chains are one file with the Tenant of each row, which leaves a row of access with each Tenant', async () => {
  await api.settings({ refund_window_days: 10 });
  const other = await server.anotherTenant();
  await openApi(server.baseUrl, other.token).settings({ refund_window_days: 20 });
  const admin = await portalPerson(server, 'platform', ['admin']);
  const file = await admin.ask('GET', '/audit?scope=all&act=putSettings&format=csv');
  const [head = '', ...lines] = String(file.body).trim().split('\r\n');
  expect(head).toMatch(/^tenant_id,number,at,.*,body$/);
  const chains = lines.map((line) => line.split(',')[0]);
  expect(chains).toEqual(expect.arrayContaining([tenant.tenantId, other.tenantId]));
  const { rows } = await server.service.pool.query(
    'select distinct scope, kind, record, acted_as from control.access_records where person_id = $1',
    [admin.id],
  );
  const what = { kind: 'export', record: 'listAudit', acted_as: 'staff' };
  const told = [...new Set(chains)].map((scope) => ({ scope, ...what }));
  expect(rows).toEqual(expect.arrayContaining(told));
  expect(rows).toHaveLength(told.length);
});

test('a chain is turned around, page by page, and so are all of them', async () => {
  await api.settings({ refund_window_days: 10 });
  await api.settings({ refund_window_days: 20 });
  const oldest = (await audit()).toReversed();
  const first = await api.get('/portal/api/audit?order=oldest&limit=1');
  const more = await api.get(`/portal/api/audit?order=oldest&limit=9&cursor=${first.next_cursor}`);
  expect([...first.data, ...more.data]).toEqual(oldest);
  const all = await audit('?scope=all&limit=100');
  expect(await audit('?scope=all&limit=100&order=oldest')).toEqual(all.toReversed());
});

test('whoever has acted is named, and found by a part of the name or address', async () => {
  const owner = await portalPerson(server, tenant.tenantId, ['owner']);
  await owner.ask('POST', '/my-recovery-codes');
  const [row] = await audit(`?actor=${owner.id}`);
  expect(row.actor).toMatchObject({ person_id: owner.id, email: owner.email });
  const people = async (query: string, of = api) =>
    (await of.get(`/portal/api/audit/people?${query}`)).data.map(({ id }: ReplyBody) => id);
  expect(await people(`q=${owner.email.slice(0, 8).toUpperCase()}`)).toContain(owner.id);
  expect(await people('q=nobody%25')).toEqual([]);
  const other = openApi(server.baseUrl, (await server.anotherTenant()).token);
  for (const scope of ['tenant', 'all'])
    expect(await people(`scope=${scope}&q=${owner.email}`, other)).toEqual([]);
});

// A remote cell's plan ends at the foreign table.
test.skipIf(isRemote).each([
  ['everything', {}, 'audit_all_times'],
  ['an act', { act: 'putSettings' }, 'audit_all_acts'],
  ['a key', { actor: 'key_1' }, 'audit_all_actors'],
  ['a record', { record: 'whs_019c' }, 'audit_all_records'],
])('the list of all chains reads %s by an index', async (_what, filters, index) => {
  const { db } = server.service;
  const plan = await db.transaction().execute(async (tx) => {
    // Few rows are read as a whole otherwise.
    await sql`set local enable_seqscan = off`.execute(tx);
    const query = await auditQuery({ db: tx }, null, filters, null, 25);
    return (await sql<Record<string, string>>`explain ${query}`.execute(tx)).rows;
  });
  expect(JSON.stringify(plan)).toContain(index);
});

describe('as a file', () => {
  const file = async (query = '') => {
    const reply = await fetch(`${server.baseUrl}/portal/api/audit?format=csv${query}`, {
      headers: { authorization: `Bearer ${tenant.token}` },
    });
    return { headers: reply.headers, lines: (await reply.text()).split('\r\n') };
  };

  test('all rows come, from which every hash can be made again', async () => {
    await api.settings({ refund_window_days: 10 });
    await api.settings({ refund_window_days: 20 });
    const { headers, lines: rows } = await file();
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const [names = '', newest = '', oldest = '', ...rest] = rows;
    expect([names.split(',').at(-1), rest]).toEqual(['body', ['']]);
    for (const row of [newest, oldest]) {
      const [, previous = '', hash, quoted = ''] =
        /,([0-9a-f]{64}),([0-9a-f]{64}),"(.*)"$/.exec(row) ?? [];
      const body = quoted.replaceAll('""', '"');
      const made = createHash('sha256').update(Buffer.from(previous, 'hex')).update(body);
      expect(made.digest('hex')).toBe(hash);
    }
  });

  test('more rows than one read takes are all there, and filters hold', async () => {
    const { actor } = contextOf(['owner']);
    const entries = Array.from({ length: 2_100 }, (_, index) => ({
      scope: tenant.tenantId,
      actor,
      act: index % 2 ? 'odd' : '=even()',
      record: null,
      outcome: 'done',
    }));
    await appendAudit(server.service.db, entries);
    const { lines: rows } = await file();
    expect(rows).toHaveLength(2_102);
    expect(rows.at(-2)).toMatch(/^1,/);
    const even = await file(`&act=${encodeURIComponent('=even()')}`);
    expect(even.lines).toHaveLength(1_052);
    expect(even.lines[1]).toContain(",'=even(),");
  });

  test('a refusal is an error object, not a file', async () => {
    const { body, status } = await api.call('GET', '/portal/api/audit?format=csv&from=x');
    expect([status, body.error.param]).toEqual([400, 'from']);
  });
});

test('the heads of the chains are told, and again once they have grown', async () => {
  const heads = openAuditHeads(server.service);
  const told = async () => {
    lines.length = 0;
    await heads.tellNow();
    return lines.map((line) => JSON.parse(line).audit_head);
  };
  await api.settings({ refund_window_days: 10 });
  const [{ hash }] = await audit();
  expect(await told()).toContainEqual({ scope: tenant.tenantId, number: 1, hash });
  expect(await told()).toEqual([]);
  await api.settings({ refund_window_days: 20 });
  expect(await told()).toMatchObject([{ scope: tenant.tenantId, number: 2 }]);
});
