import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RingKey } from './key_ring.ts';
import { openSealer, openVault, sealedUnder } from './vault.ts';

const newKey = (id: string): RingKey => ({ id, key: randomBytes(32) });
const [a, b] = [newKey('2026a'), newKey('2026b')];
const place = ['t', 'row'] as const;

/** Seals a value as was done before keys had ids. */
function sealedBefore({ key }: RingKey, value: unknown): string {
  const nonce = randomBytes(12);
  const sealing = createHmac('sha256', key).update('seal').digest();
  const cipher = createCipheriv('aes-256-gcm', sealing, nonce);
  cipher.setAAD(Buffer.from(place.join('|')));
  const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

test('the first key seals and says so in the value, every key of the ring opens', () => {
  const old = openSealer([a]).seal(...place, 'x');
  const both = openSealer([b, a]);
  expect(sealedUnder(old)).toBe('2026a');
  expect(sealedUnder(both.seal(...place, 'x'))).toBe('2026b');
  expect(both.open(...place, old)).toBe('x');
  expect(() => openSealer([b]).open(...place, old)).toThrow();
});

test('what was sealed before keys had ids opens under any key of the ring', () => {
  const old = sealedBefore(a, { of: 'before' });
  expect(sealedUnder(old)).toBeNull();
  expect(openSealer([b, a]).open(...place, old)).toEqual({ of: 'before' });
  expect(() => openSealer([b]).open(...place, old)).toThrow();
});

test('a key that was given another id still opens what it sealed', () => {
  const sealed = openSealer([a]).seal(...place, 'x');
  expect(openSealer([b, { ...a, id: 'renamed' }]).open(...place, sealed)).toBe('x');
});

test('a value opens for its own tenant and row alone, under whatever key its header names', () => {
  const both = openSealer([b, a]);
  const sealed = both.seal(...place, 'x');
  expect(() => both.open('t', 'other', sealed)).toThrow();
  expect(() => both.open('other', 'row', sealed)).toThrow();
  expect(() => both.open(...place, sealed.replace('2026b', '2026a'))).toThrow();
  expect(() => both.open(...place, `${sealed.slice(0, -8)}AAAAAAA=`)).toThrow();
});

test('an index is the same under every sealing key', () => {
  const indexKey = randomBytes(32);
  const of = (ring: [RingKey, ...RingKey[]]) =>
    openVault(ring, indexKey).index('t', '+12125550100');
  expect(of([b])).toBe(of([a]));
});
