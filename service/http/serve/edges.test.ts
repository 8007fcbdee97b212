import { connect } from 'node:net';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { afterAll, expect, it } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { listen } from '../listen.ts';

const server = await openServer();
const hasty = await listen(['127.0.0.1'], 0, {
  timeouts: {
    headersMs: 800,
    requestMs: 1_200,
    checkEveryMs: 50,
    keepAliveMs: 60_000,
    silenceMs: 60_000,
  },
});
hasty.use(server.app.routing);
afterAll(async () => {
  await hasty.close(1_000);
});

interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Splits the bytes of a connection into replies; null while one is incomplete. */
function repliesIn(bytes: string, bodiless: boolean): RawReply[] | null {
  const replies: RawReply[] = [];
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
    const length = bodiless ? 0 : Number(headers.get('content-length') ?? 0);
    const text = rest.slice(end + 4, end + 4 + length);
    if (text.length < length) return null;
    const body = text === '' ? null : JSON.parse(text);
    replies.push({ status: Number(first.split(' ')[1]), headers, text, body });
    rest = rest.slice(end + 4 + length);
  }
  return replies;
}

interface Talk {
  readonly port?: number;
  /** Number of replies to wait for; absent: until the service closes the connection. */
  readonly replies?: number;
  readonly bodiless?: boolean;
}

/** Sends raw bytes to the service, part by part, and returns its replies. */
function say(parts: readonly string[], { port, replies, bodiless = false }: Talk = {}) {
  return new Promise<RawReply[]>((resolve, reject) => {
    let heard = '';
    const socket = connect(port ?? Number(new URL(server.baseUrl).port), '127.0.0.1', async () => {
      for (const part of parts) {
        if (!socket.writable) return;
        socket.write(part);
        await new Promise((next) => setTimeout(next, 30));
      }
    });
    const end = () => {
      socket.destroy();
      resolve(repliesIn(heard, bodiless) ?? []);
    };
    socket.on('data', (chunk) => {
      heard += chunk;
      if (replies !== undefined && (repliesIn(heard, bodiless)?.length ?? 0) >= replies) end();
    });
    socket.on('close', end);
    // A service that closes the connection while bytes still arrive resets it.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? end() : reject(error),
    );
  });
}

