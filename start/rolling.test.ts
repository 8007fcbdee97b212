import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, fetchToken } from '../test/kit/http/http.ts';
import { openRoundRobin } from '../test/kit/http/round_robin.ts';
import { application } from '../test/kit/person.ts';
import { freePort } from '../test/kit/processes/free_port.ts';
import {
  type Deployment,
  openDeployment,
  type ServiceProcess,
  terminate,
} from '../test/kit/processes/processes.ts';
import { until } from '../test/kit/wait.ts';

/** Two processes at addresses that stay, behind a balancer that only knows `/readyz`. */

const lookEveryMs = 50;
const clients = 3;

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment();
});
afterAll(() => deployment.stop());

const startAt = (PORT: string, more: Record<string, string> = {}) =>
  deployment.start('api,worker', {
    PORT,
    SHOP: 'off',
    DRAIN_DELAY_SECONDS: '2',
    ...more,
  });

const portOf = ({ baseUrl }: ServiceProcess) => new URL(baseUrl).port;

const isReady = ({ baseUrl }: ServiceProcess) =>
  fetch(`${baseUrl}/readyz`).then(
    ({ status }) => status,
    () => null,
  );

test('a restart of one process after the other behind a plain round robin fails no request', async () => {
  const proxy = await openRoundRobin(lookEveryMs);
  const ports = [String(await freePort()), String(await freePort())];
  const running: ServiceProcess[] = [];
  for (const port of ports) running.push(await startAt(port, { PUBLIC_URL: proxy.baseUrl }));
  proxy.lead(...running);
  const [first] = running;
  if (!first) throw new Error('it has started');
  const token = await fetchToken(first.baseUrl, await deployment.facts());
  const call = caller(proxy.baseUrl, token);
  await until(async () => (await fetch(`${proxy.baseUrl}/livez`).catch(() => null))?.ok === true);
  proxy.faults.length = 0;

  let isOver = false;
  const failed: string[] = [];
  const taken: number[] = [];
  const ask = async () => {
    while (!isOver) {
      const body = application('individual');
      const made = await call('POST', '/v1/customers', { key: body.external_ref, body });
      const read = await call('GET', `/v1/customers/${made.body?.id}`);
      for (const { status } of [made, read]) {
        taken.push(status);
        if (status >= 300) failed.push(String(status));
      }
    }
  };
  const asking = Array.from({ length: clients }, () =>
    ask().catch((error: Error) => void failed.push(error.message)),
  );
  for (const leaving of running) {
    expect(await terminate(leaving)).toBe(0);
    await startAt(portOf(leaving), { PUBLIC_URL: proxy.baseUrl });
  }
  isOver = true;
  await Promise.all(asking);
  expect([...proxy.faults, ...failed]).toEqual([]);
  expect(taken.length).toBeGreaterThan(20);
});

test('a process that is told to end says so at once, and serves until its balancer has seen it', async () => {
  const one = await startAt(String(await freePort()));
  expect(await isReady(one)).toBe(200);
  one.child.kill('SIGTERM');
  await until(async () => (await isReady(one)) === 503);
  const live = await fetch(`${one.baseUrl}/livez`);
  expect([live.status, live.headers.get('connection')]).toEqual([200, 'close']);
  expect(await one.ended).toBe(0);
  expect(await isReady(one)).toBeNull();
});

test('the port of the API is closed until the process is ready', async () => {
  const port = String(await freePort());
  const seen = new Set<number | null>();
  let isStarted = false;
  const watching = (async () => {
    while (!isStarted)
      seen.add(await isReady({ baseUrl: `http://localhost:${port}` } as ServiceProcess));
  })();
  const one = await startAt(port);
  isStarted = true;
  await watching;
  expect(await isReady(one)).toBe(200);
  expect([...seen].filter((status) => status !== null && status !== 200)).toEqual([]);
  expect(await terminate(one)).toBe(0);
});
