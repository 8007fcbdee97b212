import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { listenForMetrics } from './metrics_listener.ts';

const listener = await listenForMetrics(
  { environment: 'production', metricsPort: 0, metricsHost: '127.0.0.1' },
  pino({ level: 'silent' }),
  { headersMs: 300, requestMs: 400, checkEveryMs: 20, keepAliveMs: 300, silenceMs: 800 },
);
afterAll(() => listener.close());
const port = listener.port ?? 0;

/** Sends bytes and nothing more. @returns after how long the service closed the connection */
function closedAfter(bytes: string): Promise<number> {
  const beganMs = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    // Half open: this side never ends, also when the other one has.
    socket.on('error', () => {}).resume();
    socket.on('close', () => resolve(performance.now() - beganMs));
  });
}

const post = 'POST /metrics HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n';

it.each([
  ['says nothing', ''],
  ['does not end its headers', 'GET /metrics HTTP/1.1\r\nHost: h\r\nX: '],
  ['does not end its body', `${post}{`],
  ['keeps its connection after a reply', 'GET /livez HTTP/1.1\r\nHost: h\r\n\r\n'],
])('the metrics port closes the connection of a client that %s', async (_, bytes) => {
  expect(await closedAfter(bytes)).toBeGreaterThan(100);
});

it('the metrics port serves others while many are slow', async () => {
  const slow = Array.from({ length: 200 }, () => closedAfter('GET /metrics HTTP/1.1\r\nX: '));
  for (let times = 0; times < 10; times += 1)
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
  await Promise.all(slow);
});
