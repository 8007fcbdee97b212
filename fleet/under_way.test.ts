import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openUnderWay } from './under_way.ts';

test('a stop cuts the requests that outlast its first moments, and none that begins after it', async () => {
  const underWay = openUnderWay();
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    underWay.add('tenant', response);
    responses.push(response);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const ended = new Promise((resolve) => {
      get({ host: '127.0.0.1', port, agent: false })
        .once('response', ({ statusCode }) => resolve(statusCode))
        .once('error', resolve);
    });
    await once(server, 'request');
    return { ended };
  };
  const before = await ask();
  underWay.end('tenant');
  const after = await ask();
  expect(await before.ended).toMatchObject({ code: 'ECONNRESET' });
  responses.at(-1)?.end();
  expect(await after.ended).toBe(200);
});
