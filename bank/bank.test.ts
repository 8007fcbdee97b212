import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BankProcess,
  called,
  isEvent,
  operations,
  startBank,
} from '../test/kit/bank/bank_process.ts';
import { until } from '../test/kit/wait.ts';
import { isSigned } from './adapter/webhook.ts';
import type { BankEvent, Fault, Terms } from './book/types.ts';

/** The bank as a process, over TLS with certificates on both sides, as its client and its Tenants meet it. */

interface Heard extends BankEvent {
  readonly isSigned: boolean;
}

let folder: string;
let bank: BankProcess;
/** Webhooks that arrived, and how the receiver answers. */
const heard: Heard[] = [];
let status = 204;
const receiver = createServer(async (request, response) => {
  const rawBody = await buffer(request);
  const secret = readFileSync(join(folder, 'webhook_secret'), 'utf8').trim();
  const event = JSON.parse(rawBody.toString());
  expect(isEvent(event) || isEvent.errors).toBe(true);
  heard.push({
    ...event,
    isSigned: isSigned({ headers: request.headers, rawBody }, secret, Date.now()),
  });
  response.writeHead(status).end();
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bank-'));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  bank = await startBank(folder, {
    BANK_WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
    BANK_ANSWER_MS: '1',
    BANK_RETRY_MS: '20',
  });
});
afterAll(async () => {
  await bank.stop();
  receiver.close();
  rmSync(folder, { recursive: true });
});

const tenant = randomUUID();
const later = (ms: number) => new Date(Date.now() + ms).toISOString();

const termsOf = (id: string, given: Partial<Terms> = {}): Terms => ({
  tenant,
  end_to_end_id: id.replaceAll('-', ''),
  kind: 'request_for_payment',
  purpose: 'load',
  amount: 50_00,
  from: { routing: '021000021', account: '1234567', name: 'Ana Reyes' },
  to: { own: 'fbo' },
  expires_at: later(3_600_000),
  return_of: null,
  remittance: 'a load',
  ...given,
});
const out = {
  kind: 'credit_transfer',
  from: { own: 'fbo' },
  to: { reference: 'her bank' },
  expires_at: null,
} as const;

async function order(given: Partial<Terms> = {}): Promise<string> {
  const id = randomUUID();
  expect((await bank.call('PUT', `/orders/${id}`, termsOf(id, given))).status).toBe(201);
  return id;
}
const statusOf = async (id: string) => (await bank.call('GET', `/orders/${id}`)).body.status;
const becomes = (id: string, wanted: string) =>
  until(async () => (await statusOf(id)) === wanted, { what: `${id} to be ${wanted}` });
const eventsOf = (id: string) =>
  heard.filter((event) => event.order === id).map(({ type }) => type);
const balanceOf = async (role: string, of = tenant) =>
  (await bank.call('GET', `/accounts/${role}/balance?tenant=${of}`)).body.balance;
const behave = async (body: object) =>
  expect((await bank.play('PUT', '/play/behaviour', body)).status).toBe(200);
const always = (fault: Fault, more: object = {}) => behave({ faults: { [fault]: 1 }, ...more });

test('who has no certificate of the bank is not let in', async () => {
  const asked = request(`${bank.url}/events`, { ca: readFileSync(join(folder, 'ca.pem')) }).end();
  const refused = new Promise((_resolve, reject) => asked.once('error', reject));
  const answered = new Promise((resolve) => asked.once('response', resolve));
  await expect(Promise.race([refused, answered])).rejects.toThrow(
    /certificate required|ECONNRESET|socket/,
  );
});

test('an order is executed once, however often it is sent, and never with another content', async () => {
  const before = await balanceOf('fbo');
  const id = randomUUID();
  const terms = termsOf(id);
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => bank.call('PUT', `/orders/${id}`, terms)),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 200, 200, 200, 201]);
  await becomes(id, 'settled');
  expect((await bank.call('PUT', `/orders/${id}`, terms)).body.outcome).toMatchObject({
    status: 'settled',
    amount: 50_00,
  });
  expect((await bank.call('PUT', `/orders/${id}`, { ...terms, amount: 1 })).body.code).toBe(
    'order_differs',
  );
  expect(await balanceOf('fbo')).toBe(before + 50_00);
  await until(() => eventsOf(id).length === 3);
  // Each goes out by itself, so that they may arrive in another order.
  expect(eventsOf(id).sort()).toEqual(['order.accepted', 'order.sent', 'order.settled']);
  expect(heard.every((event) => event.isSigned)).toBe(true);
});

