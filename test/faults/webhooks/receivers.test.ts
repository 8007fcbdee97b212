import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthority, selfSigned } from '../../kit/http/certificates.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import {
  block,
  bomb,
  chunked,
  drip,
  empty,
  flood,
  kept,
  ok,
  say,
  sayAndEnd,
  sayAndReset,
} from './receivers/behaviours.ts';
import {
  type Behaviour,
  type RawReceiver,
  type RawReceiverOptions,
  startRawReceiver,
} from './receivers/raw_receiver.ts';

/** A receiver's answer, and what an attempt must record of it. */
interface Answer {
  readonly name: string;
  readonly behave: Behaviour;
  readonly status: number | null;
  readonly error: string | null;
  /** The part of the body that the portal shows; absent: nothing. */
  readonly body?: string;
}

type Row = readonly [
  name: string,
  behave: Behaviour,
  status: number | null,
  error?: string | null,
  body?: string,
];
const table = (rows: readonly Row[]): readonly Answer[] =>
  rows.map(([name, behave, status, error = null, body]) => ({
    name,
    behave,
    status,
    error,
    ...(body === undefined ? {} : { body }),
  }));

const statuses = [
  '200 OK',
  '201 Created',
  '202 Accepted',
  '299 Fine',
  '300 Choose',
  '304 Not Modified',
  '400 Bad',
  '401 Who',
  '404 Where',
  '408 Slow',
  '410 Gone',
  '421 Misdirected',
  '500 Broken',
  '502 Bad Gateway',
  '503 Busy',
  '999 Beyond',
].map((line): Row => [line, say(`HTTP/1.1 ${line}\r\n${empty}`), Number(line.slice(0, 3))]);

const redirects = [301, 302, 303, 307, 308].map(
  (status): Row => [
    `${status}, which is not followed`,
    (socket) => {
      const location = `http://127.0.0.1:${socket.localPort}/elsewhere`;
      socket.write(`HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\n${empty}`);
    },
    status,
  ],
);

const interim = Object.entries({
  '100 Continue without a request for it': 'HTTP/1.1 100 Continue\r\n\r\n',
  '102 Processing': 'HTTP/1.1 102 Processing\r\n\r\n',
  '103 Early Hints': 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n',
  'several interim answers': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n',
}).map(([name, text]): Row => [`${name}, then 200`, say(`${text}${ok}${empty}`), 200]);

const unusual: readonly Row[] = [
  ['204', say('HTTP/1.1 204 No Content\r\n\r\n'), 204],
  ['no reason phrase', say(`HTTP/1.1 200\r\n${empty}`), 200],
  [
    'HTTP/1.0, its body ended by the connection',
    sayAndEnd('HTTP/1.0 200 OK\r\n\r\nhello'),
    200,
    null,
    'hello',
  ],
  [
    'garbage behind a whole answer',
    say(`${ok}content-length: 2\r\n\r\nokgarbage`),
    200,
    null,
    'ok',
  ],
  ['429 with Retry-After', say(`HTTP/1.1 429 Slow\r\nretry-after: 1\r\n${empty}`), 429],
  [
    'gzip, which is not inflated',
    say(`${ok}content-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00`),
    200,
    null,
    '\x1f\ufffd\x08\ufffd',
  ],
  [
    'headers called like what objects inherit',
    say(`${ok}__proto__: x\r\nconstructor: y\r\nhasownproperty: z\r\n${empty}`),
    200,
  ],
];

const malformed = Object.entries({
  'a banner of SSH': 'SSH-2.0-OpenSSH_9\r\n',
  'a body without a head': 'hello',
  'letters for a status': `HTTP/1.1 2OO OK\r\n${empty}`,
  'a status of two digits': `HTTP/1.1 99 Low\r\n${empty}`,
  'a status of four digits': `HTTP/1.1 2000 High\r\n${empty}`,
  'HTTP/2 in words': `HTTP/2 200 OK\r\n${empty}`,
  'a NUL in a header': `${ok}x-a: a\u0000b\r\n${empty}`,
  'a header without a name': `${ok}: a\r\n${empty}`,
  'a space in a header name': `${ok}x a: a\r\n${empty}`,
  'two lengths': `${ok}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
  'a length and chunks': `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a negative length': `${ok}content-length: -3\r\n\r\nabc`,
  'a length beyond all numbers': `${ok}content-length: 1${'0'.repeat(30)}\r\n\r\nabc`,
  'another protocol without a request for it':
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
}).map(([name, text]): Row => [name, say(text), null, 'malformed_answer']);

