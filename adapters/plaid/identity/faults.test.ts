import { afterAll, afterEach, expect, test } from 'vitest';
import { parseConfig } from '../../../service/config/config.ts';
import { customerCheckJob } from '../../../service/inbound/check_jobs.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { PlaidRefusal } from '../../../test/kit/plaid/refusal.ts';
import { documentFailed } from '../../../test/kit/plaid/verifications.ts';
import { openVerifying } from '../../../test/kit/plaid/verifying.ts';

/** Verifications while Plaid does not answer as it should: nothing is lost, and nothing is done twice. */

const lines: string[] = [];
const { railsDeadlines } = parseConfig({}, []);
const plaid = await openVerifying({
  config: { railsDeadlines: { ...railsDeadlines, 'identity.check': 1 } },
  onLog: (line) => void lines.push(line),
});
const { counterpart, server } = plaid;
const { api } = server;
afterAll(() => counterpart.close());
afterEach(() => {
  Object.assign(counterpart.misbehaviour, { isDown: false, delayMs: 0, refuse: undefined });
  expect(counterpart.faults).toEqual([]);
});

const check = (id: string) =>
  server.engine.run(customerCheckJob({ ...server.service, ...server.rails }), {
    ref: uuid('customer', id),
  });
const refuse = (code: string, type: string, status: number) => () =>
  new PlaidRefusal(code, type, status);

test.each([
  ['is down', { isDown: true }],
  ['has had too many calls', { refuse: refuse('RATE_LIMIT', 'RATE_LIMIT_EXCEEDED', 429) }],
  ['has a fault of its own', { refuse: refuse('INTERNAL_SERVER_ERROR', 'API_ERROR', 500) }],
  ['does not know a replaced secret', { refuse: refuse('INVALID_API_KEYS', 'INVALID_INPUT', 400) }],
])(
  'an application waits while Plaid %s, and is one attempt when it answers',
  async (_what, wrong) => {
    const { id } = await plaid.sent();
    Object.assign(counterpart.misbehaviour, wrong);
    lines.length = 0;
    await expect(check(id)).rejects.toThrow();
    expect(await plaid.statusOf(id)).toBe('pending');
    expect(lines.join()).toContain('"method":"identity.check"');
    Object.assign(counterpart.misbehaviour, { isDown: false, refuse: undefined });
    await check(id);
    await check(id);
    expect(plaid.attemptsOf(id)).toHaveLength(1);
  },
);

test('an application waits while Plaid is slow, and is one attempt once it answers in time', async () => {
  const { id } = await plaid.sent();
  counterpart.misbehaviour.delayMs = 1_500;
  await expect(check(id)).rejects.toThrow();
  expect(await plaid.statusOf(id)).toBe('pending');
  counterpart.misbehaviour.delayMs = 0;
  // The call that nobody waits for any more ends first.
  await expect.poll(() => check(id).then(() => 'done', String), { timeout: 20_000 }).toBe('done');
  expect(plaid.attemptsOf(id)).toHaveLength(1);
});

test('a later attempt whose answer was lost is found again, and not made twice', async () => {
  const { id } = await plaid.applied();
  await plaid.tell(plaid.ended(id, documentFailed));
  await api.post('/portal/api/clock/advance', { seconds: 24 * 3600 + 1 });
  const session = await api.post('/v1/sessions', { customer_id: id, flow: 'onboarding' });
  await plaid.send(await plaid.proven(session.token));
  // The attempt was made by a process that died before it had noted it.
  const { client_user_id, template } = plaid.attemptOf(id);
  await fetch(`${counterpart.url}/identity_verification/retry`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'plaid-client-id': counterpart.state.clientId,
      'plaid-secret': counterpart.state.secret,
    },
    body: JSON.stringify({ client_user_id, template_id: template, strategy: 'reset' }),
  });
  await server.runJobs();
  expect(plaid.attemptsOf(id)).toHaveLength(2);
  await plaid.tell(plaid.ended(id));
  expect(await plaid.statusOf(id)).toBe('approved');
});

