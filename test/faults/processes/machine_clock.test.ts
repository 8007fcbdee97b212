import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../kit/http/http.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { application } from '../../kit/person.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { startTestService, type TestService } from '../../kit/service.ts';

const aheadMs = 90_000;
/** The time for which an event is under way. */
const holdMs = 1_500;
let onTime: TestServer;
let ahead: TestService;
let receiver: TestReceiver;
const lines: ReplyBody[] = [];

beforeAll(async () => {
  onTime = await startTestServer({ alone: true });
  ahead = await startTestService({
    beside: onTime,
    alone: true,
    machineNow: () => Date.now() + aheadMs,
    onLog: (line) => void lines.push(JSON.parse(line)),
  });
  await ahead.service.processRegistry.start();
  receiver = await startTestReceiver();
  // Slower than a look for work, so that both processes see what is under way.
  receiver.answer((_, response) => void setTimeout(() => response.writeHead(200).end(), holdMs));
  const body = { url: receiver.url, enabled: true };
  expect((await onTime.call('PUT', '/portal/api/webhook-endpoint', { body })).status).toBe(200);
});
afterAll(async () => {
  await ahead.stop();
  await onTime.stop();
  await receiver.close();
});

async function create(at: string): Promise<ReplyBody> {
  const { external_ref, ...rest } = application('individual');
  const reply = await fetch(`${at}/v1/customers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${onTime.token}`,
      'content-type': 'application/json',
      'idempotency-key': external_ref,
    },
    body: JSON.stringify({ external_ref, ...rest }),
  });
  expect(reply.status).toBe(201);
  return { ...((await reply.json()) as ReplyBody), seenMs: Date.now() };
}

test('a process whose machine is 90 s ahead works by the time of the database, and takes no lease that is held', async () => {
  const made: ReplyBody[] = [];
  for (let round = 0; round < 2; round += 1)
    for (const { baseUrl } of [onTime, ahead]) made.push(await create(baseUrl));
  for (const { created_at, seenMs } of made)
    expect(Math.abs(Date.parse(created_at) - seenMs)).toBeLessThan(3_000);

  await receiver.waitFor(made.length);
  await sleep(holdMs);
  const ids = receiver.received.map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(made.length);
  expect(ids).toHaveLength(made.length);
});

test('it is not ready, says by how much its clock differs, and raises the alarm once', async () => {
  const reply = await fetch(`${ahead.baseUrl}/readyz`);
  const { error } = (await reply.json()) as ReplyBody;
  expect([reply.status, error.message]).toEqual([
    503,
    "not ready: the machine's clock differs from the database's by 90 s",
  ]);
  expect((await fetch(`${onTime.baseUrl}/readyz`)).status).toBe(200);
  const alarms = () => lines.filter(({ alarm }) => alarm === 'clock');
  expect(alarms()).toHaveLength(1);
  expect(Math.abs(alarms()[0]?.ahead_ms - aheadMs)).toBeLessThan(1_000);
});
