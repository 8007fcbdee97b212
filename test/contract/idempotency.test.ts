import { randomBytes } from 'node:crypto';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { afterAll, describe, expect, test } from 'vitest';
import type { Reply, ReplyBody } from '../kit/http/http.ts';
import { newKey } from '../kit/ids.ts';
import { application } from '../kit/person.ts';
import { openServer } from '../kit/server.ts';
import { type Variant, variantsOf } from './cases/bases.ts';
import { draftOf, rawOf } from './cases/requests.ts';
import { operations } from './run.ts';
import { playScenario } from './scenario.ts';
import { openSender, type RawRequest } from './send.ts';

const rateLimit = 10_000_000;
const server = await openServer({ tenant: { rateLimit } });
const second = await openServer({ beside: server, workers: false });
const senders = [openSender(server.baseUrl), openSender(second.baseUrl)] as const;
afterAll(() => Promise.all(senders.map((sender) => sender.close())));
const stranger = await server.anotherTenant({ rateLimit });
const scenario = await playScenario(server.baseUrl, server.token);
const { api, payer, shop } = scenario;

interface Sent {
  readonly status: number;
  readonly body: ReplyBody;
  readonly replayed: boolean;
  readonly requestId: string;
}

const sentOf = ({ status, headers, body }: Reply): Sent => ({
  status,
  body,
  replayed: headers.get('idempotent-replayed') === 'true',
  requestId: String(headers.get('service-request-id')),
});

const send = async (request: RawRequest, sender = senders[0]) => sentOf(await sender.send(request));