const lost = 'connection_reset';
const long = `${ok}content-length: 10\r\n\r\n`;
const broken: readonly Row[] = [
  ['a reset before the answer', (socket) => void socket.resetAndDestroy(), null, lost],
  ['a reset within the headers', sayAndReset(`${ok}content-le`), null, lost],
  ['a reset behind the headers', sayAndReset(long), 200, lost, ''],
  ['a reset within the body', sayAndReset(`${long}abc`), 200, lost, 'abc'],
  ['half closed without an answer', (socket) => void socket.end(), null, lost],
  ['a body shorter than it said', sayAndEnd(`${long}abc`), 200, lost, 'abc'],
  ['a chunk without a size', say(`${chunked}zz\r\n`), 200, 'malformed_answer', ''],
];

const thousand = `${ok}content-length: 1000\r\n\r\n`;
const slow: readonly Row[] = [
  ['never an answer', () => {}, null, 'timeout'],
  ['headers that drip', drip(`${ok}x-a: `, 30), null, 'timeout'],
  ['a body that drips', drip(thousand, 30), 200, 'timeout'],
  ['a body that stops', say(`${thousand}abc`), 200, 'timeout', 'abc'],
];

const answers = table([statuses, redirects, interim, unusual, malformed, broken, slow].flat());

const large = 'headers_too_large';
/** Answers that are too large, or never end. */
const endless = table([
  ['a body without end', flood(`${ok}\r\n`, block), 200, null, kept],
  ['a body of 10 GB', flood(`${ok}content-length: 10737418240\r\n\r\n`, block), 200, null, kept],
  ['a refusal with a body without end', flood('HTTP/1.1 500 No\r\n\r\n', block), 500, null, kept],
  ['chunks of one byte without end', flood(chunked, '1\r\na\r\n'), 200, null, kept],
  ['one chunk of a terabyte', flood(`${chunked}ffffffffff\r\n`, block), 200, null, kept],
  ['a gzip bomb', flood(`${ok}content-encoding: gzip\r\n\r\n`, bomb), 200],
  ['a header of 1 MB', say(`${ok}x-big: ${'a'.repeat(1 << 20)}\r\n\r\n`), null, large],
  ['100,000 header lines', say(`${ok}${'a: b\r\n'.repeat(100_000)}\r\n`), null, large],
  ['headers without end', flood(ok, 'a: b\r\n'), null, large],
  ['a header value without end', flood(`${ok}x: `, block), null, large],
  ['a reason phrase without end', flood('HTTP/1.1 200 ', block), null, large],
  [
    'interim answers without end',
    flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    null,
    'answer_too_large',
  ],
  [
    'a chunk size without end',
    flood(chunked, Buffer.alloc(65_536, '0')),
    200,
    'answer_too_large',
    '',
  ],
  ['a chunk extension without end', flood(`${chunked}1;`, block), 200, 'malformed_answer', ''],
  ['trailers without end', flood(`${chunked}0\r\n`, 'a: b\r\n'), 200, large, ''],
]);

/** An answer that takes longer than this is none; the usual limit is ten seconds. */
const timeoutMs = 3_000;
const isAccepted = (status: number | null) => status !== null && status >= 200 && status <= 299;

interface Case {
  readonly name: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly body?: string;
  readonly behave: (typeof answers)[number]['behave'];
  readonly options?: RawReceiverOptions;
  /** How the address begins; absent: as the receiver speaks. */
  readonly scheme?: string;
  /** Requests that come to the receiver. */
  readonly requests?: number;
}

const authority = makeAuthority();
const accept = (socket: { write(text: string): unknown }) =>
  void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const mine = authority.issue({ names: ['127.0.0.1'] });
const neverAsked = { behave: accept, status: null, requests: 0 };

