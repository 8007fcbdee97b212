import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyChecks, ringOf, secretKey, signingKey } from './key_rings.ts';

const newKey = () => randomBytes(32).toString('base64');
const [a, b] = [newKey(), newKey()];
const pem = () =>
  String(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));

function read(text: string) {
  const faults: string[] = [];
  const ring = ringOf('SEALING_KEY', text, secretKey, faults);
  return { ids: ring?.map(({ id }) => id), ring, faults };
}

test('a ring is read in its order, by commas or one key a line, with ids or without', () => {
  expect(read(`2026b:${b},2026a:${a}`).ids).toEqual(['2026b', '2026a']);
  expect(read(`2026b:${b}\n2026a:${a}\n`).ids).toEqual(['2026b', '2026a']);
  expect(read(` 2026b:${b} , ${a}`).ids).toEqual(['2026b', expect.stringMatching(/^[0-9a-f]{8}$/)]);
});

test('a key without an id has the same derived id at every start', () => {
  expect(read(a).ids).toEqual(read(Buffer.from(a, 'base64').toString('hex')).ids);
  expect(read(a).ids).not.toEqual(read(b).ids);
});

test('signing keys are whole PEMs among commas or lines, breaks written out or not', () => {
  const [first, second] = [pem(), pem()];
  for (const text of [
    `x:${first}y:${second}`,
    `x:${first.trim()},y:${second}`,
    `x:${first},y:${second}`.replaceAll('\n', '\\n'),
  ])
    expect(ringOf('QR_SIGNING_KEY', text, signingKey, [])).toEqual([
      { id: 'x', key: first },
      { id: 'y', key: second },
    ]);
});

test.each([
  [`x:${a},x:${b}`, 'SEALING_KEY has two keys with the id x'],
  [`${a},${a}`, /^SEALING_KEY has two keys with the id [0-9a-f]{8}$/],
  [`x:${a},y:${a}`, 'SEALING_KEY has one key under two ids'],
  [`x:${a},y:${b.slice(4)}`, /^SEALING_KEY: the key y must be 32 bytes/],
  [', ,', 'SEALING_KEY must hold at least one key'],
  ['hunter two', /^SEALING_KEY must be 32 bytes/],
])('%j is refused in one line that holds no key', (text, line) => {
  const { ring, faults } = read(text);
  expect(ring).toBeNull();
  expect(faults).toEqual([typeof line === 'string' ? line : expect.stringMatching(line)]);
  expect(faults.join()).not.toContain(a);
  expect(faults.join()).not.toContain('hunter');
});

test('a check value tells a key from another, whatever its id', () => {
  const checks = (text: string) => {
    const [sealingKeys, qrSigningKeys] = [
      read(text).ring,
      ringOf('QR_SIGNING_KEY', a, signingKey, []),
    ];
    if (!sealingKeys || !qrSigningKeys) throw new Error('a fault in the ring');
    return keyChecks({
      sealingKeys,
      pinPeppers: sealingKeys,
      qrSigningKeys,
      identityKeys: null,
    });
  };
  const [first, second, pepper] = checks(`x:${a},y:${b}`);
  expect(first).toMatchObject({ name: 'SEALING_KEY', id: 'x' });
  expect(first?.check).not.toBe(second?.check);
  expect(pepper).toEqual({ ...first, name: 'PIN_PEPPER' });
  expect(checks(`z:${a}`)[0]).toEqual({ ...first, id: 'z' });
});
