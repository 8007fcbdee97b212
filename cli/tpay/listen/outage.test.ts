import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openApi } from '../../../test/kit/api.ts';
import { openBreakableProxy } from '../../../test/kit/http/breakable_proxy.ts';
import { fetchToken } from '../../../test/kit/http/http.ts';
import { listening } from '../../../test/kit/http/listening.ts';
import { openDeployment } from '../../../test/kit/processes/processes.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';
import { until } from '../../../test/kit/wait.ts';

/** Its pauses are this much shorter than those of a user. */
const shorter = 500;
const tenMinutesMs = 600_000;

test('ten minutes without network, in which the service dies too, miss no event and double none', async () => {
  const deployment = await openDeployment();
  onTestFinished(() => deployment.stop());
  const first = await deployment.start('api,worker');
  const facts = await deployment.facts();
  const network = await openBreakableProxy(first.baseUrl);
  const ids: string[] = [];
  const hooks = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    ids.push(JSON.parse(body).id);
    reply.end();
  });
  const stopper = new AbortController();
  const said: string[] = [];
  let pausedMs = 0;
  const tpay = openTpay(accountEnv(network.baseUrl, facts)).with({
    err: (line) => said.push(line),
    signal: stopper.signal,
    pause: (milliseconds) => {
      pausedMs += milliseconds;
      return sleep(milliseconds / shorter);
    },
  });
  const url = await listening(hooks);
  const ended = tpay('listen', '--forward-to', url, '--since', '1h', '--quiet');
  const ready = (times: number) =>
    until(() => said.filter((line) => line.startsWith('Ready')).length >= times);
  await ready(1);
  network.cut();
  await openApi(first.baseUrl, await fetchToken(first.baseUrl, facts)).applied('individual');
  await until(() => pausedMs > tenMinutesMs / 2);
  first.child.kill('SIGKILL');
  await first.ended;
  // At the same address: it comes back.
  await deployment.start('api,worker', { PORT: new URL(first.baseUrl).port });
  const api = openApi(first.baseUrl, await fetchToken(first.baseUrl, facts));
  await api.applied('individual');
  await until(() => pausedMs > tenMinutesMs);
  network.mend();
  await ready(2);
  await api.applied('individual');
  const { data } = await api.get('/portal/api/events?limit=100');
  await until(() => ids.length >= data.length);
  stopper.abort();
  expect((await ended).code).toBe(0);
  expect(ids.sort()).toEqual(data.map(({ id }: { id: string }) => id).sort());
});
