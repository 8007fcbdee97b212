import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { webhooks } from '@tenant-payments/sdk-server';
import { expect, onTestFinished, test } from 'vitest';
import { openBreakableProxy } from '../../../test/kit/http/breakable_proxy.ts';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';
import { until } from '../../../test/kit/wait.ts';
import { feedIdAt } from '../feed/follow.ts';
import type { Keys, Screen } from '../screen.ts';

const server = await openServer();
const { baseUrl, tenant, api } = server;
const env = accountEnv(baseUrl, tenant);

interface Taken {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A Tenant's own server on this machine. */
async function receiver(given = 200) {
  let status = given;
  const taken: Taken[] = [];
  const http = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, type } = JSON.parse(body);
    taken.push({ id, type, url: request.url ?? '', body, headers: request.headers });
    reply.writeHead(status).end(status === 200 ? '' : 'no such order');
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  return {
    taken,
    port,
    url: `http://127.0.0.1:${port}/hooks?source=tpay`,
    ids: () => taken.map(({ id }) => id),
    answer: (next: number) => {
      status = next;
    },
  };
}

/** A command that goes on until the test ends, or `stop` ends it. */
function running(tpay: ReturnType<typeof openTpay>, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const stopper = new AbortController();
  const shown = tpay.with({
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    signal: stopper.signal,
  });
  const ended = shown('listen', ...args);
  const stop = async () => {
    stopper.abort();
    return (await ended).code;
  };
  onTestFinished(async () => void (await stop()));
  const ready = (times = 1) =>
    until(() => err.filter((line) => line.startsWith('Ready')).length >= times);
  return { out, err, ended, stop, ready };
}

/** Makes records with events. @returns the ids of the events, as the portal lists them, oldest first */
async function makeEvents(count: number): Promise<string[]> {
  const before = await listed();
  for (let i = 0; i < count; i += 1) await api.applied('individual');
  return (await listed()).filter((id) => !before.includes(id));
}
async function listed(): Promise<string[]> {
  const { data } = await api.get('/portal/api/events?limit=100');
  return data.map(({ id }: { id: string }) => id).reverse();
}

test('events come signed with real time to the address with its query', async () => {
  const { taken, url, ids } = await receiver();
  const tpay = openTpay(env);
  const listen = running(tpay, '--forward-to', url, '--header', 'X-Env: dev', '--since', 'now');
  await listen.ready();
  const made = await makeEvents(3);
  await until(() => ids().length >= made.length);
  expect(ids().sort()).toEqual([...made].sort());
  const secret = (await tpay('listen', '--print-secret')).out.join();
  for (const { body, headers, url: path } of taken) {
    expect(webhooks.unwrap(body, headers, { secrets: secret }).object).toBe('event');
    expect([path, headers['x-env']]).toEqual(['/hooks?source=tpay', 'dev']);
  }
  expect(listen.out.join('\n')).toMatch(
    /--> customer\.\w+ \[evt_\w+\] .*\n.*<-- \[200\] POST http/,
  );
  expect(await listen.stop()).toBe(0);
});

test('after a restart it goes on behind the last event, with the same secret', async () => {
  const { url, ids } = await receiver();
  const tpay = openTpay(env);
  const first = running(tpay, '--forward-to', url, '--since', 'now');
  await first.ready();
  const made = await makeEvents(2);
  await until(() => ids().length === made.length);
  const secret = (await tpay('listen', '--print-secret')).out;
  await first.stop();
  made.push(...(await makeEvents(3)));
  const second = running(tpay, '--forward-to', url);
  await until(() => ids().length >= made.length);
  expect(ids().sort()).toEqual([...made].sort());
  expect(second.err[0]).toContain('Going on behind the last event');
  expect((await tpay('listen', '--print-secret')).out).toEqual(secret);
});

