import { beforeEach, expect, test } from 'vitest';
import { openEngine } from '../../../test/kit/engine.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openFlow, signOfLife, takeResult } from './open_flow.ts';

let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
await engine.change({ confirmation_grace_seconds: 0 });
beforeEach(async () => {
  ana = await api.banked('individual');
});

const minute = 60;
const newLoad = (): Promise<ReplyBody> => api.load(ana, 500);
const sessionOf = (record: ReplyBody): ReplyBody => record.confirmation_session;
const open = ({ token }: ReplyBody) => engine.run(openFlow, { token });
/** Runs the late job. */
async function sweep({ id }: ReplyBody): Promise<void> {
  const { jobs } = server.workers;
  await server.service.pool.query(
    `update jobs set wake_at = wake_at - interval '1 day'
     where tenant_id = $1 and name = 'session_end' and ref = $2`,
    [server.tenant.tenantId, uuid('session', id)],
  );
  jobs.forget();
  await jobs.runDueJobs(server.tenant.tenantId);
}
const secondsLeft = async ({ id }: ReplyBody): Promise<number> => {
  const { rows } = await server.service.pool.query<{ seconds: number }>(
    `select extract(epoch from d.due_at - s.opened_at)::integer as seconds from sessions s
     join jobs d on d.name = 'session_end' and d.ref = s.id and d.due_at = s.ends_at where s.id = $1`,
    [uuid('session', id)],
  );
  return rows[0]?.seconds ?? Number.NaN;
};
async function statusOf({ id }: ReplyBody): Promise<string> {
  const { rows } = await server.service.pool.query<{ status: string }>(
    'select status from sessions where id = $1',
    [uuid('session', id)],
  );
  return rows[0]?.status ?? 'none';
}
const loadStatus = async ({ id }: ReplyBody) => (await api.get(`/v1/loads/${id}`)).status;
const refused = (reason: string) => ({
  code: 'session_invalid',
  param: 'token',
  details: { reason },
});

test('a token opens its session once, and nothing visible changes', async () => {
  const session = sessionOf(await newLoad());
  const opened = await open(session);
  expect(opened.session).toMatchObject({ id: session.id, status: 'created', token: null });
  expect(opened.session.expires_at).toBe(session.expires_at);
  expect(await engine.events(uuid('session', session.id))).toEqual([]);
  expect(await engine.refusal(openFlow, { token: session.token })).toEqual(refused('used'));
  const { rows } = await server.service.pool.query<{ row: string }>(
    'select to_json(s)::text as row from sessions s where id = $1',
    [uuid('session', session.id)],
  );
  expect(rows[0]?.row).not.toContain(opened.bearer);
  expect(rows[0]?.row).not.toContain(session.token);
});

test('of twenty pages that open one token at once, exactly one succeeds', async () => {
  const { token } = sessionOf(await newLoad());
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => engine.run(openFlow, { token })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a token that is unknown, of another Tenant, expired or superseded opens nothing', async () => {
  const refusal = (token: string) => engine.refusal(openFlow, { token });
  expect(await refusal('st_unknown')).toEqual(refused('unknown'));
  const load = await newLoad();
  const session = sessionOf(load);
  const other = await server.anotherTenant();
  const elsewhere = openEngine(server.service, other.tenantId);
  expect(await elsewhere.refusal(openFlow, { token: session.token })).toEqual(refused('unknown'));
  const flow = { flow: 'payment_confirm', customer_id: ana.customerId };
  const newer = await api.post('/v1/sessions', { ...flow, target: { type: 'load', id: load.id } });
  expect(await refusal(session.token)).toEqual(refused('ended'));
  await engine.moveClock(15 * minute);
  expect(await refusal(newer.token)).toEqual(refused('expired'));
});

test('a replayed creation reply has no token once the session was opened', async () => {
  const body = { customer_id: ana.customerId, amount: 500 };
  const create = () => server.call('POST', '/v1/loads', { body, key: 'opened-replay' });
  const first = (await create()).body;
  expect((await create()).body.confirmation_session.token).toBe(sessionOf(first).token);
  await open(sessionOf(first));
  expect((await create()).body.confirmation_session).toBeNull();
});

test('an opened confirmation ends ten minutes after the last sign of life', async () => {
  const load = await newLoad();
  const session = sessionOf(load);
  const { bearer } = await open(session);
  expect(await secondsLeft(session)).toBe(10 * minute);
  await engine.moveClock(9 * minute);
  const sign = await engine.run(signOfLife, { bearer });
  expect(sign.session).toMatchObject({ id: session.id, status: 'created' });
  expect(await secondsLeft(session)).toBe(19 * minute);
  // Its first end and expires_at are past; the sign of life extended it.
  await api.advance(9 * minute);
  expect(await statusOf(session)).toBe('created');
  await engine.moveClock(minute);
  expect(await engine.refusal(signOfLife, { bearer })).toEqual(refused('ended'));
  await sweep(session);
  expect(await statusOf(session)).toBe('expired');
  expect(await loadStatus(load)).toBe('failed');
});

