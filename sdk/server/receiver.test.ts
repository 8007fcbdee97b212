import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkEvent, createReceiver, type Event, memoryStore, webhooks } from './index.ts';

const secret = 'whsec_test';

const eventOf = (id: string, object: object): Event =>
  ({
    id,
    object: 'event',
    type: 'payment.completed',
    api_version: 'v1',
    environment: 'sandbox',
    created_at: '2026-11-21T09:30:00.000Z',
    data: { object, previous_attributes: null },
  }) as Event;
const payment = (id: string, version: number, record = 'pay_1') =>
  eventOf(id, { object: 'payment', id: record, version });

/** A receiver that notes what its handler was given, and a sender that signs. */
function observed(onEvent: (event: Event) => unknown = () => {}) {
  const handled: string[] = [];
  const failures: unknown[] = [];
  const receiver = createReceiver({
    secrets: secret,
    onEvent: async (event) => {
      await onEvent(event);
      handled.push(event.outdated ? `${event.id} outdated` : event.id);
    },
    onFailure: (error) => failures.push(error),
  });
  const send = async (event: Event) => {
    const body = JSON.stringify(event);
    const answer = await receiver.receive(body, {
      'service-signature': webhooks.sign(body, secret),
    });
    return `${answer.status} ${answer.outcome}`;
  };
  return { receiver, handled, failures, send };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, body: string, header = webhooks.sign(body, secret)) =>
  fetch(url, { method: 'POST', body, headers: { 'service-signature': header } });

