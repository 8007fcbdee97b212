import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto';
import { candidates, type KeyRing, mapRing } from './key_ring.ts';
import { type MarkedSecrets, openMarkedSecrets } from './marked_secrets.ts';
import { takeRandom } from './random.ts';

/**
 * Encrypts stored secrets (rules/security#3): AES-256-GCM, bound to tenant and row, so that a value
 * copied to another row or tenant cannot be decrypted.
 */
export interface Sealer {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** Any JSON value as sealed text, under the ring's first key. */
  seal(tenantId: string, row: string, value: unknown): string;
  /** @throws when no key of the ring sealed the text for this tenant and row, or it was altered. */
  open(tenantId: string, row: string, sealed: string): unknown;
}

export interface Vault extends Sealer, MarkedSecrets {
  /** A keyed hash of what must be found again but never read, such as a mobile number. Hex. */
  index(tenantId: string, value: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** `s1.<key id>.<base64>`. What was sealed before keys had ids is the base64 alone. */
const envelope = /^s1\.([A-Za-z0-9_-]+)\.(.*)$/;

/** The id of the key that sealed a text; null for a text sealed before keys had ids. */
export const sealedUnder = (sealed: string): string | null => envelope.exec(sealed)?.[1] ?? null;

const derived = (key: Buffer, purpose: 'seal' | 'index') =>
  createHmac('sha256', key).update(purpose).digest();

function decrypt(key: Buffer, bound: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(bound);
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
  return Buffer.concat([text, decipher.final()]);
}

/** @param ring `SEALING_KEY`: keys of 32 bytes */
export function openSealer(ring: KeyRing): Sealer {
  const keys = mapRing(ring, (key) => derived(key, 'seal'));
  const [first] = keys;
  const boundTo = (tenantId: string, row: string) => Buffer.from(`${tenantId}|${row}`);
  return {
    keyId: first.id,
    seal(tenantId, row, value) {
      const nonce = takeRandom(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', first.key, nonce);
      cipher.setAAD(boundTo(tenantId, row));
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      const bytes = Buffer.concat([nonce, cipher.getAuthTag(), text]);
      return `s1.${first.id}.${bytes.toString('base64')}`;
    },
    open(tenantId, row, sealed) {
      const [, id = null, encoded = sealed] = envelope.exec(sealed) ?? [];
      const bytes = Buffer.from(encoded, 'base64');
      let failure: unknown;
      for (const { key } of candidates(keys, id)) {
        try {
          return JSON.parse(decrypt(key, boundTo(tenantId, row), bytes).toString('utf8'));
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },
  };
}

/** The key of indexes before it was a sealed value of its own (rules/keys#5). */
export const firstIndexKey = (ring: KeyRing): Buffer =>
  derived((ring.at(-1) ?? ring[0]).key, 'index');

/** @param indexKey 32 bytes that no rotation changes */
export function openVault(ring: KeyRing, indexKey: Buffer): Vault {
  return {
    ...openSealer(ring),
    ...openMarkedSecrets(indexKey),
    index: (tenantId, value) =>
      createHmac('sha256', indexKey).update(`${tenantId}|${value}`).digest('hex'),
  };
}

/** How tokens and client secrets are stored: 256 random bits need no salt and no slow hash. */
export const tokenHash = (token: string): string => hash('sha256', token);
