import { request } from 'node:http';
import { connect } from 'node:net';
import { errorCodes } from '@tenant-payments/contract/resources/errors.ts';
import { ApiError, unavailable } from '@tenant-payments/engine/fail.ts';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { openServer as openHttpServer } from '../server.ts';

const server = await openServer({ own: true });

const post = (body: string, type: string | undefined, path = '/v1/sessions') =>
  server.call('POST', path, {
    body,
    key: 'k',
    headers: type === undefined ? {} : { 'content-type': type },
  });

it.each([
  ['GET', '/nowhere'],
  ['GET', '/v1/nowhere'],
  ['DELETE', '/v1/payments'],
  ['PUT', '/v1/payments/pay_x'],
  ['OPTIONS', '/v1/payments'],
  ['GET', '/oauth/token'],
  ['GET', '/v1/payments/%zz'],
  ['GET', `/v1/${'x'.repeat(8_000)}`],
])('replies not_found with the error object to %s %s', async (method, path) => {
  const reply = await server.call(method, path);
  expect(reply.status).toBe(404);
  const { error } = reply.body;
  expect(error).toMatchObject({ code: 'not_found', param: null, details: null });
  expect(error.request_id).toBe(reply.headers.get('service-request-id'));
});

it.each([
  ['no header', undefined, 'Authorization is missing'],
  ['another scheme', 'Basic Y2xfeDpjc194', 'is not `Bearer <access token>`'],
  ['a made-up token', 'Bearer tok_x', 'is not known here, or has ended'],
])('a call with %s is told so, and where to get an access token', async (_what, header, fault) => {
  const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
  const reply = await fetch(`${server.baseUrl}/v1/customers`, { headers });
  const { error } = (await reply.json()) as { error: Record<string, unknown> };
  expect([reply.status, error.code, error.param, error.details]).toEqual([
    401,
    'authentication_required',
    null,
    null,
  ]);
  expect(error.message).toContain(fault);
  expect(error.message).toContain('POST /oauth/token');
});

it('a path with another method names in its message the methods of Allow', async () => {
  const { headers, body } = await server.call('DELETE', '/v1/payments');
  expect(body.error.message).toBe(`no DELETE at this path: it takes ${headers.get('allow')}`);
  expect((await server.call('GET', '/v1/nowhere')).body.error.message).toBe('no such path');
});

it('a wrong Content-Type names the one that is expected', async () => {
  const { error } = (await post('{}', 'text/plain')).body;
  expect(error.details).toEqual({ reason: 'content_type', expected: 'application/json' });
  expect(error.message).toContain('application/json');
});

it('replies to HEAD as to GET, without the body', async () => {
  const get = await server.call('GET', '/livez');
  const head = await server.call('HEAD', '/livez');
  expect([head.status, head.body]).toEqual([200, null]);
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  const unknown = await server.call('HEAD', '/v1/payments/pay_x');
  expect([unknown.status, unknown.body]).toEqual([404, null]);
});

const json = 'application/json';
it.each([
  ['malformed_json', '{"flow":', json],
  ['malformed_json', 'not json', json],
  ['content_type', '{}', 'text/plain'],
  ['content_type', '{}', 'application/json; charset=latin1'],
  ['content_type', '{}', 'application/jsonp'],
  ['content_type', '{}', 'application/vnd.api+json'],
  ['content_type', 'flow=onboarding', 'application/x-www-form-urlencoded'],
  ['content_type', '{}', 'nonsense'],
  ['too_large', JSON.stringify({ flow: 'x'.repeat(65_536) }), json],
])('refuses a body as %s', async (reason, body, type) => {
  const reply = await post(body, type);
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatchObject({ code: 'parameter_invalid', details: { reason } });
});

it('refuses a body that is not UTF-8', async () => {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/v1/sessions/exchange',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': json },
    payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  });
  expect(reply.json().error).toMatchObject({ details: { reason: 'malformed_json' } });
});

