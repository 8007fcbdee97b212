import { expect, test } from 'vitest';
import type { BankInstruction } from '../../service/rails/bank.ts';
import type { BankEvent, EventType } from '../book/types.ts';
import { parseEvent, receiptOf, standingOf, termsOf } from './facts.ts';
import { isSigned } from './webhook.ts';

/** The example that Standard Webhooks publishes. */
const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const headers = {
  'webhook-id': published.id,
  'webhook-timestamp': String(published.seconds),
  'webhook-signature': published.signature,
};
const proven = (given: object, body = published.body, seconds = published.seconds) =>
  isSigned(
    { headers: { ...headers, ...given }, rawBody: Buffer.from(body) },
    published.secret,
    seconds * 1_000,
  );

test('a webhook is of the bank if id, time and every byte of the body are signed, and lately', () => {
  expect(proven({})).toBe(true);
  expect(proven({ 'webhook-signature': `v1,other ${published.signature}` })).toBe(true);
  expect(proven({}, '{"test":2432232314}')).toBe(false);
  expect(proven({ 'webhook-id': 'msg_other' })).toBe(false);
  expect(proven({ 'webhook-signature': undefined })).toBe(false);
  expect(proven({ 'webhook-timestamp': undefined })).toBe(false);
  expect(proven({}, published.body, published.seconds + 299)).toBe(true);
  expect(proven({}, published.body, published.seconds + 301)).toBe(false);
  expect(proven({}, published.body, published.seconds - 301)).toBe(false);
});

const eventOf = (type: EventType, given: Partial<BankEvent> = {}): BankEvent => ({
  id: 'evt_000000000000000000000001',
  at: '2026-11-29T10:00:00.000Z',
  type,
  tenant: 'a tenant',
  order: 'an order',
  end_to_end_id: null,
  provider_id: null,
  account: null,
  amount: null,
  reason: null,
  said_by: null,
  text: null,
  sender: null,
  remittance: null,
  return_request: null,
  answer_by: null,
  ...given,
});

const told = (event: BankEvent) => receiptOf(event)?.fact;

test.each([
  ['order.sent', { provider_id: 'trf_1' }, { outcome: 'sent', providerId: 'trf_1' }],
  ['order.pending_review', {}, { outcome: 'pending_review' }],
  ['order.accepted', { amount: 5 }, { outcome: 'accepted' }],
  ['order.settled_pending', { amount: 5 }, { outcome: 'settled_pending' }],
  [
    'order.settled',
    { amount: 5, provider_id: 'trf_1' },
    { outcome: 'settled', amount: 5, paymentId: 'trf_1' },
  ],
  ['order.failed', { reason: 'AC04' }, { outcome: 'failed', reason: 'AC04' }],
  [
    'order.failed',
    { reason: 'CUST', said_by: 'customer', text: 'no' },
    { outcome: 'failed', reason: 'CUST', saidBy: 'customer', text: 'no' },
  ],
  ['order.cancelled', {}, { outcome: 'cancelled' }],
  ['order.returned', { amount: 3 }, { outcome: 'returned', amount: 3 }],
] as const)('%s is a fact of its order, under the id of the event', (type, given, outcome) => {
  const event = eventOf(type, given);
  const fact = { id: event.id, orderId: 'an order', ...outcome };
  expect(receiptOf(event)).toEqual({ id: event.id, tenantId: 'a tenant', port: 'bank', fact });
});

const money = {
  order: null,
  account: 'fbo',
  amount: 7,
  sender: 'A stranger',
  remittance: 'hello',
  end_to_end_id: 'e',
  provider_id: 'trf_2',
} as const;

test('money that nobody has ordered is known by the bank’s id of the payment', () => {
  expect(told(eventOf('money.received', money))).toEqual({
    id: 'evt_000000000000000000000001',
    money: {
      amount: 7,
      to: 'fbo',
      sender: { name: 'A stranger', last4: null },
      remittance: 'hello',
      endToEndId: 'e',
      paymentId: 'trf_2',
    },
  });
});

test('a request to give money back is known by the id under which the bank takes the answer', () => {
  const asked = { return_request: 'rr_1', amount: 7, reason: 'FRAD', answer_by: 'then' };
  expect(told(eventOf('return.requested', asked))).toEqual({
    id: 'rr_1',
    returnRequest: { of: 'an order', amount: 7, reason: 'FRAD', text: null, answerBy: 'then' },
  });
});

test('a type that is not known yet and money of other accounts are no facts', () => {
  expect(receiptOf(eventOf('order.invented' as EventType))).toBeNull();
  expect(receiptOf(eventOf('money.received', { ...money, account: 'operating' }))).toBeNull();
});

test('what is no event of the bank is malformed', () => {
  const event = eventOf('order.sent');
  expect(parseEvent(JSON.stringify(event))).toEqual(event);
  for (const text of ['', '{}', 'null', '[]', JSON.stringify({ ...event, id: 1 })])
    expect(() => parseEvent(text)).toThrow(expect.objectContaining({ name: 'Malformed' }));
});

const order: BankInstruction = {
  tenantId: 't',
  id: 'i',
  endToEndId: 'e',
  kind: 'credit_transfer',
  purpose: 'withdrawal',
  amount: 5,
  from: { role: 'fbo', account: null },
  to: null,
  expiresAt: null,
  reference: 'her bank',
  returnOf: null,
  request: null,
  counterparty: null,
  remittance: 'Corner Shop wd-1',
};
const account = {
  routing: '021000021',
  account: '1234567',
  type: 'checking',
  tokenized: false,
} as const;
const counterparty = { name: 'Ana Reyes', kind: 'individual', address: null, account } as const;

test('an order names own accounts by role, and the customer’s by its numbers, else by its reference', () => {
  const from = { own: 'fbo' };
  expect(termsOf(order)).toMatchObject({
    from,
    to: { reference: 'her bank' },
    remittance: 'Corner Shop wd-1',
  });
  const { routing, account: number } = account;
  const to = { routing, account: number, name: 'Ana Reyes' };
  expect(termsOf({ ...order, counterparty })).toMatchObject({ from, to });
  const inside = { ...order, to: { role: 'operating', account: null }, reference: null } as const;
  expect(termsOf(inside)).toMatchObject({ from, to: { own: 'operating' } });
});

test('how an order stands is the fact that its event was, and one that has not ended has a fact too', () => {
  const event = eventOf('order.failed', { order: 'i', reason: 'AC04', said_by: 'bank' });
  const { id, at, amount, reason, said_by, text } = event;
  const outcome = { event: id, status: 'failed', at, amount, reason, said_by, text } as const;
  const book = { id: 'i', provider_id: 'trf_1', taken_at: at, terms: termsOf(order) };
  expect(standingOf({ ...book, status: 'failed', outcome })).toEqual(told(event));
  expect(standingOf({ ...book, status: 'accepted', outcome: null })).toEqual({
    id: 'accepted i',
    orderId: 'i',
    outcome: 'accepted',
  });
});