test.each([
  ['payment_confirm', 10, 30],
  ['pin_reset', 10, 30],
  ['contact_change', 10, 30],
  ['terms_acceptance', 10, 30],
  ['onboarding', 30, 240],
])('an opened %s lives %i minutes without a sign and %i at most', async (flow, idle, longest) => {
  const session =
    flow === 'payment_confirm'
      ? sessionOf(await newLoad())
      : flow === 'onboarding'
        ? (await api.customer('individual')).onboarding_session
        : await api.session(flow, ana);
  const { bearer } = await open(session);
  expect(await secondsLeft(session)).toBe(idle * minute);
  const step = idle - 1;
  for (let at = step; at < longest; at += step) {
    await engine.moveClock(step * minute);
    await engine.run(signOfLife, { bearer });
    const left = await secondsLeft(session);
    expect(left).toBeLessThanOrEqual(longest * minute);
    if (at + idle >= longest) expect(left).toBe(longest * minute);
  }
});

test('a session cannot be finished after its end, even if its job is late', async () => {
  const load = await newLoad();
  const session = sessionOf(load);
  await open(session);
  await engine.moveClock(10 * minute);
  for (const event of ['session.completed', 'session.canceled'])
    expect(await refusalOf(api.simulate(event, session.id))).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'created', reason: 'expired' },
    });
  await sweep(session);
  expect(await loadStatus(load)).toBe('failed');
});

const exchange = (result_token: string): Promise<ReplyBody> =>
  api.post('/v1/sessions/exchange', { result_token });
const invalidResult = (reason: string) => ({
  code: 'result_token_invalid',
  details: { reason },
});

test('a finished flow gives a result token, which is exchanged once within ten minutes', async () => {
  const load = await newLoad();
  const session = sessionOf(load);
  const { bearer } = await open(session);
  expect(await engine.refusal(takeResult, { bearer })).toMatchObject({ code: 'invalid_state' });
  await api.confirmed(load);
  const lost = await engine.run(takeResult, { bearer });
  const { result_token } = await engine.run(takeResult, { bearer });
  expect(await refusalOf(exchange(lost.result_token))).toMatchObject(invalidResult('unknown'));
  expect(await exchange(result_token)).toMatchObject({
    session_id: session.id,
    status: 'completed',
    target: { type: 'load', id: load.id },
    target_status: 'processing',
  });
  expect(await refusalOf(exchange(result_token))).toMatchObject(invalidResult('used'));
  expect(await refusalOf(exchange(`rt_test_${session.id}`))).toMatchObject(invalidResult('used'));
  expect(await engine.refusal(takeResult, { bearer })).toMatchObject({ code: 'invalid_state' });
});

test('a result token is refused ten minutes after the end of its flow, and for other Tenants', async () => {
  const load = await newLoad();
  const { bearer } = await open(sessionOf(load));
  await api.confirmed(load);
  const { result_token } = await engine.run(takeResult, { bearer });
  const other = await server.anotherTenant();
  const foreign = await server.call('POST', '/v1/sessions/exchange', {
    body: { result_token },
    token: other.token,
  });
  expect(foreign.body.error).toMatchObject({ details: { reason: 'unknown' } });
  await engine.moveClock(10 * minute);
  expect(await refusalOf(exchange(result_token))).toMatchObject(invalidResult('expired'));
});

test('an expired session gives a result token only if it was opened', async () => {
  const opened = sessionOf(await newLoad());
  const { bearer } = await open(opened);
  await api.advance(10 * minute);
  const { result_token } = await engine.run(takeResult, { bearer });
  expect(await exchange(result_token)).toMatchObject({
    status: 'expired',
    target_status: 'failed',
  });
  const unopened = sessionOf(await newLoad());
  await api.advance(15 * minute);
  expect(await statusOf(unopened)).toBe('expired');
  expect(await refusalOf(exchange(`rt_test_${unopened.id}`))).toMatchObject(
    invalidResult('unknown'),
  );
});

test('a session that a newer one superseded gives no result token', async () => {
  const load = await newLoad();
  const { bearer } = await open(sessionOf(load));
  const target = { type: 'load', id: load.id };
  await api.post('/v1/sessions', {
    flow: 'payment_confirm',
    customer_id: ana.customerId,
    target,
  });
  expect(await engine.refusal(signOfLife, { bearer })).toEqual(refused('ended'));
  expect(await engine.refusal(takeResult, { bearer })).toMatchObject({ code: 'invalid_state' });
});