const tls: readonly Case[] = [
  {
    ...neverAsked,
    name: 'a certificate that vouches for itself',
    options: { tls: selfSigned(['127.0.0.1']) },
    error: 'certificate_not_trusted',
  },
  {
    ...neverAsked,
    name: 'a certificate of an unknown authority',
    options: { tls: mine },
    error: 'certificate_not_trusted',
  },
  {
    ...neverAsked,
    name: 'TLS 1.0 alone',
    options: {
      tls: { ...mine, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
    },
    error: 'tls_failed',
  },
  {
    ...neverAsked,
    name: 'a handshake that hangs',
    scheme: 'https:',
    error: 'timeout',
  },
  {
    ...neverAsked,
    name: 'plain http on the port of https',
    scheme: 'https:',
    options: { onConnection: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') },
    error: 'tls_failed',
  },
  {
    ...neverAsked,
    name: 'a connection that is reset at once',
    options: { onConnection: (socket) => void socket.resetAndDestroy() },
    error: 'connection_reset',
  },
];

const cases: readonly Case[] = [...answers, ...tls, ...endless];

let deliveries: Deliveries;
const receivers: RawReceiver[] = [];
/** The outcome of each case, by its name. */
const became = new Map<
  string,
  { delivery: ReplyBody; attempts: ReplyBody[]; asked: RawReceiver }
>();

async function runCase({ name, behave, options, scheme }: Case): Promise<void> {
  const receiver = await startRawReceiver(behave, options);
  receivers.push(receiver);
  const url = scheme ? receiver.url.replace('http:', scheme) : receiver.url;
  const subscriber = await deliveries.subscriber(url);
  const id = await subscriber.makeEvent();
  const delivery = await subscriber.until(id, { attempts: 1 });
  became.set(name, { delivery, attempts: await subscriber.attempts(id), asked: receiver });
}

beforeAll(async () => {
  deliveries = await openDeliveries();
  deliveries.dispatch({ timeoutMs });
  await Promise.all([...answers, ...tls].map(runCase));
  // One after the other, or the time of each goes by while the others are read.
  for (const one of endless) await runCase(one);
  // Whatever would come a second time has the time to.
  await sleep(200);
});
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await deliveries.stop();
});

function outcomeOf(name: string) {
  const found = became.get(name);
  if (!found) throw new Error(`${name} was not run`);
  return found;
}

test('no two cases have one name', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

describe.each(cases)('$name', ({ name, status, error, body, requests = 1 }) => {
  test('counts as what it is', () => {
    const { delivery } = outcomeOf(name);
    expect(delivery).toMatchObject({
      status: isAccepted(status) ? 'delivered' : 'retrying',
      attempts: 1,
      last_response_status: status,
    });
    if (isAccepted(status)) expect(delivery.next_attempt_at).toBeNull();
    else
      expect(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)).toBe(
        60_000,
      );
  });

  test('is recorded as it was', () => {
    const [attempt, ...more] = outcomeOf(name).attempts;
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({ number: 1, response_status: status, error });
    if (status === null)
      expect([attempt.response_headers, attempt.response_body]).toEqual([null, null]);
    else expect(attempt.response_headers).toEqual(expect.any(Object));
    if (body !== undefined) expect(attempt.response_body).toBe(body);
    expect(Buffer.byteLength(attempt.response_body ?? '')).toBeLessThan(4 * 65_536);
    // Generous: the machine may be slow, a limit that is not kept takes for ever.
    expect(attempt.duration_ms).toBeLessThan(timeoutMs + 10_000);
    if (error === 'timeout') expect(attempt.duration_ms).toBeGreaterThanOrEqual(timeoutMs - 5);
  });

  test('is asked once, on one connection', () => {
    const { asked } = outcomeOf(name);
    expect(asked.requests).toHaveLength(requests);
    expect(asked.connections()).toBe(1);
  });
});

test('headers are kept whatever they are called', () => {
  const [attempt] = outcomeOf('headers called like what objects inherit').attempts;
  const headers = new Map(Object.entries(attempt.response_headers));
  expect([headers.get('constructor'), headers.get('hasownproperty')]).toEqual(['y', 'z']);
});
