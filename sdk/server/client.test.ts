import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { clientSecret, startScriptedApi } from '../../test/kit/http/scripted_api.ts';
import { createClient } from './client.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('requests', () => {
  test('a POST sends JSON, the token and a key of its own', async () => {
    const api = await startScriptedApi(() => ({ status: 201, json: { id: 'load_1' } }));
    const client = api.client();
    const load = await client.loads.create({ customer_id: 'cus_1', amount: 10_000 });
    await client.loads.create({ customer_id: 'cus_1', amount: 10_000 });

    expect(load).toEqual({ id: 'load_1' });
    const [first, second] = api.calls;
    expect(first).toMatchObject({ method: 'POST', path: '/v1/loads' });
    expect(first?.headers['content-type']).toBe('application/json');
    expect(first?.headers.authorization).toBe('Bearer token-1');
    expect(first?.headers['idempotency-key']).toMatch(uuid);
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
    expect(JSON.parse(first?.body ?? '')).toEqual({ customer_id: 'cus_1', amount: 10_000 });
  });

  test('the credentials go to the token endpoint as a form and nowhere else', async () => {
    const api = await startScriptedApi(() => ({ json: {} }));
    await api.client().payments.get('pay_1');
    expect(api.tokenCalls[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(api.tokenCalls[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'ci_test',
      client_secret: clientSecret,
    });
    expect(api.tokenCalls[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(api.calls)).not.toContain(clientSecret);
  });

  test('path values are escaped and put into the path in order', async () => {
    const api = await startScriptedApi(() => ({ json: {} }));
    await api.client().linkedAccounts.remove('a/b?c', 'la 1');
    expect(api.calls[0]).toMatchObject({
      method: 'DELETE',
      path: '/v1/customers/a%2Fb%3Fc/linked-accounts/la%201',
      body: '',
    });
    expect(api.calls[0]?.headers['content-type']).toBeUndefined();
    expect(api.calls[0]?.headers['idempotency-key']).toMatch(uuid);
  });

  test.each(['', '.', '..'])(
    'the path value %j is refused before a request is sent',
    async (value) => {
      const api = await startScriptedApi(() => ({ json: {} }));
      await expect(api.client().payments.cancel(value)).rejects.toThrow(/id must be a non-empty/);
      expect(api.calls).toEqual([]);
    },
  );

  test('a query leaves out what is absent', async () => {
    const api = await startScriptedApi(() => ({ json: { data: [], next_cursor: null } }));
    await api.client().webhookEvents.list({ from: '2026-01-01T00:00:00Z', type: undefined });
    expect(api.calls[0]?.query).toBe('?from=2026-01-01T00%3A00%3A00Z');
  });

  test('the base address may have a path', async () => {
    const api = await startScriptedApi(() => ({ json: {} }));
    await api.client({ baseUrl: `${api.baseUrl}/pay/` }).payments.get('pay_1');
    expect([...api.tokenCalls, ...api.calls].map(({ path }) => path)).toEqual([
      '/pay/oauth/token',
      '/pay/v1/payments/pay_1',
    ]);
  });

  test.each(['', 'a b', 'a\nb', 'ü', 'x'.repeat(256)])(
    'the key %j is refused before anything is sent',
    async (idempotencyKey) => {
      const api = await startScriptedApi(() => ({ json: {} }));
      const call = api.client().payments.cancel('pay_1', { idempotencyKey });
      await expect(call).rejects.toThrow(/visible ASCII/);
      expect(api.calls).toEqual([]);
    },
  );

  test('the caller may give the key', async () => {
    const api = await startScriptedApi(() => ({ json: {} }));
    await api.client().payments.cancel('pay_1', { idempotencyKey: 'cancel-1' });
    expect(api.calls[0]?.headers['idempotency-key']).toBe('cancel-1');
  });
});

describe('replies', () => {
  test('withResponse gives request id, replay, rate limit, key and attempts', async () => {
    const headers = {
      'service-request-id': 'req_1',
      'idempotent-replayed': 'true',
      'ratelimit-limit': '6000',
      'ratelimit-remaining': '5998',
      'ratelimit-reset': '42',
    };
    const api = await startScriptedApi(() => ({ status: 201, headers, json: { id: 'pay_1' } }));
    const reply = await api
      .client()
      .payments.create(
        { payer_customer_id: 'cus_1', source: 'balance' },
        { idempotencyKey: 'order-1' },
      )
      .withResponse();
    expect(reply).toEqual({
      data: { id: 'pay_1' },
      response: {
        status: 201,
        requestId: 'req_1',
        replayed: true,
        rateLimit: { limit: 6000, remaining: 5998, resetSeconds: 42 },
        idempotencyKey: 'order-1',
        attempts: 1,
      },
    });
  });

  test('for await reads all pages in order, keeps the query and fetches a page only when it is needed', async () => {
    const pages = [
      { data: [{ id: 'txn_1' }, { id: 'txn_2' }], has_more: true, next_cursor: 'c1' },
      { data: [{ id: 'txn_3' }], has_more: true, next_cursor: 'c2' },
      { data: [{ id: 'txn_4' }], has_more: false, next_cursor: null },
    ];
    const api = await startScriptedApi((_, before) => ({ json: pages[before] }));
    const seen: string[] = [];
    for await (const { id } of api.client().accounts.listTransactions('acct_1', { limit: 2 })) {
      seen.push(id);
    }
    expect(seen).toEqual(['txn_1', 'txn_2', 'txn_3', 'txn_4']);
    expect(api.calls.map(({ query }) => query)).toEqual([
      '?limit=2',
      '?limit=2&cursor=c1',
      '?limit=2&cursor=c2',
    ]);
  });

  test('for await fetches no further page when the reader stops', async () => {
    const api = await startScriptedApi(() => ({ json: { data: [{ id: 1 }], next_cursor: 'c' } }));
    for await (const _ of api.client().webhookEvents.list()) break;
    expect(api.calls).toHaveLength(1);
  });

  test('toArray reads as many pages as its limit takes', async () => {
    const page = { data: [{ id: 1 }, { id: 2 }], next_cursor: 'c' };
    const api = await startScriptedApi(() => ({ json: page }));
    const list = api.client().accounts.listTransactions('acct_1');
    expect(await list.toArray({ limit: 2 })).toEqual([{ id: 1 }, { id: 2 }]);
    expect(api.calls).toHaveLength(1);
    expect(await list.toArray({ limit: 3 })).toEqual([{ id: 1 }, { id: 2 }, { id: 1 }]);
    expect(api.calls).toHaveLength(2);
    expect(await list.toArray({ limit: 0 })).toEqual([]);
  });

  test('a call is a promise: then, catch, finally and Promise.all take it, and it is made once', async () => {
    const api = await startScriptedApi(() => ({ json: { id: 'pay_1' } }));
    const client = api.client();
    const call = client.payments.get('pay_1');
    expect(call).toBeInstanceOf(Promise);
    const all = await Promise.all([call, call.then(({ id }) => id), call.finally(() => {})]);
    expect(all).toEqual([{ id: 'pay_1' }, 'pay_1', { id: 'pay_1' }]);
    expect(api.calls).toHaveLength(1);
    expect(await client.payments.get('').catch((error: Error) => error.name)).toBe('TypeError');
  });
});

describe('options', () => {
  test.each(['ftp://x', 'nowhere', 'http://u:p@h', 'http://h?a=1', 'http://h#a'])(
    'the base address %s is refused without repeating it',
    (baseUrl) => {
      const make = () => createClient({ baseUrl, clientId: 'a', clientSecret: 'b' });
      expect(make).toThrow(/^baseUrl must be an http\(s\) address/);
    },
  );

  test('missing credentials are reported when the client is made', () => {
    const options = { baseUrl: 'http://localhost', clientId: 'a', clientSecret: '' };
    expect(() => createClient(options)).toThrow(/clientSecret is missing/);
  });

  test('what is not given comes from the variables of the command line', async () => {
    const api = await startScriptedApi(() => ({ json: {} }));
    vi.stubEnv('PAY_BASE_URL', api.baseUrl);
    vi.stubEnv('PAY_CLIENT_ID', 'ci_env');
    vi.stubEnv('PAY_CLIENT_SECRET', clientSecret);
    onTestFinished(() => void vi.unstubAllEnvs());
    await createClient().payments.get('pay_1');
    expect(new URLSearchParams(api.tokenCalls[0]?.body).get('client_id')).toBe('ci_env');
    vi.stubEnv('PAY_CLIENT_SECRET', undefined);
    expect(() => createClient()).toThrow(/clientSecret is missing.*set PAY_CLIENT_SECRET/);
    expect(() => createClient({ clientSecret: '' })).toThrow(/clientSecret is missing/);
  });

  test('request calls an operation that has no method', async () => {
    const api = await startScriptedApi(() => ({ json: { now: 'x' } }));
    const called = api.client().request<{ now: string }>({
      method: 'GET',
      path: '/portal/api/clock/one',
      query: { of: 'a b', none: null },
    });
    expect((await called.withResponse()).data.now).toBe('x');
    expect(await called).toEqual({ now: 'x' });
    expect(api.calls).toHaveLength(1);
    expect(api.calls[0]).toMatchObject({ path: '/portal/api/clock/one', query: '?of=a+b' });
  });

  test('request sends a key with POST and DELETE unless the operation takes none', async () => {
    const api = await startScriptedApi(() => ({ json: {} }));
    const client = api.client();
    await client.request({ method: 'POST', path: '/v1/new', body: {} });
    await client.request({ method: 'POST', path: '/v1/new', body: {}, idempotent: false });
    await client.request({ method: 'PUT', path: '/v1/new', body: {} });
    const keys = api.calls.map(({ headers }) => headers['idempotency-key'] !== undefined);
    expect(keys).toEqual([true, false, false]);
  });
});
