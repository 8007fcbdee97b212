import { exampleOf } from '@tenant-payments/contract/emit/examples/operations.ts';
import { expect, test } from 'vitest';
import { refusal, startScriptedApi } from '../../test/kit/http/scripted_api.ts';
import {
  createReceiver,
  type Event,
  type Handlers,
  isCode,
  type Payment,
  UnprocessableError,
  webhooks,
} from './index.ts';

/** Events and replies that a later release of the service sends to this release of the SDK (rules/operations#36). */
const payment = {
  ...exampleOf('Payment'),
  status: 'status_of_tomorrow',
  field_of_tomorrow: { of: ['any', 1, null] },
} as unknown as Payment;

const eventOf = (type: string, object: object) => ({
  id: `evt_${type}`,
  object: 'event',
  type,
  environment: 'environment_of_tomorrow',
  field_of_tomorrow: true,
  data: { object, previous_attributes: { field_of_tomorrow: 1 }, field_of_tomorrow: [] },
});

/** New of a record that is known, and of one that is not, with its id and without. */
const events = [
  eventOf('payment.type_of_tomorrow', payment),
  eventOf('record_of_tomorrow.created', { object: 'record_of_tomorrow', id: 'rot_1', version: 1 }),
  eventOf('record_of_tomorrow.counted', { of: 'no kind that has an id' }),
];

const secret = 'whsec_test';

/** Delivers an event as the service does. */
async function deliver(handlers: Handlers, event: object) {
  const faults: unknown[] = [];
  const onFailure = (error: unknown) => faults.push(error);
  const receiver = createReceiver({ secrets: secret, onFailure, ...handlers });
  const body = JSON.stringify(event);
  const { status, outcome } = await receiver.receive(body, {
    'service-signature': webhooks.sign(body, secret),
  });
  return { status, outcome, faults };
}
const handled = { status: 200, outcome: 'handled', faults: [] };

test('an event of a new type is answered 200, whatever handlers there are', async () => {
  const seen: string[] = [];
  const sets: readonly Handlers[] = [
    { onEvent: ({ type }) => seen.push(`onEvent ${type}`) },
    { on: { 'payment.completed': () => expect.fail('of another type') } },
    { onRecord: { payment: ({ status }) => seen.push(`onRecord ${status}`) } },
  ];
  for (const handlers of sets)
    for (const event of events) expect(await deliver(handlers, event)).toEqual(handled);
  expect(seen).toEqual([
    'onEvent payment.type_of_tomorrow',
    'onEvent record_of_tomorrow.created',
    'onEvent record_of_tomorrow.counted',
    'onRecord status_of_tomorrow',
  ]);
});

test('what is verified without a receiver is given whole', () => {
  for (const event of events) {
    const body = JSON.stringify(event);
    expect(webhooks.unwrap(body, webhooks.sign(body, secret), secret)).toEqual(event);
  }
});

test('a reply keeps new fields and values, alone and in a list', async () => {
  const page = { object: 'list', data: [payment], has_more: false, next_cursor: null, total: 1 };
  const api = await startScriptedApi(({ path }) => ({
    json:
      path === '/v1/payments'
        ? page
        : path.endsWith('events')
          ? { ...page, data: events }
          : payment,
  }));
  const client = api.client();
  expect(await client.payments.get('pay_1')).toEqual(payment);
  expect(await client.payments.list()).toEqual(page);
  expect(await client.webhookEvents.list().toArray({ limit: 10 })).toEqual(events);
});

test('an event of a new type from the list is handled like one that was sent', async () => {
  const { accept } = createReceiver({ secrets: secret, onEvent: () => {} });
  for (const event of events) expect(await accept(event as unknown as Event)).toBe('handled');
});

test('an error with a new code and a new reason is of the class of its status', async () => {
  const json = refusal('code_of_tomorrow', { details: { reason: 'reason_of_tomorrow' }, hint: 1 });
  const api = await startScriptedApi(() => ({ status: 422, json }));
  const error = await api
    .client()
    .payments.get('pay_1')
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnprocessableError);
  expect(error).toMatchObject({ code: 'code_of_tomorrow', retryable: false });
  expect(isCode(error, 'insufficient_funds')).toBe(false);
});

test('a status that no release answers today is an error of the service', async () => {
  const api = await startScriptedApi(() => ({ status: 451, json: refusal('code_of_tomorrow') }));
  const error = await api
    .client()
    .payments.get('pay_1')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ServiceError', status: 451, retryable: false });
});
