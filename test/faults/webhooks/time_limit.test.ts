import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import { type Behaviour, type RawReceiver, startRawReceiver } from './receivers/raw_receiver.ts';

/** The usual limit, not one of a test's: ten seconds (rules/webhooks#2). All wait at once. */
const ok = 'HTTP/1.1 200 OK\r\n';
const later =
  (seconds: number, text: string): Behaviour =>
  (socket) =>
    void setTimeout(() => socket.write(text), seconds * 1_000);

/** Near the limit, but not so near that the machine's speed decides. */
const cases = [
  {
    name: 'an answer after nine seconds counts',
    behave: later(9, `${ok}content-length: 0\r\n\r\n`),
    expected: { status: 'delivered', last_response_status: 200 },
    error: null,
  },
  {
    name: 'an answer after eleven seconds does not',
    behave: later(11, `${ok}content-length: 0\r\n\r\n`),
    expected: { status: 'retrying', last_response_status: null },
    error: 'timeout',
  },
  {
    name: 'a 2xx after nine seconds counts, even if its body comes too late',
    behave: later(9, `${ok}content-length: 3\r\n\r\n`),
    expected: { status: 'delivered', last_response_status: 200 },
    error: 'timeout',
  },
] as const;

let deliveries: Deliveries;
const receivers: RawReceiver[] = [];
const became = new Map<string, { delivery: unknown; error: unknown; durationMs: number }>();

beforeAll(async () => {
  deliveries = await openDeliveries();
  deliveries.dispatch();
  await Promise.all(
    cases.map(async ({ name, behave }) => {
      const receiver = await startRawReceiver(behave);
      receivers.push(receiver);
      const subscriber = await deliveries.subscriber(receiver.url);
      const id = await subscriber.makeEvent();
      const delivery = await subscriber.until(id, { attempts: 1 });
      const [attempt] = await subscriber.attempts(id);
      became.set(name, { delivery, error: attempt.error, durationMs: attempt.duration_ms });
    }),
  );
});
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await deliveries.stop();
});

test.each(cases)('$name', ({ name, expected, error }) => {
  const found = became.get(name);
  expect(found).toMatchObject({ delivery: { ...expected, attempts: 1 }, error });
  const atLeastMs = error === null ? 8_900 : 9_900;
  expect(found?.durationMs).toBeGreaterThan(atLeastMs);
  expect(found?.durationMs).toBeLessThan(error === null ? 10_000 : 10_900);
});