test('a forged, old, altered or unsigned message is refused, and changes nothing', async () => {
  const { id } = await plaid.applied();
  const attempt = plaid.ended(id);
  for (const forging of [
    { ageSeconds: 400 },
    { signedBody: '{}' },
    { kid: 'c0ffee00-0000-4000-8000-000000000000' },
    { jwt: 'eyJhbGciOiJub25lIn0.e30.' },
    { jwt: '' },
  ])
    expect([forging, await plaid.tell(attempt, forging)]).toEqual([forging, 401]);
  expect(await plaid.statusOf(id)).toBe('pending');
  expect(await plaid.messagesOf(id)).toEqual([]);
});

test('a message that never came is found by the poll, also what Plaid says while it is down for us', async () => {
  const { id } = await plaid.applied();
  const attempt = plaid.ended(id);
  counterpart.misbehaviour.refuse = refuse('INTERNAL_SERVER_ERROR', 'API_ERROR', 500);
  expect(await plaid.tell(attempt)).toBe(503);
  expect(await plaid.poll()).toBe('failed');
  expect(await plaid.statusOf(id)).toBe('pending');
  counterpart.misbehaviour.refuse = undefined;
  expect(await plaid.poll()).toBe('done');
  expect(await plaid.poll()).toBe('done');
  expect(await plaid.statusOf(id)).toBe('approved');
  expect(await plaid.messagesOf(id)).toMatchObject([{ result: 'taken' }]);
});

test('an attempt that Plaid does not answer for holds up no other', async () => {
  const [one, lost, other] = [await plaid.applied(), await plaid.applied(), await plaid.applied()];
  const { id: lostId } = plaid.attemptOf(lost.id);
  counterpart.misbehaviour.refuse = (_path, { identity_verification_id: asked }) =>
    asked === lostId ? new PlaidRefusal('INTERNAL_SERVER_ERROR', 'API_ERROR', 500) : null;
  for (const { id } of [one, other]) plaid.ended(id);
  expect(await plaid.poll()).toBe('done');
  for (const { id } of [one, other]) expect(await plaid.statusOf(id)).toBe('approved');
  expect(await plaid.statusOf(lost.id)).toBe('pending');
});

test('a poll that fails again and again is an alarm, and one that works ends it', async () => {
  await plaid.applied();
  counterpart.misbehaviour.isDown = true;
  lines.length = 0;
  for (let times = 0; times < 3; times += 1) expect(await plaid.poll()).toBe('failed');
  expect(lines.filter((line) => line.includes('"alarm":"rail_provider"'))).toHaveLength(1);
  counterpart.misbehaviour.isDown = false;
  expect(await plaid.poll()).toBe('done');
});

test("who does not end the step at Plaid within a day is the reviewer's", async () => {
  const { id } = await plaid.applied();
  const objects = server.providers.objectsOf('plaid-identity');
  const [kept] = (await plaid.objectsOf(id)).filter(({ kind }) => kind === 'verification');
  if (!kept) throw new Error('nothing is remembered of the attempt');
  const startedAtMs = Date.now() - 25 * 3_600_000;
  await objects.put({ ...kept, value: { ...(kept.value as object), startedAtMs } });
  expect(await plaid.poll()).toBe('done');
  expect(await plaid.statusOf(id)).toBe('in_review');
  plaid.ended(id);
  await plaid.poll();
  expect(await plaid.statusOf(id)).toBe('approved');
});

test('rails check says that Plaid does not know the template or a secret, and what to do', async () => {
  const provider = server.rails.providers?.find(({ name }) => name === 'plaid-identity');
  const checked = async () =>
    (await provider?.check?.({ signal: AbortSignal.timeout(5_000) })) ?? [];
  expect(await checked()).toMatchObject([
    { ok: true },
    { ok: true, what: 'its messages come to https://pay.example.com/rails/plaid-identity' },
  ]);
  const { secret, template } = counterpart.state;
  counterpart.state.secret = 'replaced in the dashboard';
  const [ofSecret] = await checked();
  counterpart.state.secret = secret;
  Object.assign(counterpart.state, { template: 'idvtmp_another' });
  const [ofTemplate] = await checked();
  Object.assign(counterpart.state, { template });
  expect(ofSecret?.advice).toMatch(/^set PLAID_CLIENT_ID and PLAID_SECRET .*\(INVALID_API_KEYS\)$/);
  expect(ofTemplate?.advice).toMatch(/PLAID_IDENTITY_TEMPLATE .*\(INVALID_FIELD\)$/);
});
