import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { derivedKeyId } from '@tenant-payments/engine/key_ring.ts';
import { expect, test } from 'vitest';
import { openQrSigner } from './qr.ts';

const newKey = (id: string) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { id, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
};
const key = newKey('2026a');
const signer = openQrSigner([key], 'sandbox');
const content = { id: 'pr_1', t: 'dynamic', mer: 'cus_1', amt: 1850, exp: 1_800_000_000 } as const;

test('a signed payload is read back whole', () => {
  const read = signer.read(signer.write(content));
  expect(read).toMatchObject({ refusal: null, content: { v: 1, env: 'sandbox', ...content } });
});

test('a payload with any one character changed is refused', () => {
  const payload = signer.write(content);
  for (let index = 0; index < payload.length; index += 1) {
    // The last character of a base64url text can hold unused bits.
    if (payload[index + 1] === '.' || index === payload.length - 1) continue;
    const other = payload[index] === 'A' ? 'B' : 'A';
    const altered = payload.slice(0, index) + other + payload.slice(index + 1);
    expect(signer.read(altered).content, `character ${index}`).toBeNull();
  }
});

test.each([
  ['', 'malformed'],
  ['tps1.', 'malformed'],
  ['tps1.e30.AAAA', 'malformed'],
  ['https://pay.example/x', 'malformed'],
])('%j is malformed', (payload, refusal) => {
  expect(signer.read(payload).refusal).toBe(refusal);
});

test('a payload of another key is refused as signature', () => {
  expect(signer.read(openQrSigner([newKey('2026a')], 'sandbox').write(content)).refusal).toBe(
    'signature',
  );
});

test('a payload of the other environment is refused as environment', () => {
  const payload = openQrSigner([key], 'production').write(content);
  expect(signer.read(payload).refusal).toBe('environment');
});

test('a printed code stays valid under a newer first key, until its own key is dropped', () => {
  const printed = signer.write(content);
  const newer = newKey('2026b');
  const rotated = openQrSigner([newer, key], 'sandbox');
  expect(rotated.read(printed).refusal).toBeNull();
  expect(rotated.read(rotated.write(content)).content?.kid).toBe('2026b');
  expect(signer.read(rotated.write(content)).refusal).toBe('signature');
  expect(openQrSigner([newer], 'sandbox').read(printed).refusal).toBe('signature');
});

test('a code that names its key by the digest, as before keys had ids, is read', () => {
  const publicKey = createPublicKey(key.key).export({ type: 'spki', format: 'der' });
  const before = openQrSigner([{ id: derivedKeyId(publicKey), key: key.key }], 'sandbox');
  expect(signer.read(before.write(content)).refusal).toBeNull();
});
