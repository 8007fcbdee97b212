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
} from './behaviours.ts';
import type { Behaviour } from './raw_receiver.ts';

/** What a receiver answers, and what an attempt must record of it. */
export interface Answer {
  readonly name: string;
  readonly behave: Behaviour;
  readonly status: number | null;
  readonly error: string | null;
  /** What the portal shows of the body; absent: nothing. */
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

export const answers = table(
  [statuses, redirects, interim, unusual, malformed, broken, slow].flat(),
);

const large = 'headers_too_large';
/** Answers that are too large, or never end. */
export const endless = table([
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
