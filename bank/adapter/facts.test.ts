import { expect, test } from 'vitest';
import type { BankEvent, EventType } from '../book/types.ts';
import { parseEvent, receiptOf, termsOf } from './facts.ts';
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

test.each([
  ['order.settled', { amount: 5 }, { outcome: 'settled', amount: 5 }],
  ['order.failed', { reason: 'AC04' }, { outcome: 'failed', reason: 'AC04' }],
  [
    'order.failed',
    { reason: 'CUST', said_by: 'customer', text: 'no' },
    { outcome: 'failed', reason: 'CUST', saidBy: 'customer', text: 'no' },
  ],
  ['order.returned', { amount: 3 }, { outcome: 'returned', amount: 3 }],
] as const)('%s is a fact of its order, under the id of the event', (type, given, outcome) => {
  const event = eventOf(type, given);
  const fact = { id: event.id, orderId: 'an order', ...outcome };
  expect(receiptOf(event)).toEqual({ id: event.id, tenantId: 'a tenant', port: 'bank', fact });
});

test('what the service has no fact for is none, and what the bank has no event for is refused', () => {
  for (const type of [
    'order.sent',
    'order.accepted',
    'order.cancelled',
    'money.received',
    'return.requested',
  ] as const)
    expect(receiptOf(eventOf(type))).toBeNull();
  expect(parseEvent(JSON.stringify(eventOf('order.sent')))).toEqual(eventOf('order.sent'));
  for (const text of [
    '',
    '{}',
    'null',
    '[]',
    JSON.stringify({ ...eventOf('order.sent'), type: 'x' }),
  ])
    expect(() => parseEvent(text)).toThrow();
});

test('an order names own accounts by role, and a bank account elsewhere by its reference', () => {
  const order = {
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
    remittance: '',
  } as const;
  expect(termsOf(order)).toMatchObject({ from: { own: 'fbo' }, to: { reference: 'her bank' } });
  expect(
    termsOf({ ...order, to: { role: 'operating', account: null }, reference: null }),
  ).toMatchObject({
    to: { own: 'operating' },
  });
});
