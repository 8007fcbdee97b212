import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { listen } from './listen.ts';

const loopback = ['127.0.0.1'];
const addressOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`;

it('replies that the service is not ready while it has none', async () => {
  const listener = await listen(loopback, 0);
  const ready = await fetch(`${addressOf(listener)}/readyz`);
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await ready.json()).toMatchObject({ error: { code: 'internal_error' } });
  await listener.close(1_000);
});

it('listens on both loopback addresses at one port, or on one where there is one', async () => {
  const listener = await listen(['127.0.0.1', '::1', '203.0.113.1'], 0);
  listener.use((_request, response) => response.end('here'));
  const hasIpv6 = networkInterfaces().lo?.some(({ address }) => address === '::1');
  for (const host of hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'])
    expect(await (await fetch(`http://${host}:${listener.port}/`)).text()).toBe('here');
  await listener.close(1_000);
});

it('reports a used port in one line', async () => {
  const first = await listen(loopback, 0);
  await expect(listen(loopback, first.port)).rejects.toThrow(
    `PORT: ${first.port} is in use on 127.0.0.1; stop the process that listens there, or set PORT to another one.`,
  );
  await first.close(1_000);
});

it('finishes a request under way, closes its connection, and takes no other', async () => {
  const listener = await listen(loopback, 0);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    listener.use((_request, response) => {
      answer = () => response.end('done');
      resolve();
    });
  });
  const reply = new Promise<{ connection: string | undefined }>((resolve, reject) => {
    get(addressOf(listener), { headers: { connection: 'keep-alive' } }, (response) => {
      response.resume();
      resolve({ connection: response.headers.connection });
    }).on('error', reject);
  });
  await asked;
  const closed = listener.close(5_000);
  await expect(fetch(addressOf(listener))).rejects.toThrow();
  answer();
  expect((await reply).connection).toBe('close');
  await closed;
});

it('cuts requests that have not ended in time', async () => {
  const listener = await listen(loopback, 0);
  const asked = new Promise<void>((resolve) => listener.use(() => resolve()));
  const reply = fetch(addressOf(listener)).catch(() => 'cut');
  await asked;
  await listener.close(50);
  expect(await reply).toBe('cut');
});
