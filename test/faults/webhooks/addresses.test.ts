import { isIP, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressRules, urlFault } from '../../../service/webhooks/send/address.ts';
import { openSender, type Sender } from '../../../service/webhooks/send/send.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { type WatchedConnections, watchConnections } from './receivers/connections.ts';
import {
  forbiddenHosts,
  forbiddenUrls,
  loopback4,
  ownHosts,
  special,
  unspecial,
} from './receivers/forbidden.ts';
import { type NameServer, type Records, startNameServer } from './receivers/name_server.ts';
import { type RawReceiver, startRawReceiver } from './receivers/raw_receiver.ts';

/**
 * Which addresses a webhook may reach (rules/security#14). The canary listens on every address of this machine; sockets
 * are watched where they begin to connect, so that an address that is not this machine's counts too.
 */
const environments = ['sandbox', 'production'] as const;
type Environment = (typeof environments)[number];

let canary: RawReceiver;
let names: NameServer;
let watched: WatchedConnections;
let senders: Record<Environment, Sender>;
/** What the names of this test stand for. */
let zone: (name: string, times: number) => Records | null = () => null;

beforeAll(async () => {
  const accept = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
  // It answers every connection before any request.
  const onConnection = (socket: Socket) => void socket.write(accept);
  canary = await startRawReceiver(() => {}, { host: '::', onConnection });
  names = await startNameServer((name, times) => zone(name, times));
  const open = (environment: Environment) =>
    openSender({ environment, timeoutMs: 5_000, maximumBytes: 1_000, nameServers: [names.server] });
  senders = { sandbox: open('sandbox'), production: open('production') };
  watched = watchConnections();
});
beforeEach(() => {
  watched.tried.splice(0);
  zone = () => null;
});
afterAll(async () => {
  watched.stop();
  await Promise.all(environments.map((environment) => senders[environment].close()));
  await Promise.all([canary.close(), names.close()]);
});

const withPort = (host: string, scheme: string) => `${scheme}://${host}:${canary.port}/hooks`;
const isOwn = (url: string) => {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return host === '::1' || /^127\./.test(host);
};

/** Sends to each at once. @returns what came through, and how the others were refused */
async function sendAll(environment: Environment, urls: readonly string[]) {
  const before = canary.connections();
  const answers = await Promise.all(
    urls.map(async (url) => ({ url, ...(await senders[environment].send(url, {}, '{}')) })),
  );
  return {
    through: answers.filter(({ status }) => status !== null).map(({ url }) => url),
    errors: [...new Set(answers.map(({ error }) => error))].sort(),
    reached: canary.connections() - before,
    tried: watched.tried.splice(0),
  };
}

const nothing = { through: [], reached: 0, tried: [] };
const schemes = ['http', 'https'] as const;

test('the watch and the canary see what gets through', async () => {
  const { through, reached, tried } = await sendAll('sandbox', [
    withPort('127.0.0.1', 'http'),
    withPort('[::1]', 'http'),
    withPort('localhost', 'http'),
    withPort('127.0.0.1', 'https'),
  ]);
  expect(through).toHaveLength(3);
  expect(reached).toBeGreaterThanOrEqual(3);
  expect(new Set(tried)).toEqual(new Set([`127.0.0.1 ${canary.port}`, `::1 ${canary.port}`]));
});

describe.each(environments)('%s, by address', (environment) => {
  test.each(schemes)(
    '%s: no special address is connected to, however it is written',
    async (scheme) => {
      const urls = forbiddenHosts
        .map((host) => withPort(host, scheme))
        .filter((url) => environment === 'production' || !isOwn(url));
      expect(urls.length).toBeGreaterThan(195);
      expect(await sendAll(environment, urls)).toEqual({ ...nothing, errors: ['address_refused'] });
    },
  );

  test('what is no https address at all is connected to no more', async () => {
    const { errors, ...rest } = await sendAll(
      environment,
      forbiddenUrls.filter((url) => !/shop\.example|8\.8\.8\.8/.test(url)),
    );
    expect(rest).toEqual(nothing);
    expect(errors).not.toContain(null);
  });
});

