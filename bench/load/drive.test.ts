import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { drive } from './drive.ts';
import { freshKey, requestText } from './requests.ts';

let close = async (): Promise<void> => {};
afterEach(() => close());

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
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
  await drive({ ...plan, port, requests: requests(port, 20) }, silent);
  expect(seen).toHaveLength(20);
  expect(new Set(seen).size).toBe(20);
});

test('refusals and replays are counted, and each answer stands at the place of its request', async () => {
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
  const report = await drive({ ...plan, port, requests: requests(port, 20) }, silent);
  expect(report.statuses).toEqual({ 202: 19, 503: 1 });
  expect(report.replayed).toBe(1);
  expect(report.refusal).toBe('{"path":"/v1/payments/3"}');
  expect(report.bodies.map((body) => JSON.parse(body).path)).toEqual(
    Array.from({ length: 20 }, (_, index) => `/v1/payments/${index}`),
  );
});

test('answers count from the end of the warm-up to the last request, and the window opens once', async () => {
  const port = await serve((_request, response) => {
    setTimeout(() => response.writeHead(202, { 'content-length': 2 }).end('{}'), 2);
  });
  const told: string[] = [];
  const events = { onOpen: () => told.push('open'), onClose: () => told.push('close') };
  const warm = { ...plan, warmUpSeconds: 0.05, wantsBodies: false };
  const report = await drive({ ...warm, port, requests: requests(port, 150) }, events);
  expect(told).toEqual(['open', 'close']);
  expect(report.answered).toBeGreaterThan(0);
  expect(report.answered).toBeLessThan(150);
  expect(report.seconds).toBeGreaterThan(0);
  expect(report.p99Ms).toBeGreaterThanOrEqual(report.p50Ms);
});

test('a service that goes away fails the run', async () => {
  const port = await serve((request) => void request.socket.destroy());
  await expect(drive({ ...plan, port, requests: requests(port, 5) }, silent)).rejects.toThrow();
});