describe('a receiver', () => {
  test('handles an event once, however often it comes', async () => {
    const { handled, send } = observed();
    const event = payment('evt_1', 1);
    expect(await send(event)).toBe('200 handled');
    expect(await send(event)).toBe('200 duplicate');
    expect(await send(event)).toBe('200 duplicate');
    expect(handled).toEqual(['evt_1']);
  });

  test('handles one of twenty copies that come at once', async () => {
    const { handled, send } = observed(() => new Promise((resolve) => setTimeout(resolve, 20)));
    const copies = Array.from({ length: 20 }, () => send(payment('evt_1', 1)));
    const outcomes = await Promise.all(copies);
    expect(outcomes.filter((outcome) => outcome === '200 handled')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === '200 duplicate')).toHaveLength(19);
    expect(handled).toEqual(['evt_1']);
  });

  test('tells of an older version of the same record, and only of that, that it is outdated', async () => {
    const { handled, send } = observed();
    expect(await send(payment('evt_3', 3))).toBe('200 handled');
    expect(await send(payment('evt_2', 2))).toBe('200 outdated');
    expect(await send(payment('evt_2', 2))).toBe('200 duplicate');
    expect(await send(payment('evt_x', 3))).toBe('200 duplicate');
    expect(await send(payment('evt_other', 1, 'pay_2'))).toBe('200 handled');
    expect(await send(payment('evt_4', 4))).toBe('200 handled');
    expect(handled).toEqual(['evt_3', 'evt_2 outdated', 'evt_other', 'evt_4']);
  });

  test('never runs two events of one record at the same time', async () => {
    let running = 0;
    let most = 0;
    const { handled, send } = observed(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    });
    await Promise.all([1, 2, 3, 4, 5].map((version) => send(payment(`evt_${version}`, version))));
    expect(most).toBe(1);
    expect(handled).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']);
  });

  test('answers 500 when the handler fails, and handles the event when it comes again', async () => {
    let broken = true;
    const { handled, failures, send } = observed(() => {
      if (broken) throw new Error('the database is away');
    });
    expect(await send(payment('evt_2', 2))).toBe('500 failed');
    expect(await send(payment('evt_1', 1))).toBe('500 failed');
    expect(failures).toHaveLength(2);
    broken = false;
    expect(await send(payment('evt_1', 1))).toBe('200 handled');
    expect(await send(payment('evt_2', 2))).toBe('200 handled');
    expect(handled).toEqual(['evt_1', 'evt_2']);
  });

  test('a failed handler does not block the events after it', async () => {
    const { send } = observed((event) => {
      if (event.id === 'evt_1') throw new Error('no');
    });
    const both = [send(payment('evt_1', 1)), send(payment('evt_2', 2))];
    expect(await Promise.all(both)).toEqual(['500 failed', '200 handled']);
  });

  test('handles every event of a record without a numeric version', async () => {
    const { handled, send } = observed();
    await send(eventOf('evt_b', { object: 'transaction', id: 'txn_1' }));
    await send(eventOf('evt_a', { object: 'transaction', id: 'txn_1' }));
    await send(eventOf('evt_d', { object: 'document_acceptance', id: 'dacc_1', version: '2' }));
    expect(handled).toEqual(['evt_b', 'evt_a', 'evt_d']);
  });

  test('refuses an unsigned request with 400 and the reason', async () => {
    const { receiver, handled } = observed();
    const answer = await receiver.receive('{}', { 'service-signature': 't=1,v1=ab' });
    expect(answer).toMatchObject({ status: 400, outcome: 'refused' });
    expect(JSON.parse(answer.body)).toMatchObject({ reason: 'header_malformed' });
    expect(handled).toEqual([]);
  });

  test('catches up from the listing by the same rules', async () => {
    const { receiver, handled, send } = observed();
    await send(payment('evt_2', 2));
    const results = [];
    for (const event of [payment('evt_3', 3), payment('evt_2', 2), payment('evt_1', 1)]) {
      results.push(await receiver.accept(event));
    }
    expect(results).toEqual(['handled', 'duplicate', 'outdated']);
    expect(handled).toEqual(['evt_2', 'evt_3', 'evt_1 outdated']);
  });

  test('writes a failed handler to console.error by default', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    const onEvent = () => Promise.reject(new Error('no'));
    const body = JSON.stringify(payment('evt_1', 1));
    const headers = { 'service-signature': webhooks.sign(body, secret) };
    const receiver = createReceiver({ secrets: secret, onEvent });
    const { status } = await receiver.receive(body, headers);
    expect(status).toBe(500);
    expect(written.mock.calls[0]?.[0]).toBe('webhook payment.completed evt_1 failed:');
    written.mockRestore();
  });

  test('writes one line with the reason for each refusal by default, without data of the request', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => written.mockRestore());
    const receiver = createReceiver({ secrets: secret, onEvent: () => {} });
    const body = JSON.stringify(payment('evt_private', 1));
    const header = webhooks.sign(body, 'whsec_other');
    await receiver.receive(body, { 'service-signature': header });
    await receiver.receive(body, {});
    const url = await serve(receiver.nodeHandler());
    await fetch(url);
    await post(url, 'x'.repeat(1_048_577));
    const lines = written.mock.calls.map(([line, ...more]) => {
      expect(more).toEqual([]);
      return String(line);
    });
    expect(lines.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
      'webhook refused: signature_mismatch',
      'webhook refused: header_missing',
      'webhook refused: method_not_allowed',
      'webhook refused: body_too_large',
    ]);
    expect(lines[0]).toContain('a wrong or retired secret, or a body that was changed');
    expect(lines.join()).not.toMatch(/whsec_|evt_private|v1=[0-9a-f]|\n/);
  });

  test('cannot be made without a secret, so that a missing setting shows at the start', () => {
    const secrets = undefined as unknown as string;
    expect(() => createReceiver({ secrets, onEvent: () => {} })).toThrow(/at least one webhook/);
  });

  test('cannot be made without a handler', () => {
    expect(() => createReceiver({ secrets: secret })).toThrow(/no handler/);
  });

  test('passes the context of a durable store to the handler', async () => {
    const seen: string[] = [];
    const receiver = createReceiver<string>({
      secrets: secret,
      store: {
        once: async (_, handle) => {
          await handle('transaction 7', null);
          return 'handled';
        },
      },
      onEvent: (_, context) => seen.push(context),
    });
    await receiver.accept(payment('evt_1', 1));
    expect(seen).toEqual(['transaction 7']);
  });
});

