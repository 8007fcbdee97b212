import type { AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openBrowser, portalPerson } from '../../test/kit/people.ts';
import { openServer, startTestServer, type TestTenant } from '../../test/kit/server.ts';
import { openProvider } from '../../test/kit/sign_on/provider.ts';
import { openVisitor } from '../../test/kit/sign_on/visitor.ts';

/** The special rows of single acts. That each act has a row is tested in every_act.test.ts. */

const server = await openServer({ own: true, workers: false });
const { service } = server;

let tenant: TestTenant;
beforeEach(async () => {
  tenant = await server.anotherTenant();
});
const send = (method: string, path: string, body?: object) =>
  server.call(method, `/portal/api${path}`, { token: tenant.token, ...(body ? { body } : {}) });

const rowCount = async (): Promise<number> => {
  const { rows } = await service.pool.query<{ count: number }>(
    'select coalesce(sum(number), 0)::int as count from control.audit_heads',
  );
  return rows[0]?.count ?? 0;
};
const newest = async (scope: string): Promise<AuditRow> => {
  const { rows } = await service.pool.query<AuditRow>(
    'select * from control.audit where scope = $1 order by number desc limit 1',
    [scope],
  );
  if (!rows[0]) throw new Error(`no row of ${scope}`);
  return rows[0];
};
const rowsOf = async (scope: string, requestId: string | null): Promise<AuditRow[]> => {
  const { rows } = await service.pool.query<AuditRow>(
    'select * from control.audit where scope = $1 and request_id = $2',
    [scope, requestId],
  );
  return rows;
};

test('a refusal of the command itself is one row, and so is a record that does not exist', async () => {
  const before = await rowCount();
  await send('POST', '/review/customers/cus_0/approve');
  expect(await newest(tenant.tenantId)).toMatchObject({
    act: 'review.customers.approve',
    record: 'cus_0',
    outcome: 'not_found',
  });
  await send('DELETE', '/credentials/cred_0');
  expect(await newest(tenant.tenantId)).toMatchObject({
    act: 'retireCredential',
    record: 'cred_0',
    outcome: 'not_found',
  });
  expect(await rowCount()).toBe(before + 2);
});

test('a reply that is sent again under its key, a read and an unknown caller leave none', async () => {
  const api = server.apiOf(tenant);
  await api.post('/portal/api/review/reserve/reserve/fund', { amount: 5 }, 'again');
  const before = await rowCount();
  await api.post('/portal/api/review/reserve/reserve/fund', { amount: 5 }, 'again');
  await send('GET', '/settings');
  await send('GET', '/events/evt_0/attempts');
  await server.call('POST', '/portal/api/credentials', { token: null });
  await server.call('POST', '/portal/api/tenants', { token: 'ok_x', body: { name: 'Another' } });
  expect(await rowCount()).toBe(before);
});

test('a change shows the fields that differ, before and after, without secrets', async () => {
  await send('PUT', '/settings', { withdrawal_hold_hours: 48, refund_window_days: 180 });
  expect(JSON.parse((await newest(tenant.tenantId)).body)).toMatchObject({
    before: { withdrawal_hold_hours: 72 },
    after: { withdrawal_hold_hours: 48 },
  });
  await send('PUT', '/webhook-endpoint', { url: 'https://shop.example/hooks' });
  expect(JSON.parse((await newest(tenant.tenantId)).body)).toMatchObject({
    before: null,
    after: { url: 'https://shop.example/hooks', enabled: true },
  });
  await send('POST', '/webhook-secrets');
  const { after } = JSON.parse((await newest(tenant.tenantId)).body);
  const created_at = expect.any(String);
  expect(after).toEqual({ id: expect.stringMatching(/^whs_/), created_at, retired_at: null });
});