it.each([json, 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
  'takes a body of %s',
  async (type) => {
    const reply = await post('{}', type);
    expect(reply.body.error).toMatchObject({ code: 'parameter_missing', param: 'flow' });
  },
);

it('needs no body where no field is required, and no Content-Type without one', async () => {
  const typed: Record<string, string>[] = [{}, { 'content-type': json }];
  for (const headers of typed) {
    const reply = await server.call('POST', '/v1/payments/pay_x/cancel', { key: 'k', headers });
    expect(reply.body.error.code).toBe('not_found');
  }
});

it('takes the last of duplicate fields, and sets no prototype', async () => {
  const twice = await post('{"flow":"onboarding","customer_id":"a","flow":"nonsense"}', json);
  expect(twice.body.error).toMatchObject({ param: 'flow' });
  const proto = await post('{"flow":"onboarding","customer_id":"a","__proto__":{"x":1}}', json);
  expect(proto.body.error).toMatchObject({ param: '__proto__' });
});

it('does not show an internal fault, and logs it without the request’s data', async () => {
  const lines: string[] = [];
  const app = openHttpServer(pino({}, { write: (line) => lines.push(line) }));
  app.get('/broken', async () => {
    throw new Error('duplicate key (mobile)=(+12025550123)');
  });
  const reply = await app.inject('/broken');
  expect(reply.statusCode).toBe(500);
  expect(reply.json().error).toMatchObject({
    code: 'internal_error',
    details: { reason: 'unexpected' },
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(reply.headers['service-request-id']);
  expect(lines[0] + reply.body).not.toContain('2025550123');
});

it('sends Retry-After with 503', async () => {
  const app = openHttpServer(pino({ level: 'silent' }));
  app.get('/away', async () => {
    throw unavailable('the database is away', 2);
  });
  app.get('/refused', async () => {
    throw new ApiError('rate_limited', { retryAfter: 7, details: { retry_after: 7 } });
  });
  const away = await app.inject('/away');
  expect([away.statusCode, away.headers['retry-after']]).toEqual([503, '2']);
  const refused = await app.inject('/refused');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '7']);
});

it('replies 503 with Retry-After while the database is away, to reads too', async () => {
  const lines: string[] = [];
  const app = openHttpServer(pino({}, { write: (line) => lines.push(line) }));
  app.get('/read', async () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  });
  const reply = await app.inject('/read');
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
  expect(reply.json().error.code).toBe('internal_error');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { cause: 'database_stopping', msg: 'the database is away; the reply was 503' },
  ]);
});

it('replies with the error object to bytes that are no HTTP', async () => {
  const { port } = new URL(server.baseUrl);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
    socket.on('data', (chunk) => (received += chunk));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toMatch(/service-request-id: req_[0-9a-f]{32}\r\n/);
  expect(text).toContain('"reason":"malformed_request"');
});

it('gives every request an id of its own', async () => {
  const ids = await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        new Promise((resolve) => {
          request(`${server.baseUrl}/livez`, (reply) =>
            resolve(reply.resume().headers['service-request-id']),
          ).end();
        }),
    ),
  );
  expect(new Set(ids).size).toBe(20);
});

it.each(errorCodes)('says of %s in words what is wrong, not by the code alone', (code) => {
  for (const more of [{}, { param: 'a_field', details: { reason: 'a_reason' } }]) {
    const { message } = new ApiError(code, more);
    expect(message.length).toBeGreaterThan(code.length + 10);
    expect(message).not.toMatch(/undefined|null|NaN|\[object/);
  }
});

it('explains in the message what is wrong, not by the code alone', async () => {
  const body = { flow: 'payment_confirm', customer_id: 'cus_x' };
  const { error } = (await server.call('POST', '/v1/sessions', { body, key: 'words' })).body;
  expect(error).toMatchObject({ code: 'parameter_missing', param: 'target' });
  expect(error.message).toContain('target');
  expect(error.message).not.toBe('parameter missing');
});
