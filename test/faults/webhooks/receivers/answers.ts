import { chunked, drip, empty, ok, say, sayAndEnd, sayAndReset } from './behaviours.ts';
import type { Behaviour } from './raw_receiver.ts';

/** What hostile and broken receivers answer, and what an attempt must make of it, as data. */
export interface Answer {
  readonly name: string;
  readonly behave: Behaviour;
  readonly status: number | null;
  readonly error: string | null;
  /** What the portal shows of the body; absent: nothing. */
  readonly body?: string;
}

const statuses: readonly Answer[] = [
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [299, 'Fine'],
  [300, 'Choose'],
  [304, 'Not Modified'],
  [400, 'Bad'],
  [401, 'Who'],
  [404, 'Where'],
  [408, 'Slow'],
  [410, 'Gone'],
  [421, 'Misdirected'],
  [500, 'Broken'],
  [502, 'Bad Gateway'],
  [503, 'Busy'],
  [999, 'Beyond'],
].map(([status, reason]) => ({
  name: `${status}`,
  behave: say(`HTTP/1.1 ${status} ${reason}\r\n${empty}`),
  status: Number(status),
  error: null,
}));

const redirects: readonly Answer[] = [301, 302, 303, 307, 308].map((status) => ({
  name: `${status}, which is not followed`,
  behave: (socket) =>
    void socket.write(
      `HTTP/1.1 ${status} Moved\r\nlocation: http://127.0.0.1:${socket.localPort}/elsewhere\r\n${empty}`,
    ),
  status,
  error: null,
}));

const interim: readonly Answer[] = [
  ['100 Continue that nobody asked for', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'],
  ['several interim answers', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
].map(([name = '', text]) => ({
  name: `${name}, then 200`,
  behave: say(`${text}${ok}${empty}`),
  status: 200,
  error: null,
}));

const odd: readonly Answer[] = [
  { name: '204', behave: say('HTTP/1.1 204 No Content\r\n\r\n'), status: 204, error: null },
  { name: 'no reason phrase', behave: say(`HTTP/1.1 200\r\n${empty}`), status: 200, error: null },
  {
    name: 'HTTP/1.0, its body ended by the connection',
    behave: sayAndEnd('HTTP/1.0 200 OK\r\n\r\nhello'),
    status: 200,
    error: null,
    body: 'hello',
  },
  {
    name: 'garbage behind a whole answer',
    behave: say(`${ok}content-length: 2\r\n\r\nokgarbage`),
    status: 200,
    error: null,
    body: 'ok',
  },
  {
    name: '429 with Retry-After',
    behave: say(`HTTP/1.1 429 Slow\r\nretry-after: 1\r\n${empty}`),
    status: 429,
    error: null,
  },
  {
    name: 'gzip, which is not inflated',
    behave: say(`${ok}content-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00`),
    status: 200,
    error: null,
    body: '\x1f\ufffd\x08\ufffd',
  },
  {
    name: 'headers called like what objects inherit',
    behave: say(`${ok}__proto__: x\r\nconstructor: y\r\nhasownproperty: z\r\n${empty}`),
    status: 200,
    error: null,
  },
];

const nonsense: readonly Answer[] = [
  ['a banner of SSH', 'SSH-2.0-OpenSSH_9\r\n'],
  ['a body without a head', 'hello'],
  ['letters for a status', `HTTP/1.1 2OO OK\r\n${empty}`],
  ['a status of two digits', `HTTP/1.1 99 Low\r\n${empty}`],
  ['a status of four digits', `HTTP/1.1 2000 High\r\n${empty}`],
  ['HTTP/2 in words', `HTTP/2 200 OK\r\n${empty}`],
  ['a NUL in a header', `${ok}x-a: a\u0000b\r\n${empty}`],
  ['a header without a name', `${ok}: a\r\n${empty}`],
  ['a space in a header name', `${ok}x a: a\r\n${empty}`],
  ['two lengths', `${ok}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`],
  ['a length and chunks', `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a negative length', `${ok}content-length: -3\r\n\r\nabc`],
  ['a length beyond all numbers', `${ok}content-length: 1${'0'.repeat(30)}\r\n\r\nabc`],
  [
    'another protocol that nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ],
].map(([name = '', text = '']) => ({
  name,
  behave: say(text),
  status: null,
  error: 'malformed_answer',
}));

const broken: readonly Answer[] = [
  {
    name: 'a reset before the answer',
    behave: (socket) => void socket.resetAndDestroy(),
    status: null,
    error: 'connection_reset',
  },
  {
    name: 'a reset within the headers',
    behave: sayAndReset(`${ok}content-le`),
    status: null,
    error: 'connection_reset',
  },
  {
    name: 'a reset behind the headers',
    behave: sayAndReset(`${ok}content-length: 10\r\n\r\n`),
    status: 200,
    error: 'connection_reset',
    body: '',
  },
  {
    name: 'a reset within the body',
    behave: sayAndReset(`${ok}content-length: 10\r\n\r\nabc`),
    status: 200,
    error: 'connection_reset',
    body: 'abc',
  },
  {
    name: 'half closed without a word',
    behave: (socket) => void socket.end(),
    status: null,
    error: 'connection_reset',
  },
  {
    name: 'a body shorter than it said',
    behave: sayAndEnd(`${ok}content-length: 10\r\n\r\nabc`),
    status: 200,
    error: 'connection_reset',
    body: 'abc',
  },
  {
    name: 'a chunk without a size',
    behave: say(`${chunked}zz\r\n`),
    status: 200,
    error: 'malformed_answer',
    body: '',
  },
];

const slow: readonly Answer[] = [
  { name: 'never an answer', behave: () => {}, status: null, error: 'timeout' },
  { name: 'headers that drip', behave: drip(`${ok}x-a: `, 30), status: null, error: 'timeout' },
  {
    name: 'a body that drips',
    behave: drip(`${ok}content-length: 1000\r\n\r\n`, 30),
    status: 200,
    error: 'timeout',
  },
  {
    name: 'a body that stops',
    behave: say(`${ok}content-length: 1000\r\n\r\nabc`),
    status: 200,
    error: 'timeout',
    body: 'abc',
  },
];

export const answers: readonly Answer[] = [
  ...statuses,
  ...redirects,
  ...interim,
  ...odd,
  ...nonsense,
  ...broken,
  ...slow,
];