test('each line of the statement says which order it is of, and the lines make up the balance', async () => {
  const id = await order({ amount: 7_00 });
  await becomes(id, 'settled');
  const { data } = (await bank.call('GET', `/accounts/fbo/lines?tenant=${tenant}&limit=500`)).body;
  expect(data.at(-1)).toMatchObject({
    order: id,
    end_to_end_id: id.replaceAll('-', ''),
    sign: 'credit',
    amount: 7_00,
  });
  const sum = (data as { sign: string; amount: number }[]).reduce(
    (total, { sign, amount }) => total + (sign === 'credit' ? amount : -amount),
    0,
  );
  expect(sum).toBe(await balanceOf('fbo'));
});

test('an account that holds too little pays nothing', async () => {
  const poor = randomUUID();
  const id = await order({ ...out, tenant: poor });
  await becomes(id, 'failed');
  const { outcome } = (await bank.call('GET', `/orders/${id}`)).body;
  expect(outcome).toMatchObject({ reason: 'AM04', said_by: 'bank' });
  expect(await balanceOf('fbo', poor)).toBe(0);
});

test('a request that nobody pays fails at its instant, and one that is cancelled is paid no more', async () => {
  await always('silent');
  const late = await order({ expires_at: later(50) });
  const cancelled = await order();
  await behave({});
  await becomes(late, 'failed');
  expect((await bank.call('GET', `/orders/${late}`)).body.outcome.reason).toBe('AEXR');
  for (let times = 0; times < 2; times += 1)
    expect((await bank.call('POST', `/orders/${cancelled}/cancel`)).body.status).toBe('cancelled');
  expect((await bank.play('POST', `/play/orders/${cancelled}/settle`, {})).body.code).toBe(
    'order_has_ended',
  );
  expect((await bank.call('POST', `/orders/${late}/cancel`)).status).toBe(409);
});

test('the feed has every event once and in order, also what no webhook brought', async () => {
  await always('lost');
  const id = await order();
  await becomes(id, 'settled');
  await behave({});
  const all: BankEvent[] = [];
  let after = '0';
  for (;;) {
    const { data, next } = (await bank.call('GET', `/events?after=${after}&limit=7`)).body;
    all.push(...data);
    if (next === after) break;
    after = next;
  }
  expect(new Set(all.map((event) => event.id)).size).toBe(all.length);
  expect(all.filter((event) => event.order === id)).toHaveLength(3);
  expect(eventsOf(id)).toEqual([]);
  const since = (await bank.call('GET', `/events?since=${later(60_000)}`)).body;
  expect(since).toEqual({ data: [], next: String(all.length) });
});

test('an event comes again until it is taken', async () => {
  status = 500;
  const id = await order();
  await until(() => eventsOf(id).length >= 6);
  status = 204;
  await becomes(id, 'settled');
  const settled = () =>
    heard.filter((event) => event.order === id && event.type === 'order.settled');
  await until(() => settled().length >= 2);
  expect(new Set(settled().map((event) => event.id)).size).toBe(1);
});

test('a doubled event arrives twice, and a reordered one after the event that followed it', async () => {
  await always('doubled');
  const doubled = await order();
  await until(() => eventsOf(doubled).length === 6);
  await always('reordered', { answers: { return: 1 } });
  const turned = await order({ ...out, amount: 1_00 });
  await until(() => eventsOf(turned).length === 3);
  expect(eventsOf(turned)).toEqual(['order.returned', 'order.settled', 'order.sent']);
  await behave({});
});

test('a bank that contradicts itself or names another amount has booked one of its words', async () => {
  await always('contradictory', { late_ms: 1 });
  const before = await balanceOf('fbo');
  const ids = await Promise.all(Array.from({ length: 8 }, () => order({ amount: 1_00 })));
  for (const id of ids) {
    await until(
      () => eventsOf(id).includes('order.failed') && eventsOf(id).includes('order.settled'),
    );
    await becomes(id, 'settled');
  }
  expect(await balanceOf('fbo')).toBe(before + 8_00);
  await always('wrong_amount', { late_ms: 1 });
  const asked = await order({ amount: 1_00 });
  await becomes(asked, 'settled');
  expect(await balanceOf('fbo')).toBe(before + 9_01);
  const sent = await order({ ...out, amount: 2_00 });
  await becomes(sent, 'settled');
  expect(await balanceOf('fbo')).toBe(before + 7_01);
  const amounts = () =>
    heard.flatMap((event) =>
      event.order === sent && event.type === 'order.settled' ? [event.amount] : [],
    );
  await until(() => amounts().length === 2);
  expect(amounts().sort()).toEqual([2_00, 2_01]);
  await behave({});
});