const head = (line: string, ...headers: readonly string[]) =>
  [
    `${line} HTTP/1.1`,
    'Host: here',
    `Authorization: Bearer ${server.token}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
const unknownPayment = () => head('GET /v1/payments/pay_x');
const post = (body: string, ...headers: readonly string[]) =>
  head(
    'POST /v1/sessions',
    'Idempotency-Key: k',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ) + body;
const json = 'Content-Type: application/json';

async function only(parts: readonly string[], talk: Talk = {}): Promise<RawReply> {
  const [reply, ...others] = await say(parts, talk);
  expect(others).toEqual([]);
  if (!reply) throw new Error('the service said nothing');
  return reply;
}

/** Expects what every reply has. */
function expectOurs({ status, headers, body }: RawReply): void {
  expect(headers.get('service-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (status < 400 || body === null) return;
  expect(body.error.request_id).toBe(headers.get('service-request-id'));
  expect(Object.keys(body.error).sort()).toEqual([
    'code',
    'details',
    'message',
    'param',
    'request_id',
  ]);
}

const reasonOf = ({ status, body }: RawReply) => [status, body.error.details?.reason ?? null];

it.each([
  ['no HTTP', 'NONSENSE\r\n\r\n', [400, 'malformed_request']],
  ['no HTTP that begins like some', 'GET / HTTP/1.1 and more\r\n\r\n', [400, 'malformed_request']],
  ['a method that nobody knows', 'FROB /v1/payments HTTP/1.1\r\nHost: h\r\n\r\n', [404, null]],
  ['another version', 'GET / HTTP/3.0\r\nHost: h\r\n\r\n', [400, 'malformed_request']],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 'malformed_request']],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', [400, 'malformed_request']],
  ['no Host', 'GET /livez HTTP/1.1\r\n\r\n', [400, 'malformed_request']],
  ['two Hosts', 'GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', [400, 'malformed_request']],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', [404, null]],
  ['all of the server', 'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n', [404, null]],
  ['headers above 16 kB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, [400, 'too_large']],
  ['a path above 16 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, [400, 'too_large']],
  [
    'two lengths',
    'POST /v1/payments HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    [400, 'malformed_request'],
  ],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    [400, 'malformed_request'],
  ],
])('replies to %s with the error object and a request id', async (_, bytes, expected) => {
  const reply = await only([bytes], { replies: 1 });
  expectOurs(reply);
  expect(reasonOf(reply)).toEqual(expected);
});

it.each([
  ['absolute-form', 'GET http://elsewhere:1/v1/payments/pay_x'],
  ['absolute-form without a path', 'GET http://elsewhere'],
  ['an empty segment', 'GET /v1//payments/pay_x'],
  ['dots', 'GET /v1/../v1/payments/pay_x'],
  ['an escaped slash', 'GET /v1/payments/pay_x%2Fcancel'],
  ['an escaped letter', 'GET /%76%31/payments/pay_x'],
  ['an escape that is none', 'GET /v1/payments/%zz'],
  ['an escape that is no UTF-8', 'GET /v1/payments/%ff'],
  ['a parameter in the path', 'GET /v1/payments/pay_x;a=b'],
  ['a slash at the end', 'GET /v1/payments/pay_x/'],
  ['capitals', 'GET /V1/payments/pay_x'],
  ['a prototype', 'GET /v1/__proto__/constructor'],
])('replies not_found to a target with %s', async (_, line) => {
  const reply = await only([head(line)], { replies: 1 });
  expectOurs(reply);
  expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
});

it('takes a target in absolute form for the same request', async () => {
  const body = JSON.stringify({
    type: 'individual',
    external_ref: 'absolute',
    email: 'a@example.com',
    mobile_number: '+12025550199',
  });
  const headers = [json, 'Idempotency-Key: absolute', `Content-Length: ${body.length}`];
  const [first, second] = await say(
    ['/v1/customers', 'http://here/v1/customers'].map(
      (target) => head(`POST ${target}`, ...headers) + body,
    ),
    { replies: 2 },
  );
  expect([first?.status, second?.status]).toEqual([201, 201]);
  expect(second?.headers.get('idempotent-replayed')).toBe('true');
  expect(second?.body.id).toBe(first?.body.id);
});

it.each(['OPTIONS', 'TRACE', 'PATCH', 'PUT', 'DELETE', 'PROPFIND'])(
  'finds nothing under %s, whatever its body',
  async (method) => {
    for (const target of ['/v1/payments', '/v1/nowhere', '/nowhere']) {
      const lines = head(`${method} ${target}`, json, 'Content-Length: 1');
      const reply = await only([`${lines}{`], { replies: 1 });
      expectOurs(reply);
      expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
    }
  },
);

it('counts a known caller on an unknown path too, and replies the same to others', async () => {
  const known = await server.call('PATCH', '/v1/nowhere');
  expect([known.status, known.headers.has('ratelimit-limit')]).toEqual([404, true]);
  for (const token of [null, 'tok_wrong']) {
    const unknown = await server.call('PATCH', '/v1/nowhere', { token });
    expect([unknown.status, unknown.headers.has('ratelimit-limit')]).toEqual([404, false]);
    expect(unknown.body.error.code).toBe('not_found');
  }
});

it('does not upgrade', async () => {
  for (const protocol of ['websocket', 'h2c', 'TLS/1.2']) {
    const lines = head('GET /v1/payments/pay_x', 'Connection: upgrade', `Upgrade: ${protocol}`);
    expect((await only([lines], { replies: 1 })).status).toBe(404);
  }
});

it('replies to HEAD as to GET, with its headers and without its body', async () => {
  const paths = Object.values(endpoints)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replaceAll(/:\w+/g, 'x'));
  const others = ['/livez', '/readyz', '/openapi.json', '/openapi.yaml', '/portal/api/settings'];
  for (const path of [...paths, ...others, '/v1/accounts?customer_id=x', '/nowhere']) {
    const get = await server.call('GET', path);
    const reply = await only([head(`HEAD ${path}`)], { replies: 1, bodiless: true });
    expect([reply.status, reply.text], path).toEqual([get.status, '']);
    const names = (headers: Headers) => [...headers.keys()].sort().join(' ');
    expect(names(reply.headers), path).toBe(names(get.headers));
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect(reply.headers.get(name), path).toBe(get.headers.get(name));
  }
});

it.each([
  ['no type', []],
  ['an empty type', ['Content-Type:']],
  ['another type', ['Content-Type: text/json']],
  ['a type with a space in it', ['Content-Type: application/ json']],
  ['another charset', ['Content-Type: application/json; charset=utf-16']],
  ['a second parameter', ['Content-Type: application/json; charset=utf-8; x=y']],
  ['two types', [json, 'Content-Type: text/plain']],
  ['one type twice', [json, json]],
  ['a list of types', ['Content-Type: application/json, application/json']],
])('refuses a body of %s', async (_, headers) => {
  const reply = await only([post('{}', ...headers)], { replies: 1 });
  expectOurs(reply);
  expect(reasonOf(reply)).toEqual([400, 'content_type']);
  expect(reply.headers.has('ratelimit-limit')).toBe(true);
});

it.each(['\tapplication/json', '   application/json', 'application/json  ; charset=utf-8'])(
  'takes a body of type "%s"',
  async (type) => {
    const reply = await only([post('{}', `Content-Type:${type}`)], { replies: 1 });
    expect(reply.body.error.code).toBe('parameter_missing');
  },
);

const tooLong = JSON.stringify({ flow: 'x'.repeat(65_530) });
const inChunks = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const chunked = () =>
  head('POST /v1/sessions', 'Idempotency-Key: k', json, 'Transfer-Encoding: chunked');

it.each([
  ['with its length', () => [post(tooLong, json)]],
  ['with its length and nothing else', () => [post(tooLong, json).slice(0, -tooLong.length)]],
  ['in one chunk', () => [chunked() + inChunks(tooLong)]],
  ['in small chunks', () => [chunked(), ...Array(9).fill(`2000\r\n${'x'.repeat(8_192)}\r\n`)]],
])('refuses a body above 64 kB, sent %s, and closes the connection', async (_, parts) => {
  const reply = await only(parts());
  expectOurs(reply);
  expect(reasonOf(reply)).toEqual([400, 'too_large']);
  expect(reply.headers.has('ratelimit-limit')).toBe(true);
});

it('takes a body of exactly 64 kB', async () => {
  const body = JSON.stringify({ flow: 'x'.repeat(65_536 - 11) });
  expect(body).toHaveLength(65_536);
  for (const bytes of [post(body, json), chunked() + inChunks(body)])
    expect((await only([bytes], { replies: 1 })).body.error.code).toBe('parameter_missing');
});

it('replies to complete requests before it refuses what follows on the connection', async () => {
  for (const bytes of [
    `${unknownPayment()}GARBAGE\r\n\r\n`,
    `${unknownPayment()}${unknownPayment()}\x00`,
    `${post('{}', json)}{"a":1}`,
  ]) {
    const replies = await say([bytes]);
    const last = replies.at(-1);
    for (const reply of replies) expectOurs(reply);
    expect(last && reasonOf(last)).toEqual([400, 'malformed_request']);
    expect(replies.length).toBeGreaterThan(1);
    for (const reply of replies.slice(0, -1)) {
      expect(reply.headers.has('ratelimit-limit')).toBe(true);
      expect(reply.body.error.details?.reason).not.toBe('malformed_request');
    }
  }
});

it('replies to requests that were sent together in their order', async () => {
  const lines = [unknownPayment(), head('GET /livez'), unknownPayment()];
  const replies = await say([lines.join('')], { replies: 3 });
  expect(replies.map(({ status }) => status)).toEqual([404, 200, 404]);
});

it('refuses a body that is broken off in the middle, under the headers of its caller', async () => {
  const gzip = chunked().replace('chunked', 'gzip');
  for (const parts of [[`${chunked()}zz\r\n`], [chunked(), '2\r\n{}garbage'], [gzip]]) {
    const reply = await only(parts);
    expectOurs(reply);
    expect(reasonOf(reply)).toEqual([400, 'malformed_request']);
    expect(reply.headers.has('ratelimit-limit')).toBe(true);
  }
});

it('survives clients that disconnect at any point', async () => {
  const whole = post(JSON.stringify({ flow: 'onboarding', customer_id: 'x' }), json);
  for (let length = 1; length < whole.length; length += 9)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1', () => {
        socket.write(whole.slice(0, length), () => socket.resetAndDestroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', () => {});
    });
  expect((await server.call('GET', '/livez')).status).toBe(200);
});

it('replies 100 to a client that waits for it, and ignores other expectations', async () => {
  const waiting = (body: string) => post(body, json, 'Expect: 100-continue');
  const small = waiting('{}');
  const [interim, final] = await say([small.slice(0, -2), '{}'], { replies: 2 });
  expect([interim?.status, final?.body.error.code]).toEqual([100, 'parameter_missing']);
  const big = await only([waiting(tooLong).slice(0, -tooLong.length)]);
  expect(reasonOf(big)).toEqual([400, 'too_large']);
  const odd = await only([head('GET /v1/payments/pay_x', 'Expect: miracles')], { replies: 1 });
  expectOurs(odd);
  expect(odd.status).toBe(404);
});

it('refuses two tokens, says whether one was sent, and not what is wrong with it', async () => {
  const expired = `tok_${Buffer.alloc(48, 7).toString('base64url')}`;
  const credentials = [
    [],
    ['Authorization:'],
    ['Authorization: Bearer'],
    [`Authorization: Token ${server.token}`],
    [`Authorization: Bearer  ${server.token}`],
    [`Authorization: Bearer ${server.token}, Bearer ${server.token}`],
    [`Authorization: Bearer ${server.token}`, `Authorization: Bearer ${server.token}`],
    [`Authorization: Bearer ${server.token}`, 'Authorization: Basic YTpi'],
    [`Authorization: Bearer ${expired}`],
    [`Authorization: Bearer ${server.token}=`],
    ['Authorization: Bearer \xe9'],
    [`Authorization: Bearer ${server.tenant.client_secret}`],
  ];
  const said = new Map<string, number>();
  for (const headers of credentials) {
    const lines = ['GET /v1/payments/pay_x HTTP/1.1', 'Host: h', ...headers, '', ''].join('\r\n');
    const reply = await only([lines], { replies: 1 });
    expectOurs(reply);
    expect(reply.status, headers.join()).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    expect(reply.headers.has('ratelimit-limit')).toBe(false);
    const { request_id } = reply.body.error;
    const same = `${[...reply.headers.keys()].filter((name) => name !== 'content-length')} ${reply.text.replaceAll(request_id, '')}`;
    said.set(same, (said.get(same) ?? 0) + 1);
  }
  // None was sent; it has not the form; it is unknown, ended, or something else.
  expect([...said.values()]).toEqual([1, 9, 2]);
});

it.each([
  ['limit=1&limit=2', 'limit'],
  ['limit=', 'limit'],
  ['limit', 'limit'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=1e1', 'limit'],
  ['limit=%31%00', 'limit'],
  ['limit=%ff', 'limit'],
  ['limit[]=1', 'limit[]'],
  ['cursor=', 'cursor'],
  ['cursor=a&cursor=a', 'cursor'],
  ['type=', 'type'],
  ['from=', 'from'],
  ['from=2026-02-30T00:00:00Z', 'from'],
  ['unknown=1', 'unknown'],
  ['__proto__=1', '__proto__'],
  ['__proto__[x]=1', '__proto__[x]'],
  ['constructor=1', 'constructor'],
  ['toString', 'toString'],
])('refuses the query %s and names the parameter', async (query, param) => {
  const reply = await server.call('GET', `/v1/webhook-events?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatchObject({ code: 'parameter_invalid', param });
});