test('each of two targets goes on where it ended itself', async () => {
  const [first, second] = [await receiver(), await receiver()];
  const tpay = openTpay(env);
  const both = [first, second].map(({ url }) =>
    running(tpay, '--forward-to', url, '--since', 'now'),
  );
  for (const { ready } of both) await ready();
  await makeEvents(1);
  await until(() => first.ids().length > 0 && second.ids().length > 0);
  await both[1]?.stop();
  const missed = await makeEvents(2);
  await until(() => missed.every((id) => first.ids().includes(id)));
  expect(second.ids()).not.toContain(missed[0]);
  const again = running(tpay, '--forward-to', second.url);
  await again.ready();
  await until(() => missed.every((id) => second.ids().includes(id)));
  expect(second.ids()).toHaveLength(new Set(second.ids()).size);
  // Together: the one that was ahead gets nothing twice.
  await both[0]?.stop();
  const later = await makeEvents(1);
  await until(() => later.every((id) => second.ids().includes(id)));
  await again.stop();
  const apart = `customer.*=${first.url}`;
  const together = running(tpay, '--forward-to', second.url, '--route', apart);
  await together.ready();
  await until(() => first.ids().some((id) => later.includes(id)));
  for (const { ids } of [first, second]) expect(ids()).toHaveLength(new Set(ids()).size);
});

test('a target that got nothing before it ended goes on where it began', async () => {
  const { url, ids } = await receiver();
  const tpay = openTpay(env);
  const listen = running(tpay, '--forward-to', url);
  await listen.ready();
  await listen.stop();
  const missed = await makeEvents(1);
  await running(tpay, '--forward-to', url).ready();
  await until(() => missed.every((id) => ids().includes(id)));
});

test('the next listener goes on where an earlier release ended', async () => {
  const [next, further] = [await receiver(), await receiver()];
  const tpay = openTpay(env);
  const { real_now } = await api.get('/portal/api/clock');
  const account = `${tenant.client_id} ${baseUrl}`;
  const folder = join(tpay.home, '.config', 'tenant-payments');
  mkdirSync(folder, { recursive: true });
  const after = feedIdAt(Date.parse(real_now));
  writeFileSync(join(folder, 'listen.json'), JSON.stringify({ [account]: { after } }));
  const missed = await makeEvents(1);
  await running(tpay, '--forward-to', next.url).ready();
  await until(() => missed.every((id) => next.ids().includes(id)));
  await running(tpay, '--forward-to', further.url).ready();
  const later = await makeEvents(1);
  await until(() => later.every((id) => further.ids().includes(id)));
  expect(further.ids()).not.toContain(missed[0]);
});

test('--since hands over what came before', async () => {
  const made = await makeEvents(2);
  const { url, ids } = await receiver();
  running(openTpay(env), '--forward-to', url, '--since', '10m');
  await until(() => ids().includes(made.at(-1) ?? ''));
  expect(new Set(ids()).size).toBe(ids().length);
});

test('routes and filters send each type where it belongs', async () => {
  const [all, sessions] = [await receiver(), await receiver()];
  const listen = running(
    openTpay(env),
    '--forward-to',
    String(all.port),
    '--route',
    `session.*=${sessions.url}`,
    '--events',
    'customer.*,session.*',
    '--since',
    'now',
    '--json',
  );
  await listen.ready();
  await makeEvents(1);
  await until(() => all.taken.length > 0 && sessions.taken.length > 0);
  expect(all.taken.map(({ type }) => type).filter((type) => !type.startsWith('customer.'))).toEqual(
    [],
  );
  expect(sessions.taken.every(({ type }) => type.startsWith('session.'))).toBe(true);
  const [line] = listen.out.map((text) => JSON.parse(text));
  expect(line).toMatchObject({
    event_id: expect.stringMatching(/^evt_/),
    status: 200,
    error: null,
  });
});

test('a server that is down or refuses ends nothing, and is told with what to do', async () => {
  const refusing = await receiver(500);
  const listen = running(
    openTpay(env),
    '--forward-to',
    'http://127.0.0.1:1',
    '--route',
    `session.*=${refusing.url}`,
    '--since',
    'now',
    '--quiet',
  );
  await listen.ready();
  expect(listen.err[0]).toBe('note: nobody listens at http://127.0.0.1:1/ yet');
  await makeEvents(1);
  await until(() =>
    listen.out.join('\n').includes('[ERROR] POST http://127.0.0.1:1/ ECONNREFUSED'),
  );
  expect(listen.err.join('\n')).toContain('hint: nobody listens at http://127.0.0.1:1/');
  await until(() => listen.out.join('\n').includes('no such order'));
});