test('a sign-in, a link and a step-up at a provider are rows of its scope', async () => {
  const { tenantId: scope } = tenant;
  const owner = await portalPerson(server, scope, ['owner']);
  const provider = await openProvider();
  const { issuer, secret: client_secret } = provider;
  await owner.ask('PUT', '/single-sign-on', { issuer, client_id: 'ours', client_secret });
  provider.allow('ours', [`${service.config.publicUrl}/portal/sign-in/callback/${scope}`]);
  provider.accounts.set('ana', { email: owner.email, email_verified: true });
  provider.subject = 'ana';
  const visitor = openVisitor(server, owner);
  const through = async (way: 'begin' | 'link' | 'step-up', body: object = {}) =>
    visitor.comeBack(await visitor.visit(await visitor.begin(body, way)));
  await through('link');
  await through('begin', { scope });
  visitor.leaveProvider();
  await through('step-up');
  const { rows } = await service.pool.query<AuditRow>(
    `select * from control.audit where scope = $1 and act = 'finishSingleSignOn' order by number`,
    [scope],
  );
  expect(rows.map(({ person_id, body }) => [person_id, JSON.parse(body).after])).toEqual([
    [owner.id, { purpose: 'link' }],
    [owner.id, { opened_by: 'single_sign_on', identity_linked: false }],
    [owner.id, { purpose: 'step_up' }],
  ]);
});

test('what is refused to a person is a row with the code, of the own scope also where staff name a Tenant', async () => {
  const { tenantId } = tenant;
  const admin = await portalPerson(server, 'platform', ['admin']);
  const headers = { 'tenant-id': tenantId };
  const reply = await admin.ask('DELETE', '/my-sessions/none', undefined, { headers });
  expect(reply.status).toBe(404);
  const requestId = reply.headers.get('service-request-id');
  expect(await rowsOf('platform', requestId)).toMatchObject([
    { actor_id: admin.id, act: 'endMySession', record: 'none', outcome: 'not_found' },
  ]);
  expect(await rowsOf(tenantId, requestId)).toEqual([]);
});

test('an API key is told of in the chain of where it acts, whatever Tenant staff name', async () => {
  const { tenantId } = tenant;
  const headers = { 'tenant-id': tenantId };
  const admin = await portalPerson(server, 'platform', ['admin']);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const body = { name: 'Nightly', roles: ['admin'], expires_at };
  const made = await admin.ask('POST', '/api-keys', body, { headers });
  const { key: token, id, scope } = made.body;
  expect(scope).toBe('platform');
  const byKey = { token, headers };
  const refused = await server.call('POST', '/portal/api/api-keys', { ...byKey, body });
  const ended = await server.call('DELETE', '/portal/api/api-keys/current', byKey);
  for (const [{ headers: of }, row] of [
    [made, { act: 'createApiKey', record: id, outcome: 'done' }],
    [refused, { act: 'createApiKey', outcome: 'step_up_required' }],
    [ended, { act: 'revokeThisApiKey', record: id, outcome: 'done' }],
  ] as const) {
    const requestId = of.get('service-request-id');
    expect(await rowsOf('platform', requestId)).toMatchObject([row]);
    expect(await rowsOf(tenantId, requestId)).toEqual([]);
  }
  const own = (await send('POST', '/api-keys', { ...body, roles: ['owner'] })).body;
  const revoked = await admin.ask('DELETE', `/api-keys/${own.id}`, undefined, { headers });
  expect(await rowsOf(tenantId, revoked.headers.get('service-request-id'))).toMatchObject([
    { act: 'revokeApiKey', record: own.id, outcome: 'done' },
  ]);
});

test('an act whose row cannot be written does not happen', async () => {
  const alone = await startTestServer({ workers: false, alone: true });
  onTestFinished(() => alone.stop());
  const owner = await portalPerson(alone, alone.tenant.tenantId, ['owner']);
  const right = 'execute on function control.append_audit';
  await alone.owner.query(`revoke ${right} from tenant_payments_service`);
  const refused = await owner.ask('POST', '/my-recovery-codes');
  await alone.owner.query(`grant ${right} to tenant_payments_service`);
  expect(refused.status).toBe(500);
  const [code] = owner.recoveryCodes;
  const used = await openBrowser(alone).ask('POST', '/sign-in/recovery', {
    email: owner.email,
    recovery_code: code,
  });
  expect(used.status).toBe(200);
});