test('after an error the order is not taken, and after a timeout it is', async () => {
  const put = (id: string, terms: Terms) => bank.call('PUT', `/orders/${id}`, terms);
  await always('error_500');
  const id = randomUUID();
  const terms = termsOf(id);
  expect((await put(id, terms)).status).toBe(500);
  expect((await bank.call('GET', `/orders/${id}`)).status).toBe(404);
  expect((await put(id, terms)).status).toBe(201);
  await always('timeout');
  const hung = randomUUID();
  const same = termsOf(hung);
  const waiting = put(hung, same).then(
    () => 'answered',
    () => 'ended',
  );
  await until(async () => (await bank.call('GET', `/orders/${hung}`)).status === 200);
  await becomes(hung, 'settled');
  expect(await Promise.race([waiting, sleep(100, 'waits')])).toBe('waits');
  expect((await put(hung, same)).body.status).toBe('settled');
  await behave({});
});

test('money comes in unasked, a request is paid twice, and money is asked back and not sent by the answer', async () => {
  const before = await balanceOf('fbo');
  const money = { tenant, amount: 3_00, sender: 'A stranger', remittance: 'hello' };
  expect((await bank.play('POST', '/play/money', money)).body).toMatchObject({
    type: 'money.received',
    order: null,
    account: 'fbo',
  });
  const id = await order();
  await becomes(id, 'settled');
  const again = (await bank.play('POST', `/play/orders/${id}/pay-again`, {})).body;
  expect(again).toMatchObject({
    order: null,
    end_to_end_id: id.replaceAll('-', ''),
    amount: 50_00,
  });
  expect(await balanceOf('fbo')).toBe(before + 103_00);
  const asked = (await bank.play('POST', `/play/orders/${id}/ask-back`, { reason: 'FRAD' })).body;
  const answer = (body: object) =>
    bank.call('POST', `/return-requests/${asked.return_request}/answer`, body);
  expect((await answer({ answer: 'reject' })).body).toMatchObject({
    order: id,
    answer: { answer: 'reject' },
  });
  expect((await answer({ answer: 'accept' })).body.code).toBe('already_answered');
  expect(
    (await bank.call('POST', `/return-requests/rr_${'0'.repeat(24)}/answer`, { answer: 'accept' }))
      .status,
  ).toBe(404);
  expect(await balanceOf('fbo')).toBe(before + 103_00);
});

test('an order that goes on step by step moves money with its last word alone', async () => {
  await always('silent');
  const before = await balanceOf('fbo');
  const id = await order();
  for (const act of ['review', 'accept', 'settle-pending'])
    expect((await bank.play('POST', `/play/orders/${id}/${act}`, {})).status).toBe(200);
  expect(await statusOf(id)).toBe('settled_pending');
  expect(await balanceOf('fbo')).toBe(before);
  await bank.play('POST', `/play/orders/${id}/settle`, {});
  expect(await balanceOf('fbo')).toBe(before + 50_00);
  await until(() => eventsOf(id).length === 5);
  expect(new Set(eventsOf(id))).toEqual(
    new Set([
      'order.sent',
      'order.pending_review',
      'order.accepted',
      'order.settled_pending',
      'order.settled',
    ]),
  );
  await behave({});
});

test('what was acknowledged outlives a crash, and what was to be done is done after it', async () => {
  await always('late', { late_ms: 400 });
  const before = await balanceOf('fbo');
  const ids = await Promise.all(Array.from({ length: 20 }, () => order({ amount: 1_00 })));
  await bank.crash();
  expect((await bank.play('GET', '/play/behaviour')).body.faults).toEqual({ late: 1 });
  for (const id of ids) await becomes(id, 'settled');
  expect(await balanceOf('fbo')).toBe(before + 20_00);
  await until(() => ids.every((id) => eventsOf(id).includes('order.settled')));
  await behave({});
});

test('what openapi.yaml refuses is refused, and each operation of it was called', async () => {
  const id = randomUUID();
  const put = (given: object) => bank.call('PUT', `/orders/${id}`, { ...termsOf(id), ...given });
  for (const wrong of [{ amount: 0 }, { amount: 1.5 }, { tenant: 'x' }, { more: 1 }, { from: {} }])
    expect((await put(wrong)).body.code).toBe('invalid_request');
  expect((await bank.call('GET', '/orders/x')).status).toBe(400);
  expect((await bank.call('GET', '/events?limit=0')).status).toBe(400);
  expect((await bank.call('GET', '/accounts/fbo/balance')).status).toBe(400);
  expect((await bank.call('GET', '/routing-numbers/021000021')).body).toMatchObject({
    request: true,
  });
  expect((await bank.call('GET', '/routing-numbers/999999992')).body).toMatchObject({
    request: false,
  });
  expect((await bank.call('GET', '/routing-numbers/021000022')).status).toBe(404);
  expect((await bank.call('GET', `/orders?since=${later(60_000)}`)).body).toEqual({
    data: [],
    next: null,
  });
  await bank.play('GET', '/play/orders');
  expect(operations.filter((one) => !called.has(one))).toEqual([]);
});
