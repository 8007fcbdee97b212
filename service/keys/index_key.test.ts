import { randomBytes } from 'node:crypto';
import type { RingKey } from '@tenant-payments/engine/key_ring.ts';
import { firstIndexKey, openVault } from '@tenant-payments/engine/vault.ts';
import { expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { openServiceVault } from './index_key.ts';

const server = await openServer({ own: true, workers: false });
const { config, pool, clocks } = server.service;
const [a] = config.sealingKeys;
const b: RingKey = { id: '2026b', key: randomBytes(32) };
const rotated = await openServer({
  beside: server,
  workers: false,
  secrets: { ...config, sealingKeys: [b, a] },
});

const number = '+12125550142';
const customer = (external_ref: string) => ({
  type: 'individual',
  external_ref,
  email: 'ana@example.com',
  mobile_number: number,
});

test('a number is unique under every sealing key', async () => {
  const { status } = await server.call('POST', '/v1/customers', {
    key: 'first',
    body: customer('ana'),
  });
  expect(status).toBe(201);
  const { token } = server;
  const second = await rotated.call('POST', '/v1/customers', {
    token,
    key: 'second',
    body: customer('ben'),
  });
  expect([second.status, second.body.error.code]).toEqual([409, 'duplicate_mobile_number']);
});

test('a ring without the key that sealed this database opens nothing, and says so in one line', async () => {
  await expect(openServiceVault(pool, [b], clocks.realNow)).rejects.toThrow(
    /^SEALING_KEY holds no key that opens what this database keeps sealed$/,
  );
});

test('a database from before keeps the hashes that its key made, also with a newer key first', async () => {
  await pool.query('delete from service_keys');
  const before = openVault([a], firstIndexKey([a])).index('t', number);
  const vault = await openServiceVault(pool, [b, a], clocks.realNow);
  expect(vault.index('t', number)).toBe(before);
  const later = await openServiceVault(pool, [b], clocks.realNow);
  expect(later.index('t', number)).toBe(before);
});
