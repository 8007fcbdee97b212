import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusal, type Scripted, startScriptedApi } from '../../test/kit/http/scripted_api.ts';
import { until } from '../../test/kit/wait.ts';

const token = (name: string, expiresIn: number): Scripted => ({
  json: { access_token: name, token_type: 'Bearer', expires_in: expiresIn, scope: 'tenant' },
});
/** Moves the clock by which tokens expire; the network keeps its own. */
const pass = (ms: number) => vi.advanceTimersByTime(ms);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const used = (calls: readonly { headers: { authorization?: string } }[]) =>
  calls.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('fifty first calls at once share one token request', async () => {
  const api = await startScriptedApi(() => ({ json: {} }));
  const client = api.client();
  await Promise.all(Array.from({ length: 50 }, () => client.payments.get('pay_1')));
  expect(api.tokenCalls).toHaveLength(1);
  expect(api.calls).toHaveLength(50);
});

test('a token is renewed once shortly before it expires, while calls still use it', async () => {
  const api = await startScriptedApi(
    () => ({ json: {} }),
    (_, before) => token(`t${before + 1}`, before === 0 ? 2 : 3600),
  );
  const client = api.client();
  await client.payments.get('pay_1');
  pass(1_700);
  await Promise.all(Array.from({ length: 10 }, () => client.payments.get('pay_1')));
  await until(() => api.tokenCalls.length === 2);
  await pause(200);
  await client.payments.get('pay_1');
  expect(api.tokenCalls).toHaveLength(2);
  expect(used(api.calls)).toEqual(['t1', ...Array(10).fill('t1'), 't2']);
});

test('a failed renewal has no effect while the old token is valid', async () => {
  const api = await startScriptedApi(
    () => ({ json: {} }),
    (_, before) => (before === 0 ? token('t1', 2) : { status: 400, json: refusal('x') }),
  );
  const client = api.client();
  await client.payments.get('pay_1');
  pass(1_700);
  await client.payments.get('pay_1');
  await until(() => api.tokenCalls.length === 2);
  await pause(200);
  await client.payments.get('pay_1');
  expect(used(api.calls)).toEqual(['t1', 't1', 't1']);
  expect(api.tokenCalls).toHaveLength(2);
});

test('an expired token is never sent', async () => {
  const api = await startScriptedApi(
    () => ({ json: {} }),
    (_, before) => token(`t${before + 1}`, 1),
  );
  const client = api.client();
  await client.payments.get('pay_1');
  pass(1_050);
  await client.payments.get('pay_1');
  expect(used(api.calls)).toEqual(['t1', 't2']);
});

test('a 401 causes one renewal for all calls that got it, and one retry each', async () => {
  const api = await startScriptedApi(({ headers }) =>
    headers.authorization === 'Bearer token-1'
      ? { status: 401, json: refusal('authentication_required') }
      : { json: { id: 'pay_1' } },
  );
  const client = api.client({ maxRetries: 0 });
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => client.payments.cancel('pay_1').withResponse()),
  );
  expect(replies.map(({ response }) => response.attempts)).toEqual(Array(10).fill(2));
  expect(api.tokenCalls).toHaveLength(2);
  for (const { response } of replies) {
    const sent = api.calls.filter(
      ({ headers }) => headers['idempotency-key'] === response.idempotencyKey,
    );
    expect(sent).toHaveLength(2);
  }
});

test('a second 401 is not retried', async () => {
  const json = refusal('authentication_required');
  const api = await startScriptedApi(() => ({ status: 401, json }));
  await expect(api.client().payments.get('pay_1')).rejects.toMatchObject({ status: 401 });
  expect(api.calls).toHaveLength(2);
});

test('wrong credentials fail every waiting call, and the next call requests a token again', async () => {
  const api = await startScriptedApi(
    () => ({ json: { id: 'pay_1' } }),
    (_, before) =>
      before === 0 ? { status: 401, json: refusal('invalid_client') } : token('t', 9),
  );
  const client = api.client();
  const waiting = await Promise.allSettled([
    client.payments.get('pay_1'),
    client.payments.get('pay_1'),
  ]);
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(api.tokenCalls).toHaveLength(1);
  expect(await client.payments.get('pay_1')).toEqual({ id: 'pay_1' });
});

test('the token request is retried like any other call', async () => {
  const api = await startScriptedApi(
    () => ({ json: { id: 'pay_1' } }),
    (_, before) => (before < 2 ? { fault: 'cut' } : token('t', 3600)),
  );
  await api.client().payments.get('pay_1');
  expect(api.tokenCalls).toHaveLength(3);
});

test.each([{}, { access_token: 'two words', expires_in: 9 }, { access_token: 't', expires_in: 0 }])(
  'the token reply %j is refused, and its text is not shown',
  async (json) => {
    const api = await startScriptedApi(
      () => ({ json: {} }),
      () => ({ json }),
    );
    const call = api.client().payments.get('pay_1');
    await expect(call).rejects.toThrow(/^unexpected_reply: .*no usable access token/);
    expect(api.calls).toEqual([]);
  },
);
