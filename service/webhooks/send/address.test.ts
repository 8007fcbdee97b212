import { expect, test } from 'vitest';
import { isPublic, urlFault } from './address.ts';
import { openSender } from './send.ts';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::',
  '3fff::1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
])('%s is no public address', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is a public address',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test.each([
  ['https://shop.example/hooks', null, null],
  ['http://shop.example/hooks', 'scheme', 'scheme'],
  ['http://127.0.0.1:3000/hooks', null, 'scheme'],
  ['http://localhost:3000/', null, 'scheme'],
  ['http://[::1]:3000/', null, 'scheme'],
  ['https://localhost/', null, 'address'],
  ['https://10.0.0.1/', 'address', 'address'],
  ['https://0x7f.1/', null, 'address'],
  ['https://2130706433/', null, 'address'],
  ['https://[::ffff:10.0.0.1]/', 'address', 'address'],
  ['https://user@shop.example/', 'credentials', 'credentials'],
  ['https://shop.example:22/', 'port', 'port'],
  ['https://shop.example:1023/', 'port', 'port'],
  ['https://8.8.8.8:0/', 'port', 'port'],
  ['https://shop.example:443/', null, null],
  ['https://shop.example:1024/', null, null],
  ['https://127.0.0.1:22/', null, 'address'],
  ['ftp://shop.example/', 'scheme', 'scheme'],
  ['shop.example', 'malformed', 'malformed'],
])('%s: sandbox %s, production %s', (url, sandbox, production) => {
  expect(urlFault(url, 'sandbox')).toBe(sandbox);
  expect(urlFault(url, 'production')).toBe(production);
});

const errorOf = async (environment: 'sandbox' | 'production', url: string) => {
  const sender = openSender({ environment, timeoutMs: 2_000, maximumBytes: 100 });
  const { error } = await sender.send(url, {}, '{}');
  await sender.close();
  return error;
};

test('no connection is made to a well-known port of a public host, whatever was saved', async () => {
  for (const environment of ['sandbox', 'production'] as const)
    for (const port of [22, 25, 1023])
      expect(await errorOf(environment, `https://8.8.8.8:${port}/`)).toBe('address_refused');
});

test('no connection is made to an address that is not allowed', async () => {
  expect(await errorOf('production', 'http://127.0.0.1:9/')).toBe('address_refused');
  expect(await errorOf('production', 'https://localhost:9/')).toBe('address_refused');
  expect(await errorOf('production', 'https://[::1]:9/')).toBe('address_refused');
  expect(await errorOf('sandbox', 'https://192.168.0.1:9/')).toBe('address_refused');
  expect(await errorOf('sandbox', 'http://192.168.0.1:9/')).toBe('address_refused');
  expect(await errorOf('sandbox', 'http://127.0.0.1:9/')).toBe('connection_refused');
  expect(await errorOf('sandbox', 'http://localhost:9/')).toBe('connection_refused');
});
