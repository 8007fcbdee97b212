import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  openSender,
  type Sender,
  type SenderOptions,
} from '../../../service/webhooks/send/send.ts';
import { makeAuthority } from '../../kit/http/certificates.ts';
import { until } from '../../kit/wait.ts';
import { flood } from './receivers/behaviours.ts';
import {
  type Behaviour,
  type RawReceiver,
  type RawReceiverOptions,
  startRawReceiver,
} from './receivers/raw_receiver.ts';

/** The way out alone, below deliveries: connections, certificates, memory. */
const authority = makeAuthority();
const headers = { 'content-type': 'application/json' };
const maximumBytes = 65_536;
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const accept: Behaviour = (socket) => void socket.write(ok);

let receivers: RawReceiver[] = [];
let senders: Sender[] = [];

beforeEach(() => {
  receivers = [];
  senders = [];
});
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await Promise.all(senders.map((sender) => sender.close()));
});

async function receive(behave: Behaviour, options?: RawReceiverOptions): Promise<RawReceiver> {
  const receiver = await startRawReceiver(behave, options);
  receivers.push(receiver);
  return receiver;
}

function sender(options: Partial<SenderOptions> = {}): Sender {
  const opened = openSender({
    environment: 'sandbox',
    timeoutMs: 2_000,
    maximumBytes,
    ca: authority.cert,
    ...options,
  });
  senders.push(opened);
  return opened;
}

const hour = { valid: 24, expired: -1 };
test.each([
  ['of a trusted authority and the right name', ['localhost'], hour.valid, 200, null],
  ['for one of several names', ['shop.example', 'localhost'], hour.valid, 200, null],
  ['that has expired', ['localhost'], hour.expired, null, 'certificate_expired'],
  ['of another name', ['shop.example'], hour.valid, null, 'certificate_of_another_name'],
  ['of a name above', ['*.localhost'], hour.valid, null, 'certificate_of_another_name'],
  [
    'of an address instead of the name',
    ['127.0.0.1'],
    hour.valid,
    null,
    'certificate_of_another_name',
  ],
])('a certificate %s: %s', async (_name, names, validHours, status, error) => {
  const tls = authority.issue({ names, validHours });
  const { port, requests } = await receive(accept, { tls });
  const answer = await sender().send(`https://localhost:${port}/hooks`, headers, '{}');
  expect([answer.status, answer.error]).toEqual([status, error]);
  expect(requests).toHaveLength(status === null ? 0 : 1);
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is spoken', async (version) => {
  const tls = authority.issue({ names: ['127.0.0.1'] });
  const versions = { minVersion: version, maxVersion: version };
  const { url } = await receive(accept, { tls: { ...tls, ...versions } });
  expect(await sender().send(url, headers, '{}')).toMatchObject({ status: 200, error: null });
});

test('a certificate is verified even where the environment says that none need be', async () => {
  const { url } = await receive(accept, { tls: authority.issue({ names: ['shop.example'] }) });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    const { error } = await sender().send(url, headers, '{}');
    expect(error).toBe('certificate_of_another_name');
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
});

test('a connection is kept for the next event, and what comes between the two is no answer', async () => {
  const kept: Socket[] = [];
  const receiver = await receive((socket) => {
    kept.push(socket);
    socket.write(ok);
  });
  const clients: Socket[] = [];
  const note = (message: unknown) => void clients.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  onTestFinished(() => void unsubscribe('net.client.socket', note));
  const { send } = sender();
  expect((await send(receiver.url, headers, '{}')).status).toBe(200);
  expect((await send(receiver.url, headers, '{}')).status).toBe(200);
  expect([receiver.connections(), clients.length]).toEqual([1, 1]);
  const stray = 'HTTP/1.1 500 Stray\r\ncontent-length: 0\r\n\r\n';
  kept[0]?.write(stray);
  const read = 2 * ok.length + stray.length;
  await until(() => clients[0]?.bytesRead === read, { what: 'the arrival of the stray answer' });
  expect((await send(receiver.url, headers, '{}')).status).toBe(200);
});