test.each(schemes)(
  'production, %s: this machine is not connected to, however it is written',
  async (scheme) => {
    const urls = ownHosts.map((host) => withPort(host, scheme));
    expect(await sendAll('production', urls)).toEqual({ ...nothing, errors: ['address_refused'] });
  },
);

describe('by name', () => {
  const labelOf = (index: number) => `n${index}.wall.example`;
  const zoneOf = (addresses: readonly string[]) => (name: string) => {
    const address = addresses[Number(/^n(\d+)\./.exec(name)?.[1])];
    return address === undefined ? null : { addresses: [address] };
  };

  test.each(environments)(
    '%s: a name that stands for a special address leads nowhere',
    async (environment) => {
      const hidden = environment === 'production' ? [...special, ...loopback4, '::1'] : special;
      zone = zoneOf(hidden);
      const urls = hidden.map((_, index) => withPort(labelOf(index), 'https'));
      const plain = hidden.map((_, index) => withPort(labelOf(index), 'http'));
      const sent = await sendAll(environment, [...urls, ...plain]);
      expect(sent).toEqual({ ...nothing, errors: ['address_refused'] });
      for (const [index] of hidden.entries())
        expect(names.asked(labelOf(index))).toBeGreaterThan(0);
    },
  );

  test('plain http goes to loopback alone, even where a name stands for a public address', async () => {
    zone = zoneOf(unspecial);
    const urls = unspecial.map((_, index) => withPort(labelOf(index), 'http'));
    for (const environment of environments)
      expect(await sendAll(environment, urls)).toEqual({ ...nothing, errors: ['address_refused'] });
  });

  const aliases: readonly [string, Records][] = [
    ['an alias of localhost', { alias: 'localhost', addresses: [] }],
    [
      'an alias of localhost with its address',
      { alias: 'localhost', addresses: ['127.0.0.1', '::1'] },
    ],
    ['an alias of a name inside', { alias: 'db.internal', addresses: ['10.0.0.5'] }],
    ['several addresses inside', { addresses: ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1'] }],
    ['nothing', { addresses: [] }],
  ];
  test.each(aliases)('production: %s leads nowhere', async (_name, records) => {
    zone = () => records;
    const { errors, ...rest } = await sendAll('production', [withPort('alias.example', 'https')]);
    expect(rest).toEqual(nothing);
    expect(errors).not.toContain(null);
  });

  test('a name that is answered anew each time gains nothing by it: what is checked is connected to', async () => {
    const inside = ['10.0.0.1', '169.254.169.254', 'fd00:ec2::254'];
    zone = (_name, times) => ({ addresses: times % 2 === 0 ? ['127.0.0.1'] : inside });
    // A connection that is kept needs no name.
    const closing = await startRawReceiver(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'),
    );
    const results: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      const url = `http://rebind.example:${closing.port}/`;
      const { status, error } = await senders.sandbox.send(url, {}, '{}');
      results.push(`${status} ${error}`);
    }
    await closing.close();
    expect(new Set(watched.tried)).toEqual(new Set([`127.0.0.1 ${closing.port}`]));
    expect(new Set(results)).toEqual(new Set(['200 null', 'null address_refused']));
  });

  /** What a socket would be given to connect to, without connecting. */
  const lookup = async (environment: Environment, name: string) => {
    const ways = addressRules(environment, [names.server]);
    const found = await promisify(ways['https:'].lookup)(name, { all: true });
    return [found].flat(2).map((one) => (typeof one === 'object' ? one.address : String(one)));
  };

  test('every public address beside a special range is given', async () => {
    zone = zoneOf(unspecial);
    const found = await Promise.all(
      unspecial.map((_, index) => lookup('production', labelOf(index))),
    );
    expect(found.flat()).toEqual(unspecial);
  });

  test('of public and special addresses together only the public ones are given', async () => {
    zone = () => ({ addresses: ['10.0.0.1', '8.8.8.8', '127.0.0.1', '::1', '2606:4700::1111'] });
    const given = (await lookup('production', 'both.example')).sort();
    expect(given).toEqual(['2606:4700::1111', '8.8.8.8']);
  });

  test('of a name that turns about, no turn gives a special address', async () => {
    zone = (_name, times) => ({ addresses: times % 2 === 0 ? ['8.8.8.8'] : ['127.0.0.1'] });
    const turns: string[] = [];
    for (let count = 0; count < 40; count += 1)
      turns.push(...(await lookup('production', 'turn.example').catch(() => ['refused'])));
    expect(new Set(turns)).toEqual(new Set(['8.8.8.8', 'refused']));
  });
});

test('a redirect to what may not be reached is an answer, and not followed', async () => {
  const target = `http://127.0.0.1:${canary.port}/`;
  const before = canary.connections();
  const receiver = await startRawReceiver((socket) => {
    socket.write(`HTTP/1.1 307 Go\r\nlocation: ${target}\r\nrefresh: 0;url=${target}\r\n`);
    socket.write(`alt-svc: h2=":${canary.port}"\r\ncontent-length: 0\r\n\r\n`);
  });
  for (let count = 0; count < 2; count += 1)
    expect((await senders.sandbox.send(receiver.url, {}, '{}')).status).toBe(307);
  await receiver.close();
  expect(canary.connections()).toBe(before);
});

describe.each(environments)('PUT /portal/api/webhook-endpoint in %s', (environment) => {
  // Production's portal takes no bearer token: there, what stands behind it is asked.
  let service: TestServer | null = null;
  beforeAll(async () => {
    if (environment === 'sandbox') service = await startTestServer({ workers: false });
  });
  afterAll(() => service?.stop());

  const put = async (url: string) => {
    if (service === null) return urlFault(url, environment) ? '400 url parameter_invalid' : 'taken';
    const { status, body } = await service.call('PUT', '/portal/api/webhook-endpoint', {
      body: { url, enabled: true },
    });
    return status === 200 ? 'taken' : `${status} ${body.error.param} ${body.error.code}`;
  };
  const putAll = async (urls: readonly string[]) => {
    const taken: string[] = [];
    const words = new Set<string>();
    for (const url of urls) {
      const word = await put(url);
      words.add(word);
      if (word === 'taken') taken.push(url);
    }
    return { taken, words: [...words] };
  };
  const refused = { taken: [], words: ['400 url parameter_invalid'] };

  test('no special address is taken, however it is written', async () => {
    const urls = forbiddenHosts.map((host) => `https://${host}/hooks`);
    expect(await putAll(urls)).toEqual(refused);
  });

  test('nothing is taken that is no https address of a host', async () => {
    expect(await putAll(forbiddenUrls)).toEqual(refused);
  });

  test('this machine is taken in the sandbox alone, there also over http', async () => {
    const urls = ownHosts.flatMap((host) => [`https://${host}:1/`, `http://${host}:1/`]);
    const { taken } = await putAll(urls);
    expect(taken).toEqual(environment === 'sandbox' ? urls : []);
  });

  test('public addresses and names are taken, whatever the port', async () => {
    const urls = unspecial.map((host) => `https://${isIP(host) === 6 ? `[${host}]` : host}:8443/`);
    const others = [
      'https://shop.example/',
      'https://b\u00fccher.example/',
      'https://shop.example.:22/',
    ];
    expect((await putAll([...urls, ...others])).words).toEqual(['taken']);
  });
});

test('more than two hundred ways lead nowhere', () => {
  const byName = special.length + loopback4.length + 1;
  expect(forbiddenHosts.length + ownHosts.length + forbiddenUrls.length + byName).toBeGreaterThan(
    300,
  );
});
