import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';

/** What a name stands for at the moment it is asked for: addresses of both families, or nothing. */
export interface Records {
  /** Another name that the answer says this one is. */
  readonly alias?: string;
  readonly addresses: readonly string[];
}

/** A name server on loopback that a test writes the zone of; nothing it says may be kept (TTL 0). */
export interface NameServer {
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
export async function startNameServer(
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