test('a second answer behind the first is not taken for that of the next event', async () => {
  let count = 0;
  const receiver = await receive((socket) => {
    count += 1;
    socket.write(count === 1 ? ok + ok : 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n');
  });
  const { send } = sender();
  expect((await send(receiver.url, headers, '{}')).status).toBe(200);
  expect((await send(receiver.url, headers, '{}')).status).toBe(500);
  expect(receiver.requests).toHaveLength(2);
});

test('a connection that the receiver has closed is not used again', async () => {
  const answered: Socket[] = [];
  const receiver = await receive((socket) => {
    answered.push(socket);
    socket.write(ok);
  });
  const { send } = sender();
  for (let count = 1; count <= 3; count += 1) {
    expect((await send(receiver.url, headers, '{}')).error).toBeNull();
    expect(receiver.connections()).toBe(count);
    const socket = answered.at(-1) as Socket;
    const closed = once(socket, 'close');
    socket.end();
    // Closed on both sides: the sender has seen the end.
    await closed;
  }
});

test('a connection that took too long is closed, and none is opened in its stead', async () => {
  let closed = 0;
  const receiver = await receive((socket) => {
    socket.on('close', () => {
      closed += 1;
    });
  });
  const { send } = sender({ timeoutMs: 100 });
  const answers = await Promise.all([1, 2, 3].map(() => send(receiver.url, headers, '{}')));
  expect(answers.map(({ error }) => error)).toEqual(['timeout', 'timeout', 'timeout']);
  await until(() => closed === 3, { what: 'the end of three connections' });
  expect(receiver.connections()).toBe(3);
});

test('nothing is sent when the connection comes about after the limit', async () => {
  const receiver = await receive(accept, { tls: authority.issue({ names: ['127.0.0.1'] }) });
  const answer = await sender({ timeoutMs: 0 }).send(receiver.url, headers, '{}');
  expect(answer).toMatchObject({ status: null, error: 'timeout' });
  await sleep(200);
  expect(receiver.requests).toEqual([]);
});

test('an answer that comes before the request is read is one', async () => {
  const receiver = await receive(() => {}, { onConnection: accept });
  expect((await sender().send(receiver.url, headers, '{}')).status).toBe(200);
});

test('exactly 64 kB are kept, cut within a letter if it comes to that', async () => {
  const body = Buffer.concat([Buffer.alloc(maximumBytes - 1, 'a'), Buffer.from('ü and more')]);
  const receiver = await receive((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
  });
  const answer = await sender().send(receiver.url, headers, '{}');
  expect(answer.body).toBe(`${'a'.repeat(maximumBytes - 1)}\uFFFD`);
});

test('proxies of the environment are not asked', async () => {
  const proxy = await receive(accept);
  const receiver = await receive(accept);
  const names = [
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
  ];
  for (const name of names) process.env[name] = proxy.url;
  process.env.NODE_USE_ENV_PROXY = '1';
  try {
    const { send } = sender();
    expect((await send(receiver.url, headers, '{}')).status).toBe(200);
    expect((await send('http://10.0.0.1/', headers, '{}')).error).toBe('address_refused');
  } finally {
    for (const name of [...names, 'NODE_USE_ENV_PROXY']) delete process.env[name];
  }
  expect([proxy.connections(), receiver.connections()]).toEqual([0, 1]);
});

const megabyte = 1_048_576;
const rss = () => process.memoryUsage().rss;

test('a hundred answers without end at once cost little memory', async () => {
  const block = Buffer.alloc(65_536, 'a');
  const heads = [
    '\r\n',
    'content-encoding: gzip\r\n\r\n',
    'transfer-encoding: chunked\r\n\r\nffffffffff\r\n',
  ];
  const floods = await Promise.all(
    heads.map((head) => receive(flood(`HTTP/1.1 200 OK\r\n${head}`, block))),
  );
  const headless = await receive(flood('HTTP/1.1 200 OK\r\nx: ', block));
  const targets = [...floods, headless].map(({ url }) => url);
  const { send } = sender();
  const storm = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const { body } = await send(targets[index % targets.length] ?? '', headers, '{}');
        return body?.length ?? 0;
      }),
    );
  // Memory that is compiled and allocated once is no growth.
  await storm(100);
  const before = rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, rss());
  }, 5);
  const lengths = await storm(100);
  clearInterval(timer);
  const grown = (Math.max(most, rss()) - before) / megabyte;
  console.info(
    `100 endless answers at once: ${grown.toFixed(1)} MB more, the receivers' own included`,
  );
  expect(new Set(lengths)).toEqual(new Set([maximumBytes, 0]));
  // The bodies sent would be gigabytes; five megabytes of them are kept.
  expect(grown).toBeLessThan(100);
});