describe('the memory store', () => {
  test('forgets the oldest beyond its limit', async () => {
    const store = memoryStore(2);
    const once = (eventId: string, record: string, version: number) =>
      store.once({ eventId, record, version, object: {} }, async () => {});
    await once('e1', 'a', 1);
    await once('e2', 'b', 1);
    await once('e3', 'c', 1);
    expect(await once('e3', 'c', 1)).toBe('duplicate');
    expect(await once('e2', 'b', 1)).toBe('duplicate');
    expect(await once('e1', 'a', 1)).toBe('handled');
  });

  test.each([
    [true, 0, 1, 'duplicate'],
    [true, 5, 9, 'duplicate'],
    [false, 0, 1, 'handled'],
    [false, 1, 1, 'duplicate'],
    [false, 2, 1, 'outdated'],
    [false, 1, 2, 'handled'],
    [false, 9, null, 'handled'],
  ])('checkEvent: seen %s, held %i, version %s is %s', (seen, held, version, result) => {
    expect(checkEvent({ version }, seen, held)).toBe(result);
  });
});

describe('the node handler', () => {
  test('verifies the raw body, however it is cut into pieces', async () => {
    const { receiver, handled } = observed();
    const url = await serve(receiver.nodeHandler());
    const body = JSON.stringify({ ...payment('evt_1', 1), note: 'é☕'.repeat(100_000) });
    const reply = await post(url, body);
    expect([reply.status, await reply.json()]).toEqual([200, { outcome: 'handled' }]);
    expect(handled).toEqual(['evt_1']);
  });

  test('takes 1 MB and refuses one byte more with 413', async () => {
    const { receiver } = observed();
    const url = await serve(receiver.nodeHandler());
    const frame = JSON.stringify({ ...payment('evt_1', 1), note: '' }).length;
    const sized = (bytes: number) =>
      JSON.stringify({ ...payment('evt_1', 1), note: 'x'.repeat(bytes - frame) });
    expect((await post(url, sized(1_048_576))).status).toBe(200);
    const over = await post(url, sized(1_048_577));
    expect(over.status).toBe(413);
    expect(await over.json()).toMatchObject({ outcome: 'refused', reason: 'body_too_large' });
  });

  test('refuses other methods with 405 and forged events with 400', async () => {
    const { receiver } = observed();
    const url = await serve(receiver.nodeHandler());
    expect((await fetch(url)).status).toBe(405);
    const forged = await post(url, JSON.stringify(payment('evt_1', 1)), 't=1,v1=00');
    expect(forged.status).toBe(400);
  });

  test('reports body_not_raw when a framework has parsed the body before', async () => {
    const { receiver } = observed();
    const handle = receiver.nodeHandler();
    const url = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      Object.assign(request, { body: JSON.parse(Buffer.concat(chunks).toString()) });
      await handle(request, response);
    });
    const reply = await post(url, JSON.stringify(payment('evt_1', 1)));
    expect(await reply.json()).toMatchObject({ reason: 'body_not_raw' });
  });

  test('takes the bytes that a framework has read before', async () => {
    const { receiver } = observed();
    const handle = receiver.nodeHandler();
    const url = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      Object.assign(request, { body: Buffer.concat(chunks) });
      await handle(request, response);
    });
    expect((await post(url, JSON.stringify(payment('evt_1', 1)))).status).toBe(200);
  });

  test('survives a sender that disconnects', async () => {
    const { receiver } = observed();
    const url = new URL(await serve(receiver.nodeHandler()));
    const socket = connect(Number(url.port), url.hostname);
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"id"');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await fetch(url)).status).toBe(405);
  });
});

describe('the fetch handler', () => {
  const ask = (body: string, header = webhooks.sign(body, secret)) =>
    new Request('http://shop.example/hook', {
      method: 'POST',
      body,
      headers: { 'service-signature': header },
    });

  test('verifies the raw body of a Request and gives the Response', async () => {
    const { receiver, handled } = observed();
    const handle = receiver.fetchHandler();
    const reply = await handle(ask(JSON.stringify(payment('evt_1', 1))));
    expect([reply.status, await reply.json()]).toEqual([200, { outcome: 'handled' }]);
    expect(handled).toEqual(['evt_1']);
    expect(reply.headers.get('content-type')).toBe('application/json');
  });

  test('refuses what the node handler refuses', async () => {
    const handle = observed().receiver.fetchHandler();
    expect((await handle(new Request('http://shop.example/hook'))).status).toBe(405);
    expect((await handle(ask('{}', 't=1,v1=00'))).status).toBe(400);
    expect((await handle(ask('x'.repeat(1_048_577)))).status).toBe(413);
  });
});
