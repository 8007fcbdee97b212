import { resumeTenant } from '@tenant-payments/service/tenants/suspension.ts';
import { expect, test } from 'vitest';
import { openApprovals, shortOf } from '../../../test/kit/approvals.ts';
import type { Reply, ReplyBody } from '../../../test/kit/http/http.ts';
import type { PortalPerson } from '../../../test/kit/people.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';
import { platformApprovals } from './requests.ts';

/** Acts on the platform that two admins do (rules/approvals#13). */

const { server, admins, pass } = await openApprovals();
const [maria, otto, ada] = admins;
const off = await openServer({ beside: server, workers: false });
const requests = '/platform-approvals';

const suspending = ({ tenantId: id }: TestTenant, note = 'a fraud') => ({
  resource: 'tenants',
  id,
  move: 'suspend',
  note,
});
const ask = async (tenant: TestTenant): Promise<ReplyBody> => {
  const { status, body } = await maria.ask('POST', requests, suspending(tenant));
  expect(status).toBe(201);
  return body;
};
const decide = (by: PortalPerson, { id }: ReplyBody, how = 'approve', body?: object) =>
  by.ask('POST', `${requests}/${id}/${how}`, body);
const listed = async ({ id }: ReplyBody, by: PortalPerson = otto) =>
  (await by.ask('GET', `${requests}?limit=100`)).body.data.find((one: ReplyBody) => one.id === id);
const takes = async ({ token }: TestTenant) =>
  (await server.call('GET', '/v1/payments/pay_x', { token })).status !== 401;
const byProgram = (tenant: TestTenant, method: string, path: string, body?: object) =>
  server.call(method, `/portal/api${path}`, { token: tenant.token, ...(body ? { body } : {}) });

test('what two admins suspend loses its tokens, and the audit of the platform names both and the act', async () => {
  const tenant = await server.anotherTenant();
  const made = await ask(tenant);
  const effect = { object: 'tenant', id: tenant.tenantId, field: 'suspended' };
  expect(made).toMatchObject({ effect: { changes: [{ ...effect, before: false, after: true }] } });
  expect(await listed(made)).toMatchObject({ status: 'waiting', changed: false, obstacle: null });
  expect(await takes(tenant)).toBe(true);
  const done = await decide(otto, made, 'approve', { note: 'seen' });
  expect(done.body).toMatchObject({ status: 'approved', decision_note: 'seen' });
  await until(async () => !(await takes(tenant)), { what: 'the end of a token' });
  const { rows } = await server.service.pool.query(
    `select act, actor_id, body::jsonb -> 'after' as after from control.audit
     where scope = 'platform' and record in ($1, $2) and act <> 'createTenant' order by number`,
    [made.id, tenant.tenantId],
  );
  expect(rows).toMatchObject([
    { act: 'createPlatformApproval', actor_id: maria.id },
    { act: 'suspendTenant', actor_id: otto.id, after: { tokens_ended: 1 } },
    { act: 'approvePlatformApproval', actor_id: otto.id, after: { act: 'suspendTenant' } },
  ]);
  expect(JSON.stringify(rows)).not.toContain('fraud');
});

test('one admin resumes a Tenant', async () => {
  const tenant = await server.anotherTenant();
  await decide(otto, await ask(tenant));
  const resume = () => maria.ask('POST', `/tenants/${tenant.tenantId}/resume`);
  expect((await resume()).body).toEqual({
    id: tenant.tenantId,
    object: 'tenant',
    suspended_at: null,
  });
  expect(shortOf(await resume())).toEqual([409, 'not_suspended']);
});

test('of an approval and a refusal at once one holds, and the Tenant follows it', async () => {
  for (const order of [0, 1, 2]) {
    const tenant = await server.anotherTenant();
    const made = await ask(tenant);
    const both = [() => decide(otto, made), () => decide(ada, made, 'refuse')];
    const started = (order % 2 ? both.reverse() : both).map((start) => start());
    const replies = await Promise.all(started);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [row] = (
      await server.owner.query('select suspended_at from tenants where tenant_id = $1', [
        tenant.tenantId,
      ])
    ).rows;
    expect(row.suspended_at !== null).toBe((await listed(made)).status === 'approved');
  }
});

test('its maker may take a request back and not approve it', async () => {
  const made = await ask(await server.anotherTenant());
  expect(shortOf(await decide(maria, made))).toEqual([403, 'own_request']);
  expect(shortOf(await decide(maria, made, 'refuse'))).toEqual([200, 'refused']);
  expect(shortOf(await decide(otto, made))).toEqual([409, 'invalid_state']);
});

