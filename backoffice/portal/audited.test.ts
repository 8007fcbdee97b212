import type { AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import { suspendTenant } from '@tenant-payments/service/tenants/suspension.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Reply } from '../../test/kit/http/http.ts';
import { portalPerson } from '../../test/kit/people.ts';
import { twoQrKeys } from '../../test/kit/qr_keys.ts';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { staffActor } from '../../test/kit/staff.ts';
import { createApproval } from '../approvals/create.ts';
import { platformApprovals } from '../approvals/platform/requests.ts';
import { type PortalEndpointId, portalEndpoints } from '../contract/catalog.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { openCaseCheck } from '../desk/taken.ts';
import { openReviewMoves } from '../review/moves.ts';

/** Every operation of the portal that writes leaves one row in the audit, whatever its outcome. */

const lines: string[] = [];
const server = await openServer({
  manual: true,
  config: { qrSigningKeys: twoQrKeys() },
  onLog: (line) => lines.push(line),
});
/** Who does what no program may. */
const admin = await portalPerson(server, 'platform', ['admin']);
const { operatorKey } = server;

type Catalog = typeof portalEndpoints;
/** Sign-in, and who is let in: see backoffice/people/audited.test.ts. */
type OnPeople =
  | keyof typeof import('../contract/people/session.ts')
  | keyof typeof import('../contract/people/my.ts')
  | keyof typeof import('../contract/people/members.ts')
  | keyof typeof import('../contract/people/invitations.ts')
  | keyof typeof import('../contract/people/support.ts')
  | keyof typeof import('../contract/people/single_sign_on.ts')
  | keyof typeof import('../contract/people/device.ts');
/** A preview changes nothing, and neither does asking for the options of a passkey. */
type Own = Exclude<PortalEndpointId, OnPeople | 'previewMove' | `begin${string}`>;
type WriteId = { [Id in Own]: Catalog[Id]['method'] extends 'GET' ? never : Id }[Own];

let tenant: TestTenant;
/** A request that somebody else has made. */
let asked: string;
let askedOfPlatform: string;
const suspending = () => ({ resource: 'tenants', id: tenant.tenantId, move: 'suspend' });
const funding = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 5 } as const;
/** A gray pixel. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==';
const send = (method: string, path: string, body?: object) =>
  server.call(method, `/portal/api${path}`, { token: tenant.token, ...(body ? { body } : {}) });

/** What a person of staff does to a new case. */
async function onCase(...acts: readonly string[]): Promise<Reply> {
  const api = server.apiOf(tenant);
  const made = await api.played(
    api.customer('individual'),
    'customer.pending',
    'customer.in_review',
  );
  const headers = { 'tenant-id': tenant.tenantId };
  const replies: Reply[] = [];
  for (const act of acts)
    replies.push(await admin.ask('POST', `/cases/customers/${made.id}/${act}`, {}, { headers }));
  const last = replies.at(-1);
  if (!last) throw new Error('nothing is done to the case');
  caseId = made.id;
  return last;
}
let caseId: string;
const byAdmin = () => ({ actor_kind: 'person', actor_id: admin.id });

let apiKey: { readonly id: string; readonly key: string };
const makeKey = () => {
  const expires_at = new Date(server.service.clocks.realNow() + 3_600_000).toISOString();
  return send('POST', '/api-keys', { name: 'Reports', roles: ['reader'], expires_at });
};

/** By itself, so that it writes no row of the audit. */
const setEndpoint = () =>
  server.service.pool.query(
    `with t as (update tenants set delivers = true, revision = revision + 1 where tenant_id = $1)
    insert into webhook_endpoints (tenant_id, url, enabled, updated_at)
    values ($1, 'http://127.0.0.1:9/hooks', true, now())`,
    [tenant.tenantId],
  );

/** One call of each that succeeds, and the record that its row names; the compiler asks for each. */
const writes: Readonly<
  Record<
    WriteId,
    {
      readonly call: () => Promise<Reply>;
      readonly record: (reply: Reply) => unknown;
      /** Absent: the client, or the operator. */
      readonly actor?: (reply: Reply) => object;
      /** How many rows, the act that was approved among them; absent: one. */
      readonly rows?: number;
    }
  >
