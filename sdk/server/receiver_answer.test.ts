import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver, type Event, type ReceiverOptions, webhooks } from './index.ts';

const secret = 'whsec_test';

const payment = (id: string, version: number, record = 'pay_1'): Event =>
  ({
    id,
    object: 'event',
    type: 'payment.completed',
    data: { object: { object: 'payment', id: record, version }, previous_attributes: null },
  }) as Event;

/** A receiver that answers at once, and a sender that signs. */
function observed(onEvent: ReceiverOptions['onEvent'], more: Partial<ReceiverOptions> = {}) {
  const failures: string[] = [];
  const receiver = createReceiver({
    secrets: secret,
    onEvent,
    onFailure: (error, event) => failures.push(`${event?.id}: ${(error as Error).message}`),
    ...more,
  });
  const send = async (event: Event) => {
    const body = JSON.stringify(event);
    const headers = { 'service-signature': webhooks.sign(body, secret) };
    const { status, outcome } = await receiver.receive(body, headers);
    return `${status} ${outcome}`;
  };
  return { receiver, failures, send };
}

test('a verified event is answered before its handler begins', async () => {
  const order: string[] = [];
  const { receiver } = observed(() => order.push('handled'));
  const handle = receiver.nodeHandler();
  const server = createServer((request, response) => {
    response.on('finish', () => order.push('answered'));
    return handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const body = JSON.stringify(payment('evt_1', 1));
  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    method: 'POST',
    body,
    headers: { 'service-signature': webhooks.sign(body, secret) },
  });
  expect([reply.status, await reply.json()]).toEqual([200, { outcome: 'accepted' }]);
  await receiver.idle();
  expect(order).toEqual(['answered', 'handled']);
});

test('a handler that never ends delays no answer', async () => {
  const { send } = observed(() => new Promise(() => {}));
  expect(await send(payment('evt_1', 1))).toBe('200 accepted');
  expect(await send(payment('evt_2', 2))).toBe('200 accepted');
});

test('a failure after the answer is reported, and the event can be handled again', async () => {
  let broken = true;
  const handled: string[] = [];
  const { receiver, failures, send } = observed(async ({ id }) => {
    if (broken) throw new Error('the database is away');
    handled.push(id);
  });
  expect(await send(payment('evt_1', 1))).toBe('200 accepted');
  await receiver.idle();
  expect(failures).toEqual(['evt_1: the database is away']);
  broken = false;
  expect(await receiver.accept(payment('evt_1', 1))).toBe('handled');
  expect(handled).toEqual(['evt_1']);
});

test('an onFailure that throws ends nothing', async () => {
  const handled: string[] = [];
  const { receiver, send } = observed(
    ({ id }) => {
      if (id === 'evt_1') throw new Error('no');
      handled.push(id);
    },
    {
      onFailure: () => {
        throw new Error('neither does this');
      },
    },
  );
  await send(payment('evt_1', 1));
  await send(payment('evt_2', 2));
  await receiver.idle();
  expect(handled).toEqual(['evt_2']);
});

test('after the answer, too, copies and older versions are dropped, and one record takes its turn', async () => {
  const handled: string[] = [];
  let running = 0;
  const { receiver, send } = observed(async ({ id }) => {
    running += 1;
    await new Promise((resolve) => setImmediate(resolve));
    handled.push(`${id} ${running}`);
    running -= 1;
  });
  for (const [id, version] of [
    ['a', 1],
    ['a', 1],
    ['c', 3],
    ['b', 2],
    ['d', 4],
  ] as const)
    expect(await send(payment(id, version))).toBe('200 accepted');
  await receiver.idle();
  expect(handled).toEqual(['a 1', 'c 1', 'd 1']);
});