it.each([
  ['lists nested 100,000 deep', `{"flow":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['lists nested as deep as 64 kB can', '['.repeat(32_768) + ']'.repeat(32_768)],
  ['objects nested as deep as 64 kB can', `${'{"a":'.repeat(10_900)}1${'}'.repeat(10_900)}`],
  [
    'a deep target',
    `{"flow":"payment_confirm","customer_id":"x","target":${'['.repeat(9)}${']'.repeat(9)}}`,
  ],
  ['a deep field', `{"flow":${'['.repeat(30_000)}${']'.repeat(30_000)},"customer_id":"x"}`],
  ['lists that never end', '['.repeat(65_536)],
  ['a list', '[]'],
  ['a text', '"flow"'],
  ['a number', '1'],
  ['a number beyond all', '1e999999'],
  ['a mark of byte order', '\ufeff{}'],
  ['two values', '{}{}'],
  ['a comment', '{/**/}'],
  ['a trailing comma', '{"flow":"onboarding",}'],
  ['a field without a name', '{"":1,"flow":"onboarding","customer_id":"x"}'],
  ['a field named by U+0000', '{"\\u0000":1,"flow":"onboarding","customer_id":"x"}'],
  ['a prototype', '{"__proto__":{"flow":"onboarding","customer_id":"x"}}'],
  ['a constructor', '{"flow":"onboarding","customer_id":"x","constructor":{"prototype":{}}}'],
  ['a lone surrogate', '{"flow":"onboarding","customer_id":"\\ud800"}'],
])('refuses %s as a body, and nothing breaks', async (_, body) => {
  const reply = await only([post(body, json)], { replies: 1 });
  expectOurs(reply);
  expect(reply.status).toBe(400);
  expect(reply.body.error.code).toMatch(/^parameter_(invalid|missing)$/);
  // Deep bodies must not break the request log either.
  await server.service.requestLog.flush();
});

it('takes the last of duplicate fields', async () => {
  const body = `{"flow":"nonsense","customer_id":5,"flow":"onboarding","customer_id":"x"}`;
  const reply = await only([post(body, json)], { replies: 1 });
  expect([reply.status, reply.body.error.code]).toEqual([422, 'session_invalid']);
});

const port = () => hasty.port;

it.each([
  ['does not end its headers', () => ['GET /livez HTTP/1.1\r\nHost: h\r\nX: ']],
  ['sends its headers letter by letter', () => ['GET /livez HTTP/1.1\r\n', ...'X'.repeat(90)]],
])('closes the connection of a client that %s', async (_, parts) => {
  const reply = await only(parts(), { port: port() });
  expectOurs(reply);
  expect(reasonOf(reply)).toEqual([400, 'timeout']);
});

it('closes a connection on which nothing was sent without a word', async () => {
  const before = performance.now();
  expect(await say([], { port: port() })).toEqual([]);
  expect(performance.now() - before).toBeGreaterThan(700);
});

it('closes the connection of a client whose body does not come, and counts its request', async () => {
  const body = `{"flow":"onboarding"${' '.repeat(200)}}`;
  const lines = post(body, json).slice(0, -body.length);
  for (const parts of [[lines + body.slice(0, -1)], [lines, ...body]]) {
    const reply = await only(parts, { port: port() });
    expectOurs(reply);
    expect(reasonOf(reply)).toEqual([400, 'timeout']);
    expect(reply.headers.has('ratelimit-limit')).toBe(true);
  }
});

it('closes the connection of a client that never reads its reply', async () => {
  const impatient = await listen(['127.0.0.1'], 0, {
    timeouts: {
      headersMs: 5_000,
      requestMs: 5_000,
      checkEveryMs: 50,
      keepAliveMs: 60_000,
      silenceMs: 200,
    },
  });
  const cut = new Promise<void>((resolve) => {
    impatient.use((_request, response) => {
      response.once('close', resolve);
      response.end('x'.repeat(64 * 1_024 * 1_024));
    });
  });
  const socket = connect(impatient.port, '127.0.0.1', () => socket.write(head('GET /')));
  socket.pause().on('error', () => {});
  await cut;
  socket.destroy();
  await impatient.close(1_000);
});

it('serves others while many are slow', async () => {
  const slow = Array.from({ length: 200 }, () =>
    say(['GET /livez HTTP/1.1\r\nHost: h\r\nX: '], { port: port() }),
  );
  const served = await Promise.all(
    Array.from({ length: 20 }, () => only([unknownPayment()], { port: port(), replies: 1 })),
  );
  expect(new Set(served.map(({ status }) => status))).toEqual(new Set([404]));
  for (const replies of await Promise.all(slow))
    expect(replies.map(reasonOf)).toEqual([[400, 'timeout']]);
});

it('a body of null is no object, also where none is needed', async () => {
  const reply = await server.call('POST', '/v1/payments/pay_x/cancel', { key: 'k', body: 'null' });
  expect(reply.body.error).toMatchObject({
    code: 'parameter_invalid',
    details: { reason: 'type' },
  });
});