> = {
  putWebhookEndpoint: {
    call: () => send('PUT', '/webhook-endpoint', { url: 'https://shop.example/hooks' }),
    record: () => null,
  },
  createWebhookSecret: {
    call: () => send('POST', '/webhook-secrets'),
    record: ({ body }) => body.id,
  },
  retireWebhookSecret: {
    call: async () => {
      const { body } = await send('GET', '/webhook-secrets');
      return send('DELETE', `/webhook-secrets/${body.data[0].id}`);
    },
    record: ({ body }) => body.id,
  },
  uploadBankStatement: {
    call: () =>
      send('POST', '/bank-statements', {
        tenant_id: tenant.tenantId,
        day: '2026-03-02',
        file_name: 'bank.csv',
        csv: 'date,amount,reference\n2026-03-02,1.00,x',
      }),
    record: ({ body }) => body.id,
  },
  createCredential: { call: () => send('POST', '/credentials'), record: ({ body }) => body.id },
  retireCredential: {
    call: async () => {
      const { body } = await send('GET', '/credentials');
      return send('DELETE', `/credentials/${body.data[0].id}`);
    },
    record: ({ body }) => body.id,
  },
  revokeTokens: { call: () => send('POST', '/credentials/revoke-tokens'), record: () => null },
  createApiKey: { call: makeKey, record: ({ body }) => body.id },
  revokeApiKey: {
    call: () => send('DELETE', `/api-keys/${apiKey.id}`),
    record: ({ body }) => body.id,
  },
  revokeThisApiKey: {
    call: () => server.call('DELETE', '/portal/api/api-keys/current', { token: apiKey.key }),
    record: ({ body }) => body.id,
    actor: ({ body }) => ({ actor_kind: 'api_key', actor_id: body.id }),
  },
  advanceClock: {
    call: () => send('POST', '/clock/advance', { seconds: 1 }),
    record: () => null,
  },
  putChaos: { call: () => send('PUT', '/chaos', { duplicate: 0.5 }), record: () => null },
  recoverEvents: {
    call: () => send('POST', '/events/recover', { since: '2026-01-01T00:00:00Z', dry_run: true }),
    record: () => null,
  },
  resendEvent: {
    call: async () => {
      const { body } = await send('POST', '/sample-events', { type: 'payment.completed' });
      await setEndpoint();
      return send('POST', `/events/${body.id}/resend`);
    },
    record: ({ body }) => body.id,
    rows: 2,
  },
  testWebhookEndpoint: {
    call: async () => {
      await setEndpoint();
      return send('POST', '/webhook-endpoint/test');
    },
    record: () => null,
  },
  createSandboxTenant: {
    call: () => send('POST', '/sandbox/tenants', { name: 'Another', sample: false }),
    record: ({ body }) => body.id,
    // The Tenant itself is in the platform's chain.
    rows: 2,
  },
  resetSandbox: {
    call: () => send('POST', '/sandbox/reset', { name: 'Test Tenant' }),
    record: ({ body }) => body.id,
    // In the platform's chain, and in that of either Tenant.
    rows: 3,
  },
  createSampleEvent: {
    call: () => send('POST', '/sample-events', { type: 'payment.completed' }),
    record: () => null,
  },
  simulateMove: {
    call: async () => {
      const api = server.apiOf(tenant);
      const { onboarding_session } = await api.customer('individual');
      return send('POST', '/simulate/session.completed', { object_id: onboarding_session.id });
    },
    record: ({ body }) => body.object_id,
  },
  reviewRecord: {
    call: () => send('POST', '/review/reserve/reserve/fund', { amount: 5, note: 'from Ana' }),
    record: () => 'reserve',
  },
  acknowledgeAlarm: {
    call: async () => {
      const { alarmLog, pool } = server.service;
      alarmLog.record('ledger', { tenant_id: tenant.tenantId }, 'the ledger violates invariants');
      await alarmLog.flush();
      const { rows } = await pool.query('select id from control.alarms where scope = $1', [
        tenant.tenantId,
      ]);
      return send('POST', `/alarms/${rows[0]?.id}/acknowledge`, { note: 'proven again' });
    },
    record: ({ body }) => body.id,
  },
  takeCase: { call: () => onCase('take'), record: () => caseId, actor: byAdmin },
  releaseCase: {
    call: () => onCase('take', 'release'),
    record: () => caseId,
    actor: byAdmin,
    rows: 2,
  },
  addCaseNote: {
    call: async () => {
      await onCase('take');
      return send('POST', `/cases/customers/${caseId}/notes`, { text: 'from Ana' });
    },
    record: () => caseId,
    rows: 2,
  },
  createApproval: {
    call: () => send('POST', '/approvals', { ...funding, note: 'from Ana' }),
    record: ({ body }) => body.id,
  },
  approveApproval: {
    call: () => send('POST', `/approvals/${asked}/approve`),
    record: ({ body }) => body.id,
  },
  refuseApproval: {
    call: () => send('POST', `/approvals/${asked}/refuse`),
    record: ({ body }) => body.id,
  },
  putSettings: {
    call: () => send('PUT', '/settings', { withdrawal_hold_hours: 24 }),
    record: () => null,
  },
  uploadLogo: {
    call: () => send('POST', '/logos', { png: onePixel }),
    record: () => null,
  },
  createPlatformApproval: {
    call: () => send('POST', '/platform-approvals', { ...suspending(), note: 'from Ana' }),
    record: ({ body }) => body.id,
  },
  approvePlatformApproval: {
    call: () => send('POST', `/platform-approvals/${askedOfPlatform}/approve`),
    record: ({ body }) => body.id,
    rows: 2,
  },
  refusePlatformApproval: {
    call: () => send('POST', `/platform-approvals/${askedOfPlatform}/refuse`),
    record: ({ body }) => body.id,
  },
  revokeQrKey: {
    call: () => admin.ask('POST', '/qr-keys/older/revoke'),
    record: () => 'older',
    actor: byAdmin,
  },
  suspendTenant: {
    call: () => send('POST', `/tenants/${tenant.tenantId}/suspend`, { reason: 'from Ana' }),
    record: ({ body }) => body.id,
  },
  resumeTenant: {
    call: async () => {
      const { engine, clocks } = server.service;
      const { tenantId } = tenant;
      await engine.submit(suspendTenant({ clocks }), { tenantId, input: { reason: 'x' } });
      // What is known of its token holds for a second.
      return send('POST', `/tenants/${tenant.tenantId}/resume`);
    },
    record: ({ body }) => body.id,
  },
  createTenant: {
    call: () =>
      server.call('POST', '/portal/api/tenants', { token: operatorKey, body: { name: 'Another' } }),
    record: () => expect.stringMatching(/^[0-9a-f-]{36}$/),
  },
};

