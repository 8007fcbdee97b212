import { createSocket } from 'node:dgram';
import { type AddressInfo, isIP, isIPv4, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressRules, urlFault } from '../../../service/webhooks/send/address.ts';
import { openSender, type Sender } from '../../../service/webhooks/send/send.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { type RawReceiver, startRawReceiver } from './receivers/raw_receiver.ts';

/** Addresses that no webhook may reach, and the ways in which they are written, as data. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** First and last of each special range: IANA's registries for IPv4 (RFC 6890 and after). */
const special4 = words(`
  0.0.0.0 0.255.255.255        10.0.0.0 10.255.255.255      100.64.0.0 100.127.255.255
  169.254.0.0 169.254.255.255  172.16.0.0 172.31.255.255    192.0.0.0 192.0.0.255
  192.0.2.0 192.0.2.255        192.31.196.0 192.31.196.255  192.52.193.0 192.52.193.255
  192.88.99.0 192.88.99.255    192.168.0.0 192.168.255.255  192.175.48.0 192.175.48.255
  198.18.0.0 198.19.255.255    198.51.100.0 198.51.100.255  203.0.113.0 203.0.113.255
  224.0.0.0 239.255.255.255    240.0.0.0 255.255.255.255`);

/** The addresses where clouds serve the secrets of their machines. */
const metadata4 = words('169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16');

const loopback4 = words('127.0.0.1 127.0.0.2 127.255.255.254');

/** The same for IPv6, with what hides an IPv4 address in one. */
const special6 = words(`
  :: ::ffff
  ::ffff:0:0 ::ffff:ffff:ffff
  64:ff9b:: 64:ff9b::ffff:ffff
  64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
  100:: 100::ffff:ffff:ffff:ffff
  100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff
  2001:: 2001::ffff:ffff
  2001:1::1 2001:1::3
  2001:2:: 2001:2::ffff
  2001:3:: 2001:4:112::
  2001:10:: 2001:1f:ffff::
  2001:20:: 2001:2f:ffff::
  2001:30:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
  2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
  2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
  3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
  5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff`);

const metadata6 = words('fd00:ec2::254 fd20:ce::254 fe80::a9fe:a9fe');

/** Refused everywhere. */
const special = [...special4, ...metadata4, ...special6, ...metadata6];

/** Just beyond the ranges: to be reached. */
const unspecial = words(`
  1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2001:200::1 2003::1 2606:4700::1111 2620:4f:8001::1 3ffe::1`);

