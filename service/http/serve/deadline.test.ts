import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { keepDeadlines } from './deadline.ts';
import { sendError } from './errors.ts';

const deadlineMs = 50;

function open(work: () => Promise<object>) {
  const app = Fastify();
  const log = pino({ level: 'silent' });
  keepDeadlines(app, deadlineMs);
  app.setErrorHandler((error, request, reply) => sendError(error, request.id, reply, log));
  app.get('/', work);
  return app;
}

test('a request whose work never ends gets 503 with Retry-After', async () => {
  const app = open(() => new Promise(() => {}));
  const reply = await app.inject('/');
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
  expect(reply.json().error.code).toBe('internal_error');
});

test('work that ends after its deadline does not change the reply', async () => {
  let end = (_value: object) => {};
  const app = open(() => new Promise((resolve) => (end = resolve)));
  const reply = await app.inject('/');
  end({ late: true });
  await new Promise((resolve) => setImmediate(resolve));
  expect(reply.statusCode).toBe(503);
});

test('work that ends in time gets its reply, and no deadline follows', async () => {
  const app = open(async () => ({ in: 'time' }));
  const reply = await app.inject('/');
  await new Promise((resolve) => setTimeout(resolve, 2 * deadlineMs));
  expect([reply.statusCode, reply.json()]).toEqual([200, { in: 'time' }]);
});