const isWrite = (id: string): id is WriteId => id in writes;
const ids = Object.keys(portalEndpoints).filter(isWrite);

const count = 'select coalesce(sum(number), 0)::int as count from control.audit_heads';
const rowCount = async (): Promise<number> =>
  (await server.service.pool.query<{ count: number }>(count)).rows[0]?.count ?? 0;
const newest = async (scope: string): Promise<AuditRow> => {
  const { rows } = await server.service.pool.query<AuditRow>(
    'select * from control.audit where scope = $1 order by number desc limit 1',
    [scope],
  );
  if (!rows[0]) throw new Error(`no row of ${scope}`);
  return rows[0];
};

const ofPlatform = ({ of }: PortalEndpoint) => of === 'platform';
const ofOperator = ({ key }: PortalEndpoint) => key === 'operator';
const scopeOf = (id: WriteId) => (ofPlatform(portalEndpoints[id]) ? 'platform' : tenant.tenantId);
const actorOf = (id: WriteId) =>
  ofOperator(portalEndpoints[id])
    ? { actor_kind: 'operator_key', actor_id: 'operator' }
    : { actor_kind: 'client', actor_id: tenant.client_id };

beforeEach(async () => {
  tenant = await server.anotherTenant();
  // A second of each secret, so that one can be retired.
  await send('POST', '/webhook-secrets');
  await send('POST', '/credentials');
  const { body } = await send('GET', '/credentials');
  await send('DELETE', `/credentials/${body.data[1].id}`);
  apiKey = (await makeKey()).body;
  const { service } = server;
  const { tenantId } = tenant;
  const input = { ...funding, note: 'asked' };
  const create = createApproval(service, openReviewMoves(service), openCaseCheck(service));
  const somebody = await staffActor(server, 'admin');
  const act = { act: 'createApproval', record: null, scope: tenantId };
  const made = await service.engine.submit(create, { tenantId, actor: somebody, act, input });
  asked = JSON.parse(made.body).id;
  const caller = { actor: somebody, tenantId: '', db: service.db };
  const request = { ...suspending(), note: 'asked' };
  askedOfPlatform = (
    await platformApprovals(service, server.rails.messages).create(caller, request)
  ).id;
  lines.length = 0;
});

test.each(ids)('%s writes one row with who, what and when, and one line of the log', async (id) => {
  // The makers of secrets take at most two and three.
  if (id === 'retireCredential') await send('POST', '/credentials');
  const before = await rowCount();
  lines.length = 0;
  const { call, record, rows = 1 } = writes[id];
  const reply = await call();
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  expect(await rowCount()).toBe(before + rows);
  const row = await newest(scopeOf(id));
  expect(row).toMatchObject({
    ...(writes[id].actor?.(reply) ?? actorOf(id)),
    act: id === 'reviewRecord' ? 'review.reserve.fund' : id,
    record: record(reply),
    address: '127.0.0.1',
    request_id: reply.headers.get('service-request-id'),
    outcome: 'done',
  });
  expect(row.body).not.toMatch(/whsec_|cs_|tok_|tpk_|from Ana/);
  const told = lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit);
  const { scope, number, act, hash } = row;
  expect(told).toHaveLength(rows);
  expect(told).toContainEqual(
    expect.objectContaining({ audit: expect.objectContaining({ scope, number, act, hash }) }),
  );
});

test.each(ids)('%s writes one row when it is refused, with the code', async (id) => {
  const { method, path } = portalEndpoints[id];
  const token = ofOperator(portalEndpoints[id]) ? operatorKey : tenant.token;
  const before = await rowCount();
  const url = path.replaceAll(/:\w+/g, 'cs_canary@example.com');
  const reply = await server.call(method, url, { token, body: { unknown_field: 'canary' } });
  expect(reply.body.error.code).toMatch(/^parameter_/);
  expect(await rowCount()).toBe(before + 1);
  const row = await newest(scopeOf(id));
  expect(row).toMatchObject({
    ...actorOf(id),
    act: id === 'reviewRecord' ? 'review' : id,
    record: null,
    request_id: reply.headers.get('service-request-id'),
    outcome: reply.body.error.code,
  });
  expect(row.body).not.toContain('canary');
});

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
