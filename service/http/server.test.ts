import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openServer } from './server.ts';

/** The caller’s address for a request from a proxy at 10.1.1.1. */
async function addressOf(trustedProxies: readonly string[]): Promise<string> {
  const app = openServer(pino({ level: 'silent' }), trustedProxies);
  app.get('/', async ({ ip }) => ({ ip }));
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
  const reply = await app.inject({ url: '/', headers, remoteAddress: '10.1.1.1' });
  await app.close();
  return reply.json().ip;
}

test('X-Forwarded-For is believed only from a known proxy, and only its last entry', async () => {
  expect(await addressOf([])).toBe('10.1.1.1');
  expect(await addressOf(['192.0.2.0/24'])).toBe('10.1.1.1');
  expect(await addressOf(['10.0.0.0/8'])).toBe('198.51.100.7');
});
