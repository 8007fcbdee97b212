import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { drive } from './drive.ts';
import { idPlace } from './follow_up.ts';
import { freshKey, requestText } from './requests.ts';

let closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.map((close) => close()));
  closers = [];
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

function requests(port: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    requestText(port, {
      method: 'POST',
      path: `/v1/payments/${index}`,
      token: 't',
      body: { index },
      idempotencyKey: freshKey(),
    }),
  );
}

const plan = { clients: 3, warmUpSeconds: 0, wantsBodies: true };
const silent = { onOpen: () => {}, onClose: () => {} };

test('every request is sent once, with a key of its own', async () => {
  const seen: unknown[] = [];
  const port = await serve((request, response) => {
    seen.push(request.headers['idempotency-key']);
    response.writeHead(202, { 'content-length': 2 }).end('{}');
  });
  await drive({ ...plan, ports: [port], requests: requests(port, 20) }, silent);
  expect(seen).toHaveLength(20);
  expect(new Set(seen).size).toBe(20);
});

test('refusals and replays are counted, and each reply is at the position of its request', async () => {
  const port = await serve((request, response) => {
    const isRefused = request.url === '/v1/payments/3';
    const body = `{"path":"${request.url}"}`;
    response.writeHead(isRefused ? 503 : 202, {
      'content-length': body.length,
      ...(request.url === '/v1/payments/4' ? { 'Idempotent-Replayed': 'true' } : {}),
    });
    response.write(body.slice(0, 5));
    setTimeout(() => response.end(body.slice(5)), 1);
  });
  const report = await drive({ ...plan, ports: [port], requests: requests(port, 20) }, silent);
  expect(report.statuses).toEqual({ 202: 19, 503: 1 });
  expect(report.replayed).toBe(1);
  expect(report.refusal).toBe('{"path":"/v1/payments/3"}');
  expect(report.bodies.map((body) => JSON.parse(body).path)).toEqual(
    Array.from({ length: 20 }, (_, index) => `/v1/payments/${index}`),
  );
});

test('replies count from the end of the warm-up to the last request, and the window opens once', async () => {
  const port = await serve((_request, response) => {
    setTimeout(() => response.writeHead(202, { 'content-length': 2 }).end('{}'), 2);
  });
  const notified: string[] = [];
  const events = { onOpen: () => notified.push('open'), onClose: () => notified.push('close') };
  const warm = { ...plan, warmUpSeconds: 0.05, wantsBodies: false };
  const report = await drive({ ...warm, ports: [port], requests: requests(port, 150) }, events);
  expect(notified).toEqual(['open', 'close']);
  expect(report.answered).toBeGreaterThan(0);
  expect(report.answered).toBeLessThan(150);
  expect(report.seconds).toBeGreaterThan(0);
  expect(report.p99Ms).toBeGreaterThanOrEqual(report.p50Ms);
});

test('a service that stops fails the run', async () => {
  const port = await serve((request) => void request.socket.destroy());
  await expect(
    drive({ ...plan, ports: [port], requests: requests(port, 5) }, silent),
  ).rejects.toThrow();
});

test('clients are spread evenly over the ports', async () => {
  const clients = [new Set(), new Set()];
  const listen = (seen: Set<unknown>) =>
    serve((request, response) => {
      seen.add(request.socket);
      response.writeHead(202, { 'content-length': 2 }).end('{}');
    });
  const ports = await Promise.all(clients.map(listen));
  await drive({ ...plan, clients: 6, ports, requests: requests(0, 20) }, silent);
  expect(clients.map((seen) => seen.size)).toEqual([3, 3]);
});

const idOf = (index: number) => `pay_${String(index).padStart(32, '0')}`;

/** The second request of this index: it names the payment that it completes. */
const followUps = (count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    requestText(0, {
      method: 'POST',
      path: `/complete/${index}`,
      token: 't',
      body: { object_id: idPlace },
    }),
  );

/** Creates payment n at `/v1/payments/n`, unless it is refused. */
function creating(completed: string[], refused: number | null, delayMs = 0): RequestListener {
  return async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const index = Number(request.url?.split('/').at(-1));
    const isCompletion = request.url?.startsWith('/complete/');
    if (isCompletion) completed.push(`${index} ${JSON.parse(text).object_id}`);
    const created = `{"session":{"id":"ses_1"},"id":"${idOf(index)}"}`;
    const isRefused = !isCompletion && index === refused;
    const body = isCompletion || isRefused ? '{}' : created;
    const status = isRefused ? 409 : isCompletion ? 202 : 201;
    const reply = () => response.writeHead(status, { 'content-length': body.length }).end(body);
    setTimeout(reply, delayMs);
  };
}

test('the second request has the id from the first reply, and both are one operation', async () => {
  const completed: string[] = [];
  const port = await serve(creating(completed, null, 5));
  const paired = { ...plan, wantsBodies: false, followUps: followUps(20) };
  const report = await drive({ ...paired, ports: [port], requests: requests(port, 20) }, silent);
  const ids = Array.from({ length: 20 }, (_, index) => idOf(index));
  expect(completed.sort()).toEqual(ids.map((id, index) => `${index} ${id}`).sort());
  expect(report.ids).toEqual(ids);
  expect(report.statuses).toEqual({ 201: 20, 202: 20 });
  expect(report.answered).toBeLessThan(20);
  // Two replies of 5 ms each; a timer may be a little early.
  expect(report.p50Ms).toBeGreaterThan(8);
});

test('no second request follows a refusal, and the run still ends', async () => {
  const completed: string[] = [];
  const port = await serve(creating(completed, 3));
  const paired = { ...plan, followUps: followUps(8) };
  const report = await drive({ ...paired, ports: [port], requests: requests(port, 8) }, silent);
  expect(report.statuses).toEqual({ 201: 7, 202: 7, 409: 1 });
  expect(completed).toHaveLength(7);
});

test('a reply without the wanted id fails the run', async () => {
  const port = await serve((_request, response) => {
    response.writeHead(201, { 'content-length': 2 }).end('{}');
  });
  const paired = { ...plan, ports: [port], followUps: followUps(5) };
  await expect(drive({ ...paired, requests: requests(port, 5) }, silent)).rejects.toThrow(
    "without a payment's id",
  );
});
