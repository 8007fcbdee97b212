import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * Encrypts stored secrets (rules/security#3): AES-256-GCM, bound to tenant and row, so that a value
 * copied to another row or tenant cannot be decrypted.
 */
export interface Vault {
  /** Any JSON value as sealed text. */
  seal(tenantId: string, row: string, value: unknown): string;
  /** @throws when the text was not sealed for this tenant and row, or was altered. */
  open(tenantId: string, row: string, sealed: string): unknown;
  /** A keyed hash of what must be found again but never read, such as a mobile number. Hex. */
  index(tenantId: string, value: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** @param key 32 bytes (`SEALING_KEY`) */
export function openVault(key: Buffer): Vault {
  const sealing = createHmac('sha256', key).update('seal').digest();
  const indexing = createHmac('sha256', key).update('index').digest();
  return {
    seal(tenantId, row, value) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce);
      cipher.setAAD(Buffer.from(`${tenantId}|${row}`));
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    open(tenantId, row, sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(`${tenantId}|${row}`));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8'));
    },
    index: (tenantId, value) =>
      createHmac('sha256', indexing).update(`${tenantId}|${value}`).digest('hex'),
  };
}

/** How tokens and client secrets are stored: 256 random bits need no salt and no slow hash. */
export const tokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** The tenant that a secret made by `newSecret` names, or null when it was not made by it. */
export function tenantOfSecret(secret: string): string | null {
  const bytes = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64url');
  if (bytes.length !== 48) return null;
  const digits = bytes.subarray(0, 16).toString('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