test('without a connection for too long it ends with exit code 1', async () => {
  const network = await openBreakableProxy(baseUrl);
  const tpay = openTpay(accountEnv(network.baseUrl, tenant));
  const listen = running(tpay, '--since', 'now', '--max-downtime', '1s');
  await listen.ready();
  network.cut();
  const { code } = await listen.ended;
  expect(code).toBe(1);
  expect(listen.err.at(-2)).toMatch(/^error: no connection to http.* for too long/);
});

test('as the endpoint it takes deliveries, and the answer of the server is their status', async () => {
  const before = { url: 'http://127.0.0.1:1/before', enabled: true };
  await api.put('/portal/api/webhook-endpoint', before);
  const { taken, url, answer } = await receiver(500);
  const tpay = openTpay({ ...env, PAY_WEBHOOK_SECRET: tenant.webhook_secret });
  const listenThere = () => running(tpay, '--as-endpoint', '--forward-to', url);
  const first = listenThere();
  await first.ready();
  const second = listenThere();
  await second.ready();
  expect(await first.stop()).toBe(0);
  const [id = ''] = await makeEvents(1);
  const event = () => tpay.json('events', 'get', id);
  await until(async () => (await event()).delivery.status === 'retrying');
  expect((await event()).attempts[0]).toMatchObject({
    response_status: 500,
    response_body: 'no such order',
  });
  answer(200);
  await tpay('events', 'resend', id);
  await until(async () => (await event()).delivery.status === 'delivered');
  const secrets = (await tpay('listen', '--as-endpoint', '--print-secret')).out.join();
  for (const { body, headers } of taken.filter((each) => each.id === id))
    expect(webhooks.unwrap(body, headers, { secrets }).id).toBe(id);
  expect(await second.stop()).toBe(0);
  expect(await api.get('/portal/api/webhook-endpoint')).toEqual(before);
});

test('the whole screen shows events and their details, opens one, and gives the terminal back', async () => {
  const { url } = await receiver();
  const written: string[] = [];
  let press: Keys = {};
  const screen: Screen = {
    write: (text) => void written.push(text),
    size: () => ({ columns: 80, rows: 14 }),
    onResize: () => () => {},
    readKeys(keys) {
      press = keys;
      return () => {};
    },
  };
  const now = () => stripVTControlCharacters(written.at(-1) ?? '').split('\r\n');
  const tpay = openTpay(env).with({ screen });
  const ended = tpay('listen', '--forward-to', url, '--since', 'now');
  await until(() => now().some((line) => line.startsWith('Ready')));
  const [id] = await makeEvents(1);
  await until(() => now().some((line) => /^> .* 200 .*ms/.test(line)));
  for (let up = 0; up < 20; up += 1) press.up?.();
  press.d?.();
  expect(now().find((line) => line.startsWith('event'))).toContain(id);
  press.o?.();
  expect(now().join('\n')).toContain(`${baseUrl}/portal/record/${id}`);
  expect(now().every((line) => line.length <= 80) && now().length).toBe(14);
  press.q?.();
  expect((await ended).code).toBe(0);
  expect(written.at(-1)).toMatch(/\?1049l\d+ events handed over, 0 of them refused/);
});

test.each([
  [['--as-endpoint', '--since', '10m'], '--since does not go with --as-endpoint'],
  [['--as-endpoint', '--base-url', 'https://pay.example.com'], 'is not on this machine'],
  [['--as-endpoint', '--print-secret'], 'is not known here'],
  [['--events', 'payment.complete'], 'Did you mean payment.completed?'],
  [['--route', 'payment.*'], 'is not types=address'],
  [['--header', 'X-Env'], 'is not name: value'],
  [['--since', 'yesterday', '--forward-to', '1'], 'is no duration'],
])('listen %j is wrong usage', async (args, says) => {
  const { code, err } = await openTpay(env)('listen', ...args);
  expect([code, err.join('\n')]).toEqual([2, expect.stringContaining(says)]);
});
