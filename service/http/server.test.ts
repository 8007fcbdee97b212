import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openServer } from './server.ts';

/** The caller’s address for a request from a proxy at 10.1.1.1. */
async function addressOf(
  trustedProxies: readonly string[],
  forwarded = '203.0.113.9, 198.51.100.7',
): Promise<string> {
  const app = openServer(pino({ level: 'silent' }), trustedProxies);
  app.get('/', async ({ ip }) => ({ ip }));
  const headers = { 'x-forwarded-for': forwarded };
  const reply = await app.inject({ url: '/', headers, remoteAddress: '10.1.1.1' });
  await app.close();
  return reply.json().ip;
}

test('X-Forwarded-For is believed only from a known proxy, and only its last entry', async () => {
  expect(await addressOf([])).toBe('10.1.1.1');
  expect(await addressOf(['192.0.2.0/24'])).toBe('10.1.1.1');
  expect(await addressOf(['10.0.0.0/8'])).toBe('198.51.100.7');
});

test.each([
  ['a port', '203.0.113.9, 198.51.100.7:40123', '198.51.100.7'],
  ['brackets', '[2001:db8::1]', '2001:db8::1'],
  ['brackets and a port', '[2001:db8::1]:40123', '2001:db8::1'],
  ['a port of a proxy in between', '198.51.100.7:40123, 10.0.0.2:80', '198.51.100.7'],
  ['a word', '203.0.113.9, unknown', '10.1.1.1'],
  ['a word before a proxy', 'x12345, 10.0.0.2:80', '10.0.0.2'],
  ['a word before its address', '_hidden, 198.51.100.7', '198.51.100.7'],
  ['an address with a digit too many', '198.51.100.7777', '10.1.1.1'],
  ['nothing', '', '10.1.1.1'],
  ['an empty end', '198.51.100.7, ', '10.1.1.1'],
])(
  'an entry with %s counts as its address alone, else as the proxy that wrote it',
  async (_what, forwarded, address) => {
    expect(await addressOf(['10.0.0.0/8'], forwarded)).toBe(address);
  },
);
