import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  clientSecret,
  refusal,
  type Scripted,
  startScriptedApi,
} from '../../test/kit/http/scripted_api.ts';
import type { RequestReport } from './call.ts';
import type { ClientOptions } from './client.ts';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  isCode,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  TenantPaymentsError,
  TimeoutError,
  UnprocessableError,
} from './errors.ts';
import { retryDelayMs } from './retry.ts';

const loadInput = { customer_id: 'cus_1', amount: 100 };
const done: Scripted = { status: 201, json: { id: 'load_1' } };

/** Failures first, then success. */
const after =
  (times: number, bad: Scripted) =>
  (_: unknown, before: number): Scripted =>
    before < times ? bad : done;

/** An address without a listener. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

const failure = async (call: Promise<unknown>): Promise<TenantPaymentsError> => {
  const error = await call.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (error instanceof TenantPaymentsError) return error;
  throw new Error(`not the client's error: ${String(error)}`);
};

describe('retries', () => {
  const worthRetrying: [string, Scripted][] = [
    ['a cut connection', { fault: 'cut' }],
    ['no reply in time', { fault: 'silent' }],
    ['408', { status: 408, text: '' }],
    ['429', { status: 429, json: refusal('rate_limited') }],
    ['500', { status: 500, json: refusal('internal_error') }],
    ['502 of a proxy', { status: 502, text: '<html>' }],
    ['503', { status: 503, json: refusal('internal_error') }],
    ['504 of a proxy', { status: 504, text: '' }],
  ];

  test.each(worthRetrying)('%s: the POST is sent again with the same key', async (_, bad) => {
    const api = await startScriptedApi(after(2, bad));
    const reply = await api.client({ timeoutMs: 1_000 }).loads.create(loadInput).withResponse();
    expect(reply.data).toEqual({ id: 'load_1' });
    expect(reply.response.attempts).toBe(3);
    const keys = api.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys)).toEqual(new Set([reply.response.idempotencyKey]));
    expect(new Set(api.calls.map(({ body }) => body)).size).toBe(1);
  });

  const final: [number, string][] = [
    [400, 'parameter_invalid'],
    [403, 'flow_not_enabled'],
    [404, 'not_found'],
    [409, 'invalid_state'],
    [409, 'duplicate_external_ref'],
    [422, 'insufficient_funds'],
  ];

  test.each(final)('%i %s is the answer and is not tried again', async (status, code) => {
    const api = await startScriptedApi(() => ({ status, json: refusal(code) }));
    const error = await failure(api.client().loads.create(loadInput));
    expect(error).toMatchObject({ code, status, retryable: false });
    expect(api.calls).toHaveLength(1);
  });

  test('without a key only a 429 is retried, since nothing happened then', async () => {
    const unkeyed = {
      method: 'POST',
      path: '/portal/api/clock/advance',
      idempotent: false,
    } as const;
    const cut = await startScriptedApi(after(1, { fault: 'cut' }));
    expect((await failure(cut.client().request(unkeyed))).code).toBe('connection_failed');
    expect(cut.calls).toHaveLength(1);

    const limited = await startScriptedApi(after(1, { status: 429, text: '' }));
    await limited.client().request(unkeyed);
    expect(limited.calls).toHaveLength(2);
  });
});

describe('bounds', () => {
  test('maxRetries bounds the attempts, per client and per call', async () => {
    const api = await startScriptedApi(() => ({ status: 503, json: refusal('internal_error') }));
    await failure(api.client({ maxRetries: 1 }).payments.get('pay_1'));
    expect(api.calls).toHaveLength(2);
    await failure(api.client().payments.get('pay_1', { maxRetries: 0 }));
    expect(api.calls).toHaveLength(3);
  });

  test('after 429 without Retry-After it waits for RateLimit-Reset', async () => {
    const headers = { 'ratelimit-reset': '1' };
    const bad = { status: 429, json: refusal('rate_limited'), headers };
    const api = await startScriptedApi(after(1, bad));
    const startedAt = performance.now();
    await api.client().loads.create(loadInput);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000);
  });

  test('a retry that would begin after retryWithinMs is not made', async () => {
    const headers = { 'retry-after': '30' };
    const api = await startScriptedApi(() => ({ status: 503, text: '', headers }));
    const startedAt = performance.now();
    await failure(api.client({ retryWithinMs: 5_000 }).loads.create(loadInput));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(api.calls).toHaveLength(1);
  });

  test('somebody who waits for an answer gets it: by default no retry begins after ten seconds', async () => {
    const headers = { 'retry-after': '11' };
    const api = await startScriptedApi(() => ({ status: 503, text: '', headers }));
    expect((await failure(api.client().loads.create(loadInput))).status).toBe(503);
    expect(api.calls).toHaveLength(1);
  });

  test('a job may wait longer, for one call', async () => {
    const headers = { 'retry-after': '1' };
    const api = await startScriptedApi(after(1, { status: 503, text: '', headers }));
    const client = api.client({ retryWithinMs: 0 });
    await client.loads.create(loadInput, { retryWithinMs: 60_000 });
    expect(api.calls).toHaveLength(2);
  });

  test('waits double up to 8 s, jittered between half and whole', () => {
    for (let round = 0; round < 200; round += 1) {
      for (const [retry, whole] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
        const wait = retryDelayMs(retry + 1, 500, null);
        expect(wait).toBeGreaterThanOrEqual(whole / 2);
        expect(wait).toBeLessThanOrEqual(whole);
      }
    }
  });

  test('Retry-After counts as seconds or as a date, and before RateLimit-Reset, which counts only after 429', () => {
    const wait = (status: number, headers: Record<string, string>) =>
      retryDelayMs(1, 2, { status, headers: new Headers(headers) });
    expect(wait(503, { 'retry-after': '7' })).toBeGreaterThanOrEqual(7000);
    const date = new Date(Date.now() + 9_000).toUTCString();
    expect(wait(503, { 'retry-after': date })).toBeGreaterThan(7_000);
    const both = wait(429, { 'retry-after': '1', 'ratelimit-reset': '30' });
    expect(both).toBeGreaterThanOrEqual(1000);
    expect(both).toBeLessThan(2000);
    expect(wait(429, { 'ratelimit-reset': '3' })).toBeGreaterThanOrEqual(3000);
    expect(wait(500, { 'ratelimit-reset': '60' })).toBeLessThan(10);
    expect(wait(429, { 'ratelimit-reset': 'soon' })).toBeLessThan(10);
  });

  test('the signal ends a wait at once, and the call rejects with its reason', async () => {
    const headers = { 'retry-after': '30' };
    const api = await startScriptedApi(() => ({ status: 503, text: '', headers }));
    const controller = new AbortController();
    const call = api
      .client({ retryWithinMs: 60_000 })
      .payments.get('pay_1', { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(call).rejects.toThrow('enough');
  });

  test('a call whose signal has ended asks for nothing, not even a token', async () => {
    const api = await startScriptedApi(() => done);
    const reason = new Error('gone');
    const call = api.client().payments.get('pay_1', { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    expect([api.calls, api.tokenCalls]).toEqual([[], []]);
  });

  test('the signal ends a request under way', async () => {
    const api = await startScriptedApi(() => ({ fault: 'silent' }));
    const signal = AbortSignal.timeout(100);
    await expect(api.client().payments.get('pay_1', { signal })).rejects.toThrow(
      expect.objectContaining({ name: 'TimeoutError' }),
    );
  });
});

describe('errors', () => {
  test('an error has code, status, param, details, request id and key', async () => {
    const more = { param: 'amount', details: { available: 5, required: 100 } };
    const json = refusal('insufficient_funds', more);
    const api = await startScriptedApi(() => ({ status: 422, json }));
    const error = await failure(api.client().loads.create(loadInput, { idempotencyKey: 'k' }));
    expect(error).toMatchObject({ status: 422, requestId: 'req_7', idempotencyKey: 'k', ...more });
    expect(error.message).toBe('insufficient_funds (amount): in words (request req_7)');
    expect(isCode(error, 'insufficient_funds') && error.details.available).toBe(5);
    expect(isCode(error, 'limit_exceeded')).toBe(false);
    expect(isCode(new Error('x'), 'insufficient_funds')).toBe(false);
  });

  test.each([
    [400, 'parameter_invalid', InvalidRequestError],
    [401, 'invalid_client', AuthenticationError],
    [403, 'sandbox_only', PermissionError],
    [404, 'not_found', NotFoundError],
    [409, 'invalid_state', ConflictError],
    [422, 'limit_exceeded', UnprocessableError],
    [429, 'rate_limited', RateLimitError],
    [500, 'internal_error', ServiceError],
    [503, 'internal_error', ServiceError],
  ])('%i %s has a class of its own, and says where it is explained', async (status, code, Kind) => {
    const api = await startScriptedApi(() => ({ status, json: refusal(code) }));
    const error = await failure(api.client({ maxRetries: 0 }).payments.get('pay_1'));
    expect(error).toBeInstanceOf(Kind);
    expect(error).toBeInstanceOf(TenantPaymentsError);
    expect(error.name).toBe(Kind.name);
    expect(error.docsUrl).toBe(`${api.baseUrl}/docs/reference/errors/${code}`);
  });

  test.each([
    ['parameter_missing', { param: 'external_ref' }, 'parameter_missing (external_ref)'],
    ['session_invalid', { details: { reason: 'used' } }, 'session_invalid (used)'],
    [
      'session_invalid',
      { param: 'token', details: { reason: 'used' } },
      'session_invalid (token, used)',
    ],
    ['invalid_state', { details: { reason: { no: 'word' } } }, 'invalid_state'],
  ])('the message of %s names param and reason: %j', async (code, more, start) => {
    const api = await startScriptedApi(() => ({ status: 400, json: refusal(code, more) }));
    const { message } = await failure(api.client().loads.create(loadInput));
    expect(message).toBe(`${start}: in words (request req_7)`);
  });

  test('a connection error names host and reason, also where fetch hides them', async () => {
    const messageOf = async (options: Partial<ClientOptions>) => {
      const api = await startScriptedApi(() => ({ fault: 'cut' }));
      return (await failure(api.client({ maxRetries: 0, ...options }).payments.get('p'))).message;
    };
    const free = await freeAddress();
    expect(await messageOf({ baseUrl: free })).toContain(`no reply from ${free} (ECONNREFUSED)`);
    expect(await messageOf({})).toMatch(/no reply from http:.* \((UND_ERR_SOCKET|ECONNRESET)\)/);
    const chatty = () => Promise.reject(new TypeError('Bearer token-1 cannot stand in a header'));
    expect(await messageOf({ fetch: chatty })).not.toContain('token-1');
  });

  test('a connection error and a timeout are types of their own with their cause', async () => {
    const cut = await startScriptedApi(() => ({ fault: 'cut' }));
    const lost = await failure(cut.client({ maxRetries: 0 }).payments.get('pay_1'));
    expect(lost).toBeInstanceOf(ConnectionError);
    expect(lost).toMatchObject({ code: 'connection_failed', retryable: true, status: null });
    expect(lost.cause).toBeInstanceOf(Error);

    const silent = await startScriptedApi(() => ({ fault: 'silent' }));
    const late = silent.client({ maxRetries: 0, timeoutMs: 50 }).payments.get('pay_1');
    expect(await failure(late)).toBeInstanceOf(TimeoutError);
    expect(await failure(late)).toMatchObject({ code: 'timed_out' });
  });

  test('a reply of another server is reported without its text', async () => {
    const api = await startScriptedApi(() => ({ text: '<html>secret</html>' }));
    const error = await failure(api.client().payments.get('pay_1'));
    expect(error).toMatchObject({ code: 'unexpected_reply', status: 200, retryable: false });
    expect(error.message).not.toContain('secret');
  });

  test('a redirect is not followed, so that the token goes nowhere else', async () => {
    const other = await startScriptedApi(() => done);
    const headers = { location: `${other.baseUrl}/v1/payments/pay_1` };
    const api = await startScriptedApi(() => ({ status: 307, text: '', headers }));
    const error = await failure(api.client().payments.get('pay_1'));
    expect(error).toMatchObject({ code: 'unexpected_reply', status: 307 });
    expect(other.calls).toEqual([]);
  });

  test('no error and no report holds a secret', async () => {
    const reports: RequestReport[] = [];
    const onRequest = (report: RequestReport) => reports.push(report);
    const json = refusal('invalid_client');
    const refused = await startScriptedApi(
      () => done,
      () => ({ status: 401, json }),
    );
    const cut = await startScriptedApi(() => ({ fault: 'cut' }));
    const errors = [
      await failure(refused.client({ onRequest }).payments.get('pay_1')),
      await failure(cut.client({ onRequest }).sessions.exchange({ result_token: 'rt_secret' })),
    ];
    expect(errors[0]?.code).toBe('invalid_client');
    const text = errors.map((error) => `${error.stack}${JSON.stringify(error)}`).join();
    expect(text + JSON.stringify(reports)).not.toMatch(/cs_test|token-1|rt_secret/);
    expect(text).not.toContain(clientSecret);
  });
});

describe('onRequest', () => {
  test('is called for every attempt and cannot break the call', async () => {
    const api = await startScriptedApi(after(1, { status: 503, text: '' }));
    const reports: RequestReport[] = [];
    const onRequest = (report: RequestReport) => {
      reports.push(report);
      throw new Error('the observer is broken');
    };
    await api.client({ onRequest }).loads.create(loadInput);
    expect(reports.map(({ path, attempt, status }) => [path, attempt, status])).toEqual([
      ['/oauth/token', 1, 200],
      ['/v1/loads', 1, 503],
      ['/v1/loads', 2, 201],
    ]);
  });

  test('is told of a wait before it begins', async () => {
    const bad = { status: 429, json: refusal('rate_limited'), headers: { 'retry-after': '1' } };
    const api = await startScriptedApi(after(1, bad));
    const told: (readonly [number | null, number])[] = [];
    const startedAt = performance.now();
    const onRequest = ({ path, retryInMs }: RequestReport) => {
      if (path === '/v1/loads') told.push([retryInMs, performance.now() - startedAt]);
    };
    await api.client({ onRequest }).loads.create(loadInput);
    const [first, second] = told;
    expect(first?.[0]).toBeGreaterThanOrEqual(1_000);
    expect(second?.[0]).toBe(null);
    expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });
});