const bytesOf = (address: string) => address.split('.').map(Number);
const hex = (value: number, width = 1) => value.toString(16).padStart(width, '0');
const octal = (value: number) => `0${value.toString(8)}`;
const wide = (text: string) =>
  text.replaceAll(/[0-9a-z]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
const circled = (text: string) =>
  text
    .replaceAll(/[1-9]/g, (sign) => String.fromCodePoint(0x245f + Number(sign)))
    .replaceAll('0', '\u24ea');

/** One IPv4 address in the spellings that parsers of URLs understand, and in IPv6's disguises. */
function spellings(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const low = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return [
    `${number}`,
    `0x${hex(number, 8)}`,
    `0${number.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((byte) => `0x${hex(byte)}`).join('.'),
    `0x${hex(a)}.${octal(b)}.${c}.${d}`,
    [a, b, c, d].map((byte) => `0000${byte.toString(8)}`).join('.'),
    `${address}.`,
    wide(address),
    circled(address),
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '%2e'),
    `[::ffff:${address}]`,
    `[::ffff:${low}]`,
    `[0:0:0:0:0:FFFF:${low}]`,
    `[::${address}]`,
    `[::${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${low}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${hex(0xffff - (a * 256 + b))}:${hex(0xffff - (c * 256 + d))}]`,
    `user@${address}`,
    `shop.example:443@${address}`,
  ];
}

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** Forbidden hosts, as an attacker writes them. */
const forbiddenHosts: readonly string[] = [
  ...special.map(inUrl),
  ...['10.0.0.1', '169.254.169.254', '192.168.1.1', '0.0.0.0'].flatMap(spellings),
  // Loopback in a disguise that the sandbox's leave for loopback does not cover.
  ...spellings('127.0.0.1').filter((host) => /^\[(?!::1\])|@/.test(host)),
];

/** Hosts that are this machine: the sandbox may reach them, production may not. */
const ownHosts: readonly string[] = [
  ...loopback4,
  ...spellings('127.0.0.1').filter((host) => !/^\[|@/.test(host)),
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'api.localhost',
  wide('localhost'),
  '\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3',
  'local%68ost',
];

/** Whole addresses that are no https address at all, or not one of a host. */
const forbiddenUrls = words(`
  http://shop.example/ http://8.8.8.8/ HTTP://shop.example/ ftp://shop.example/
  ftps://shop.example/ sftp://shop.example/ gopher://127.0.0.1:6379/_INFO
  dict://127.0.0.1:11211/stat ldap://127.0.0.1/ tftp://127.0.0.1/a file:///etc/passwd
  file://127.0.0.1/etc/passwd data:application/json,{} javascript:alert(1)
  blob:https://shop.example/1 about:blank ws://shop.example/ wss://shop.example/
  unix:/var/run/docker.sock unix:///var/run/docker.sock
  http+unix://%2Fvar%2Frun%2Fdocker.sock/info http://unix:/var/run/docker.sock:/info
  jar:https://shop.example!/ view-source:https://shop.example/ mailto:ops@shop.example
  //127.0.0.1/ /hooks shop.example 127.0.0.1 https:// https://[::1 https://[fe80::1%25eth0]/
  https://[fe80::1%eth0]/ https://[fe80::1%25lo]:80/ https://256.256.256.256/ https://1.2.3.4.5/
  https://0x100000000/ https://127.0.0.1%00.shop.example/ https://shop.example:99999/
  https://user@shop.example/ https://user:secret@shop.example/ https://:secret@shop.example/`);

/** The records of a name at the moment it is asked for: addresses of both families, or nothing. */
interface Records {
  /** Another name that the answer says this one is. */
  readonly alias?: string;
  readonly addresses: readonly string[];
}

/** A name server on loopback that a test writes the zone of; nothing it says may be kept (TTL 0). */
interface NameServer {
  /** Its address, as a resolver takes it. */
  readonly server: string;
  /** How often a name was asked for. */
  asked(name: string): number;
  close(): Promise<void>;
}

const types = { address4: 1, alias: 5, address6: 28 } as const;
const internet = 1;
const headerBytes = 12;
const answeredWell = 0x8580;
const noSuchName = 0x8583;

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function address6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const words = (text: string) => text.split(':').filter((word) => word !== '');
  const before = words(head);
  const after = words(tail);
  const zeros = Array<string>(address.includes('::') ? 8 - before.length - after.length : 0);
  const all = [...before, ...zeros.fill('0'), ...after];
  return Buffer.concat(all.map((word) => u16(Number.parseInt(word, 16))));
}

/** The question of a query: RFC 1035, 4.1.2. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

const record = (name: string, type: number, data: Buffer) =>
  Buffer.concat([
    nameBytes(name),
    u16(type),
    u16(internet),
    Buffer.alloc(4),
    u16(data.length),
    data,
  ]);

function answersOf(name: string, type: number, { alias, addresses }: Records): Buffer[] {
  const owner = alias ?? name;
  const own = addresses
    .filter((address) => (isIPv4(address) ? types.address4 : types.address6) === type)
    .map((address) =>
      isIPv4(address)
        ? record(owner, type, Buffer.from(address.split('.').map(Number)))
        : record(owner, type, address6Bytes(address)),
    );
  return alias === undefined ? own : [record(name, types.alias, nameBytes(alias)), ...own];
}

/** @param zone what a name stands for; `times` is how often it has been asked for before */
async function startNameServer(
  zone: (name: string, times: number) => Records | null,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const counts = new Map<string, number>();
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const key = `${name} ${type}`;
    const times = counts.get(key) ?? 0;
    counts.set(key, times + 1);
    const records = zone(name, times);
    const answers = records ? answersOf(name, type, records) : [];
    const head = [query.subarray(0, 2), u16(records ? answeredWell : noSuchName), u16(1)];
    const counted = [u16(answers.length), u16(0), u16(0), query.subarray(headerBytes, end)];
    socket.send(Buffer.concat([...head, ...counted, ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return {
    server: `127.0.0.1:${port}`,
    asked: (name) =>
      (counts.get(`${name} ${types.address4}`) ?? 0) +
      (counts.get(`${name} ${types.address6}`) ?? 0),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Each address that any socket of this process has tried to reach, from now on. */
interface WatchedConnections {
  /** `address port`, in order. */
  readonly tried: string[];
  stop(): void;
}

/** Watches below names and TLS: where the platform itself begins to connect. */
function watchConnections(): WatchedConnections {
  const tried: string[] = [];
  const original = Socket.prototype.connect;
  const watched = new WeakSet<Socket>();
  function connect(this: Socket, ...given: unknown[]): Socket {
    if (!watched.has(this)) {
      watched.add(this);
      // A path is the database's: it has no port, and no webhook leads there.
      this.on('connectionAttempt', (address: string, port?: number) => {
        if (port !== undefined) tried.push(`${address} ${port}`);
      });
    }
    return Reflect.apply(original, this, given);
  }
  Socket.prototype.connect = connect as typeof original;
  return {
    tried,
    stop: () => {
      Socket.prototype.connect = original;
    },
  };
}

/**
 * The addresses a webhook may reach (rules/security#14). The canary listens on every address of this machine; sockets
 * are watched where they begin to connect, so that an address that is not this machine's counts too.
 */
const environments = ['sandbox', 'production'] as const;
type Environment = (typeof environments)[number];

let canary: RawReceiver;
let names: NameServer;
let watched: WatchedConnections;
let senders: Record<Environment, Sender>;
/** The records of the names of this test. */
let zone: (name: string, times: number) => Records | null = () => null;

beforeAll(async () => {
  const accept = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
  // The canary answers every connection before any request.
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

  /** Looks up what a socket would be given to connect to, without connecting. */
  const lookup = async (environment: Environment, name: string) => {
    const ways = addressRules(environment, [names.server]);
    return (await ways['https:'].addressesOf(name, 443)).map(({ address }) => address);
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

  test('public addresses and names are taken, on port 443 and above 1023', async () => {
    const urls = unspecial.map((host) => `https://${isIP(host) === 6 ? `[${host}]` : host}:8443/`);
    const others = [
      'https://shop.example/',
      'https://b\u00fccher.example/',
      'https://shop.example.:1024/',
    ];
    expect((await putAll([...urls, ...others])).words).toEqual(['taken']);
    const wellKnown = unspecial.map(
      (host) => `https://${isIP(host) === 6 ? `[${host}]` : host}:22/`,
    );
    expect((await putAll([...wellKnown, 'https://shop.example.:22/'])).taken).toEqual([]);
  });
});

test('more than two hundred ways lead nowhere', () => {
  const byName = special.length + loopback4.length + 1;
  expect(forbiddenHosts.length + ownHosts.length + forbiddenUrls.length + byName).toBeGreaterThan(
    300,
  );
});