/** A POST of the first Tenant, or of another, with a key. */
function post(path: string, body: unknown, key: string, token = server.token): RawRequest {
  return {
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

const askFor = (amount: number) => ({
  type: 'dynamic',
  merchant_customer_id: shop.customerId,
  amount,
});
const pay = (amount: number) => ({
  payer_customer_id: payer.customerId,
  payee_customer_id: shop.customerId,
  amount,
  source: 'balance',
});
const ask = (key: string, amount = 500, token?: string) =>
  send(post('/v1/payment-requests', askFor(amount), key, token));

const reused = {
  status: 400,
  body: {
    error: {
      code: 'parameter_invalid',
      param: 'Idempotency-Key',
      details: { reason: 'idempotency_key_reused' },
    },
  },
};

const rowsOf = async () => {
  const counting = 'select count(*)::integer as count from idempotency where tenant_id = $1';
  const [row] = await server.engine.query<{ count: number }>(counting);
  return row?.count;
};

const keyed = operations.filter(({ idempotent }) => idempotent !== 'none');

const endpoints = keyed.flatMap((endpoint): [string, EndpointDefinition, Variant][] => {
  return variantsOf(endpoint).map((variant) => [
    `${endpoint.id} (${variant.name})`,
    endpoint,
    variant,
  ]);
});

describe('an operation that takes a key', () => {
  // Twenty copies, on two engines, are in core/batch/engine.test.ts; a used key is in whole.test.ts.
  test.each(endpoints)(
    '%s gives copies at two processes one effect and equal replies, and the reply again later',
    async (_, endpoint, variant) => {
      const draft = draftOf(endpoint, await variant.make(scenario), server.token);
      const request = rawOf({ ...draft, key: newKey() });
      const before = await rowsOf();
      const atOnce = await Promise.all(
        [...senders, ...senders].map((sender) => send(request, sender)),
      );
      const copies = [...atOnce, await send(request), await send(request, senders[1])];
      const [first] = copies;
      expect(first?.status, JSON.stringify(first?.body)).toBe(endpoint.success.status);
      for (const { status, body } of copies)
        expect([status, body]).toEqual([first?.status, first?.body]);
      expect(atOnce.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(copies.slice(-2).map(({ replayed }) => replayed)).toEqual([true, true]);
      expect(new Set(copies.map(({ requestId }) => requestId)).size).toBe(copies.length);
      expect(await rowsOf()).toBe(Number(before) + 1);
    },
  );
});

describe('the key', () => {
  test.each([
    ['one character', () => randomBytes(1).toString('hex').slice(0, 1)],
    ['255 characters', () => newKey().padEnd(255, '~')],
    [
      'every visible character',
      () => Buffer.from(Array.from({ length: 94 }, (_, i) => i + 33)).toString(),
    ],
    ['one quote', () => '"'],
    ['a quote at its end', () => `${newKey()}"`],
  ])('may be %s', async (_, make) => {
    const key = make();
    expect((await ask(key)).status).toBe(201);
    expect((await ask(key)).replayed).toBe(true);
  });

  test('is the same in the quotes of the IETF form, which may hold 255 characters', async () => {
    const key = newKey().padEnd(255, 'k');
    const first = await ask(key);
    const again = await ask(`"${key}"`);
    expect([again.replayed, again.body]).toEqual([true, first.body]);
  });

  test('is told from others by case', async () => {
    const key = newKey();
    const [lower, upper] = [await ask(key), await ask(key.toUpperCase())];
    expect(upper).toMatchObject({ status: 201, replayed: false });
    expect(upper.body.id).not.toBe(lower.body.id);
  });

  test("belongs to its Tenant: another's is another key", async () => {
    const key = newKey();
    await ask(key);
    const body = application('individual');
    const theirs = await send(post('/v1/customers', body, key, stranger.token));
    expect(theirs).toMatchObject({ status: 201, replayed: false });
  });

  test('means nothing on a GET, whatever it says', async () => {
    const key = newKey();
    await ask(key);
    for (const sent of [key, 'a b', ''])
      for (const path of [`/v1/payments/${scenario.payment.id}`, '/v1/webhook-events?limit=1']) {
        const reply = await send({ ...post(path, undefined, sent), method: 'GET' });
        expect(reply).toMatchObject({ status: 200, replayed: false });
      }
  });
});

describe('two requests are the same', () => {
  const written = (merchant: string) =>
    `{"type":"dynamic","merchant_customer_id":"${merchant}","amount":700,"order_reference":"é"}`;

  test.each([
    [
      'keys in another order',
      (m: string) =>
        `{"order_reference":"é","amount":700,"merchant_customer_id":"${m}","type":"dynamic"}`,
    ],
    ['white space', (m: string) => written(m).replaceAll(/([,:{])/g, '$1 \n\t')],
    ['700.0', (m: string) => written(m).replace(':700', ':700.0')],
    ['7e2', (m: string) => written(m).replace(':700', ':7e2')],
    ['an escaped letter', (m: string) => written(m).replace('é', '\\u00e9')],
    ['a field twice, the last as before', (m: string) => written(m).replace('{', '{"amount":1,')],
  ])('but for %s', async (_, rewrite) => {
    const key = newKey();
    const { customerId } = shop;
    const first = await send(post('/v1/payment-requests', written(customerId), key));
    const again = await send(post('/v1/payment-requests', rewrite(customerId), key));
    expect([first.status, again.replayed, again.body]).toEqual([201, true, first.body]);
  });

  test('with keys in another order in an object within', async () => {
    const key = newKey();
    const { external_ref, email, mobile_number } = application('individual');
    const person = (prefill: string) =>
      `{"type":"individual","external_ref":"${external_ref}","email":"${email}","mobile_number":"${mobile_number}","prefill":${prefill}}`;
    const first = await send(
      post('/v1/customers', person('{"first_name":"A","last_name":"B"}'), key),
    );
    const again = await send(
      post('/v1/customers', person('{"last_name":"B","first_name":"A"}'), key),
    );
    expect([first.status, again.replayed, again.body]).toEqual([201, true, first.body]);
  });

  test('without a body and with an empty one', async () => {
    const key = newKey();
    const { id } = (await ask(newKey())).body;
    const path = `/v1/payment-requests/${id}/cancel`;
    const bare = post(path, undefined, key);
    const { body: _, headers, ...rest } = bare;
    const { 'content-type': __, ...untyped } = headers as Record<string, string>;
    const first = await send({ ...rest, headers: untyped });
    const again = await send(post(path, '{}', key));
    expect([first.status, again.replayed]).toEqual([200, true]);
  });

  test.each([
    ['a value', { amount: 701 }],
    ['a field more', { order_reference: 'order-2' }],
    ['null for a field that was left out', { order_reference: null }],
  ])('never when they differ by %s', async (_, more) => {
    const key = newKey();
    await ask(key, 700);
    const other = { ...askFor(700), ...more };
    expect(await send(post('/v1/payment-requests', other, key))).toMatchObject(reused);
  });

  test('never when they differ by the record in the path', async () => {
    const key = newKey();
    const [first, other] = [await ask(newKey()), await ask(newKey())];
    const cancel = (id: string) => send(post(`/v1/payment-requests/${id}/cancel`, '', key));
    expect((await cancel(first.body.id)).status).toBe(200);
    expect(await cancel(other.body.id)).toMatchObject(reused);
    expect(await api.get(`/v1/payment-requests/${other.body.id}`)).toMatchObject({
      status: 'open',
    });
  });
});

describe('a replay', () => {
  test('gives the record as it was, though it has changed since', async () => {
    const key = newKey();
    const first = await ask(key);
    await api.post(`/v1/payment-requests/${first.body.id}/cancel`);
    expect(await ask(key)).toMatchObject({ status: 201, replayed: true, body: first.body });
  });

  test('shows a session token while it lives, and null once its session has ended', async () => {
    const key = newKey();
    const request = post('/v1/payments', pay(1), key);
    const first = await send(request);
    expect(first.body.confirmation_session.token).toMatch(/^st_/);
    expect((await send(request)).body).toEqual(first.body);
    await api.post(`/v1/payments/${first.body.id}/cancel`);
    const dead = await send(request, senders[1]);
    expect(dead).toMatchObject({ status: 201, replayed: true });
    expect(dead.body).toEqual({ ...first.body, confirmation_session: null });
  });

  test('shows it no more once the customer has opened it', async () => {
    const key = newKey();
    const body = application('individual');
    const first = await send(post('/v1/customers', body, key));
    const { onboarding_session } = first.body;
    const opened = await server.call('POST', '/hosted/api/open', {
      token: null,
      body: { token: onboarding_session.token },
    });
    expect(opened.status).toBe(200);
    const again = await send(post('/v1/customers', body, key));
    expect(again.body).toEqual({ ...first.body, onboarding_session: null });
  });

  test('of a Session gives its token as null once a newer one has taken its place', async () => {
    const body = { flow: 'contact_change', customer_id: payer.customerId };
    const key = newKey();
    const first = await send(post('/v1/sessions', body, key));
    expect(first.body.token).toMatch(/^st_/);
    expect((await send(post('/v1/sessions', body, key))).body).toEqual(first.body);
    await api.post('/v1/sessions', body);
    const again = await send(post('/v1/sessions', body, key));
    expect(again.body).toEqual({ ...first.body, token: null });
  });

  test('stores no secret in clear', async () => {
    const session = (await send(post('/v1/payments', pay(1), newKey()))).body.confirmation_session;
    const path = `/v1/customers/${payer.customerId}/link-tokens`;
    const { link_token } = (await send(post(path, { platform: 'ios' }, newKey()))).body;
    const rows = await server.engine.query<{ text: string }>(
      'select i::text as text from idempotency i where tenant_id = $1',
    );
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of [session.token, link_token]) expect(stored).not.toContain(secret);
  });
});

describe('after an error', () => {
  test('the key is free for another request', async () => {
    const key = newKey();
    const poor = await send(post('/v1/payments', pay(4_999_99), key));
    expect(poor.body.error.code).toBe('insufficient_funds');
    const paid = await send(post('/v1/payments', pay(1), key));
    expect(paid).toMatchObject({ status: 201, replayed: false });
  });

  test('the same request is tried anew, and refused or taken as things are now', async () => {
    const key = newKey();
    const { id } = (await ask(newKey())).body;
    const qr = (await api.get(`/v1/payment-requests/${id}`)).qr_payload;
    const by = { payer_customer_id: payer.customerId, qr_payload: qr, source: 'balance' };
    await api.simulate('account.suspended', payer.accountId);
    const refused = await send(post('/v1/payments', by, key));
    expect(refused.body.error.code).toBe('account_restricted');
    await api.simulate('account.reactivated', payer.accountId);
    expect(await send(post('/v1/payments', by, key))).toMatchObject({
      status: 201,
      replayed: false,
    });
    expect(await send(post('/v1/payments', by, key))).toMatchObject({
      status: 201,
      replayed: true,
    });
  });

  test('twenty copies are refused alike and store nothing', async () => {
    const before = await rowsOf();
    const request = post('/v1/payments', pay(4_999_99), newKey());
    const copies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(request, senders[index % 2 === 0 ? 0 : 1])),
    );
    const told = copies.map(({ status, replayed, body }) => [status, replayed, body.error.code]);
    for (const one of told) expect(one).toEqual([422, false, 'insufficient_funds']);
    expect(await rowsOf()).toBe(before);
  });
});

/** Sends all at once, each to the next of the two processes, and sorts what comes back. */
async function race(requests: readonly RawRequest[]) {
  const replies = await Promise.all(
    requests.map((request, index) => send(request, senders[index % 2 === 0 ? 0 : 1])),
  );
  return {
    replies,
    taken: replies.filter(({ status }) => status < 300),
    refused: replies.filter(({ status }) => status >= 300),
  };
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('the same key at the same time', () => {
  test('with two bodies: one of them is taken, the other is refused by the key', async () => {
    for (const key of times(5, newKey)) {
      const { taken, refused } = await race(
        times(20, (index) => post('/v1/payments', pay(1 + (Math.floor(index / 2) % 2)), key)),
      );
      expect([taken.length, refused.length]).toEqual([10, 10]);
      for (const { body } of taken) expect(body).toEqual(taken[0]?.body);
      expect(taken.filter(({ replayed }) => !replayed)).toHaveLength(1);
      for (const one of refused) expect(one).toMatchObject(reused);
    }
  });

  test('on two routes: one of them is taken, the other has no effect', async () => {
    for (const key of times(5, newKey)) {
      const { id } = (await ask(newKey())).body;
      const cancel = `/v1/payment-requests/${id}/cancel`;
      const { taken, refused } = await race(
        times(16, (index) =>
          Math.floor(index / 2) % 2 === 0
            ? post(cancel, '{}', key)
            : post('/v1/payments', pay(1), key),
        ),
      );
      expect([taken.length, refused.length]).toEqual([8, 8]);
      const isCanceled = taken[0]?.body.object === 'payment_request';
      for (const one of refused) expect(one).toMatchObject(reused);
      const { status } = await api.get(`/v1/payment-requests/${id}`);
      expect(status).toBe(isCanceled ? 'canceled' : 'open');
    }
  });

  test('of two Tenants: both are taken', async () => {
    const key = newKey();
    const theirs = application('individual');
    const { replies, refused } = await race(
      times(16, (index) =>
        Math.floor(index / 2) % 2 === 0
          ? post('/v1/payments', pay(1), key)
          : post('/v1/customers', theirs, key, stranger.token),
      ),
    );
    expect(refused).toEqual([]);
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(2);
    const byRecord = new Set(replies.map(({ body }) => body.id));
    expect(byRecord.size).toBe(2);
  });
});

describe('time', () => {
  const hour = 3_600;
  const day = 24 * hour;

  /** To a moment of its clock, given as one and the seconds after it. */
  const advanceTo = async (instant: string, seconds: number) => {
    const { pending } = await api.advance(
      new Date(Date.parse(instant) + seconds * 1_000).toISOString(),
    );
    expect(pending).toBe(0);
  };
  const paymentOf = (key: string) => post('/v1/payments', pay(1), key);

  test('takes a session token from the replay with its expiry, a LinkToken never, a key after 30 days', async () => {
    const [paymentKey, linkKey] = [newKey(), newKey()];
    const path = `/v1/customers/${payer.customerId}/link-tokens`;
    const link = () => send(post(path, { platform: 'ios' }, linkKey));
    const [paid, linked] = [await send(paymentOf(paymentKey)), await link()];

    const { expires_at } = paid.body.confirmation_session;
    await advanceTo(expires_at, -60);
    expect((await send(paymentOf(paymentKey))).body).toEqual(paid.body);
    await advanceTo(expires_at, 0);
    const late = await send(paymentOf(paymentKey));
    expect(late.body).toEqual({ ...paid.body, confirmation_session: null });

    await advanceTo(paid.body.created_at, 30 * day - 60);
    expect((await send(paymentOf(paymentKey))).replayed).toBe(true);
    expect(await link()).toMatchObject({ replayed: true, body: linked.body });

    await advanceTo(linked.body.expiration, 30 * day - 4 * hour);
    const copies = await race(times(20, () => paymentOf(paymentKey)));
    expect(copies.refused).toEqual([]);
    expect(copies.taken.filter(({ replayed }) => !replayed)).toHaveLength(1);
    for (const { body } of copies.taken) expect(body).toEqual(copies.taken[0]?.body);
    expect(copies.taken[0]?.body.id).not.toBe(paid.body.id);
    expect(await link()).toMatchObject({ status: 201, replayed: false });
    expect(await link()).toMatchObject({ status: 201, replayed: true });
  });

  test('frees an expired key for another request, and keeps it from then on', async () => {
    const key = newKey();
    const { body } = await send(paymentOf(key));
    await advanceTo(body.created_at, 31 * day);
    const other = post('/v1/customers', application('individual'), key);
    expect(await send(other)).toMatchObject({ status: 201, replayed: false });
    expect(await send(paymentOf(key))).toMatchObject(reused);
  });
});