test('an API key of the maker approves nothing, and no API key can step up to try', async () => {
  const tenant = await server.anotherTenant();
  const made = await ask(tenant);
  const { db } = server.service;
  const actor = { kind: 'api_key', id: 'key_1', personId: maria.id, roles: ['admin'] } as const;
  const caller = { actor: { ...actor, address: null, requestId: null }, tenantId: '', db };
  const approved = platformApprovals(server.service, server.rails.messages).approve(caller, {
    id: made.id,
  });
  expect(await refusalOf(approved)).toMatchObject({ details: { reason: 'own_request' } });
  const expires_at = new Date(server.service.clocks.realNow() + 3_600_000).toISOString();
  const body = { name: 'Reports', roles: ['admin'], expires_at };
  const { key } = (await otto.ask('POST', '/api-keys', body)).body;
  const path = `/portal/api${requests}/${made.id}/approve`;
  const reply = await server.call('POST', path, { token: key });
  expect(shortOf(reply)).toEqual([403, 'step_up_required']);
  expect(await listed(made)).toMatchObject({ status: 'waiting' });
});

test('what was done since stands in the way of a request, which then still waits', async () => {
  const tenant = await server.anotherTenant();
  const [first, second] = [await ask(tenant), await ask(tenant)];
  expect((await decide(otto, first)).status).toBe(200);
  expect(await listed(second)).toMatchObject({
    status: 'waiting',
    changed: true,
    effect: null,
    obstacle: { code: 'invalid_state', reason: 'already_suspended' },
  });
  expect(shortOf(await decide(ada, second))).toEqual([409, 'already_suspended']);
  const again = await maria.ask('POST', requests, suspending(tenant));
  expect(shortOf(again)).toEqual([409, 'already_suspended']);
  const { tenantId } = tenant;
  await server.service.engine.submit(resumeTenant, { tenantId, input: {} });
  expect(shortOf(await decide(ada, second))).toEqual([200, 'approved']);
});

test.each([
  ['an unknown Tenant', { resource: 'tenants', id: 'unknown', move: 'suspend' }, 'id'],
  ['an unknown act', { resource: 'tenants', id: 'unknown', move: 'resume' }, 'move'],
  ['an act of a Tenant', { resource: 'reserve', id: 'reserve', move: 'fund' }, 'resource'],
])('%s is not found', async (_, asked, param) => {
  const { status, body } = await maria.ask('POST', requests, { ...asked, note: 'x' });
  expect([status, body.error.param]).toEqual([404, param]);
});

test("a Tenant's program asks and decides about its own Tenant alone, and is one person with its keys", async () => {
  const own = await server.anotherTenant();
  const other = await server.anotherTenant();
  const theirs = await ask(other);
  const refusals: Reply[] = [
    await byProgram(own, 'POST', requests, suspending(other)),
    await byProgram(own, 'POST', `${requests}/${theirs.id}/approve`),
    await byProgram(own, 'POST', `${requests}/${theirs.id}/refuse`),
    await byProgram(own, 'POST', `/tenants/${other.tenantId}/suspend`, { reason: 'x' }),
    await byProgram(own, 'POST', `/tenants/${other.tenantId}/resume`),
  ];
  for (const reply of refusals) expect(shortOf(reply)).toEqual([404, 'not_found']);
  const made = (await byProgram(own, 'POST', requests, suspending(own))).body;
  const seen = (await byProgram(own, 'GET', requests)).body.data;
  expect(seen.map(({ id }: ReplyBody) => id)).toEqual([made.id]);
  const approved = await byProgram(own, 'POST', `${requests}/${made.id}/approve`);
  expect(shortOf(approved)).toEqual([403, 'own_request']);
  expect(shortOf(await decide(otto, made))).toEqual([200, 'approved']);
});

test('a sandbox without the rule lets one admin suspend a Tenant at once', async () => {
  const tenant = await off.anotherTenant();
  const suspend = (body: object) =>
    off.call('POST', `/portal/api/tenants/${tenant.tenantId}/suspend`, {
      token: tenant.token,
      body,
    });
  expect((await suspend({})).body.error).toMatchObject({ param: 'reason' });
  const { status, body } = await suspend({ reason: 'a test' });
  expect([status, body.suspended_at]).toEqual([200, expect.any(String)]);
});

test('a request lapses after seven days', async () => {
  const made = await ask(await server.anotherTenant());
  pass(7 * 86_400_000);
  await otto.signIn();
  expect(await listed(made)).toMatchObject({ status: 'lapsed' });
  for (const how of ['approve', 'refuse'])
    expect(shortOf(await decide(otto, made, how))).toEqual([409, 'lapsed']);
});
