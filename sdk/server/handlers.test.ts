import { describe, expect, test, vi } from 'vitest';
import {
  createReceiver,
  type Event,
  type Handlers,
  type ReceiverOptions,
  webhooks,
} from './index.ts';

const secret = 'whsec_test';

const eventOf = (type: string, version: number, more: object = {}): Event =>
  ({
    id: `evt_${version}`,
    object: 'event',
    type,
    data: { object: { object: 'payment', id: 'pay_1', version }, previous_attributes: null },
    ...more,
  }) as unknown as Event;
const completed = eventOf('payment.completed', 2);
const refunded = eventOf('payment.partially_refunded', 3);

function receiverOf(handlers: Handlers, more: Partial<ReceiverOptions> = {}) {
  const failures: string[] = [];
  const onFailure = (error: unknown) => failures.push((error as Error).message);
  const receiver = createReceiver({ secrets: secret, onFailure, ...handlers, ...more });
  const send = async (event: Event) => {
    const body = JSON.stringify(event);
    const headers = { 'service-signature': webhooks.sign(body, secret) };
    const { status, outcome } = await receiver.receive(body, headers);
    return `${status} ${outcome}`;
  };
  return { receiver, send, failures };
}

/** Fails as often as told, and notes what it was given after that. */
function failing(times: number) {
  const notes: string[] = [];
  let left = times;
  const note = (text: string) => {
    if (left-- > 0) throw new Error('the database is away');
    notes.push(text);
  };
  return { notes, note };
}

describe('whose handler is called', () => {
  test('that of the record, then that of the type, and onEvent where there is neither', async () => {
    const seen: string[] = [];
    const { receiver } = receiverOf({
      onRecord: { payment: ({ id }, { type }) => seen.push(`record ${id} ${type}`) },
      on: {
        'payment.completed': ({ data }) => seen.push(`type ${data.object.id}`),
        'load.settled': ({ type }) => seen.push(`type ${type}`),
      },
      onEvent: ({ type }) => seen.push(`event ${type}`),
    });
    await receiver.accept(completed);
    await receiver.accept(refunded);
    for (const [i, type] of ['load.settled', 'load.failed', 'toString', 'constructor.x'].entries())
      await receiver.accept({
        ...eventOf(type, 9),
        id: `evt_other_${i}`,
        data: { object: {} },
      } as Event);
    expect(seen).toEqual([
      'record pay_1 payment.completed',
      'type pay_1',
      'record pay_1 payment.partially_refunded',
      'type load.settled',
      'event load.failed',
      'event toString',
      'event constructor.x',
    ]);
  });

  test('an event without a handler is handled', async () => {
    const { receiver } = receiverOf({ on: {} });
    expect(await receiver.accept(completed)).toBe('handled');
  });
});

describe('an event that a newer one has overtaken', () => {
  test('its step is made, told that it is late and what is newest, once', async () => {
    const shipped = failing(1);
    const { send, failures } = receiverOf({
      on: {
        'payment.completed': ({ outdated, data, current }) =>
          shipped.note(`ship: ${outdated} ${data.object.version} of ${current.version}`),
        'payment.partially_refunded': ({ outdated, current }) =>
          shipped.note(`note the refund: ${outdated} ${current.version}`),
      },
    });
    expect(await send(completed)).toBe('500 failed');
    expect(await send(refunded)).toBe('200 handled');
    expect(await send(completed)).toBe('200 outdated');
    expect(await send(completed)).toBe('200 duplicate');
    expect(shipped.notes).toEqual(['note the refund: false 3', 'ship: true 2 of 3']);
    expect(failures).toEqual(['the database is away']);
  });

  test('a step that fails when it is late is not acknowledged, and comes again', async () => {
    const shipped = failing(2);
    const { send } = receiverOf({ on: { 'payment.completed': ({ id }) => shipped.note(id) } });
    expect(await send(refunded)).toBe('200 handled');
    for (const status of ['500 failed', '500 failed', '200 outdated', '200 duplicate'])
      expect(await send(completed)).toBe(status);
    expect(shipped.notes).toEqual(['evt_2']);
  });

  test('the handler of its record is not called, which has the newest state', async () => {
    const versions: unknown[] = [];
    const { send } = receiverOf({
      onRecord: {
        payment: ({ version }, { outdated, current }) =>
          versions.push([version, outdated, current.version]),
      },
    });
    expect(await send(refunded)).toBe('200 handled');
    expect(await send(completed)).toBe('200 outdated');
    expect(versions).toEqual([[3, false, 3]]);
  });
});

describe('what is acknowledged', () => {
  test('five events whose handlers fail are five failures, and all are handled when they come again', async () => {
    const shipped = failing(5);
    const { send } = receiverOf({ onEvent: ({ id }) => shipped.note(id) });
    const events = [1, 2, 3, 4, 5].map((version) => eventOf('payment.completed', version));
    for (const event of events) expect(await send(event)).toBe('500 failed');
    for (const event of events) expect(await send(event)).toBe('200 handled');
    expect(shipped.notes).toHaveLength(5);
  });

  test('with a queue, an event that is in it: the worker handles it by the same rules', async () => {
    const queue: Event[] = [];
    const handled: string[] = [];
    const { receiver, send } = receiverOf(
      { onEvent: ({ id }) => handled.push(id) },
      { enqueue: async (event) => queue.push(event) },
    );
    expect(await send(completed)).toBe('200 enqueued');
    expect(await send(completed)).toBe('200 enqueued');
    expect(handled).toEqual([]);
    const results = [];
    for (const event of queue) results.push(await receiver.accept(event));
    expect(results).toEqual(['handled', 'duplicate']);
    expect(handled).toEqual(['evt_2']);
  });

  test('nothing that the queue does not take', async () => {
    const enqueue = () => Promise.reject(new Error('the queue is full'));
    const { send, failures } = receiverOf({}, { enqueue });
    expect(await send(completed)).toBe('500 failed');
    expect(failures).toEqual(['the queue is full']);
  });

  test('a receiver with a queue alone handles nothing by itself', async () => {
    const { receiver, send } = receiverOf({}, { enqueue: async () => {} });
    expect(await send(completed)).toBe('200 enqueued');
    await expect(receiver.accept(completed)).rejects.toThrow('has no handler');
  });

  test('an onFailure that throws ends nothing', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    const shipped = failing(1);
    const onFailure = () => {
      throw new Error('neither does this');
    };
    const { send } = receiverOf({ onEvent: ({ id }) => shipped.note(id) }, { onFailure });
    expect(await send(completed)).toBe('500 failed');
    expect(await send(refunded)).toBe('200 handled');
    written.mockRestore();
  });
});

test('a store in memory is warned of once where the money is real', async () => {
  const written = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const production = { environment: 'production' };
  const { receiver } = receiverOf({ onEvent: () => {} });
  for (const version of [1, 2])
    await receiver.accept(eventOf('payment.completed', version, production));
  await receiverOf({ onEvent: () => {} }).receiver.accept(completed);
  const durable = {
    once: async (_: unknown, handle: (context: undefined, newer: null) => unknown) => {
      await handle(undefined, null);
      return 'handled' as const;
    },
  };
  const { accept } = receiverOf({ onEvent: () => {} }, { store: durable }).receiver;
  await accept(eventOf('payment.completed', 1, production));
  expect(written.mock.calls.map(([line]) => line)).toEqual([
    'webhooks: what was handled is kept in the memory of this process alone; pass a store to createReceiver',
  ]);
  written.mockRestore();
});
