import { createHmac, timingSafeEqual } from 'node:crypto';
import { takeRandom } from './random.ts';

/** Secrets that name their tenant, so that they are found by (tenant_id, hash) like everything else. */
export interface MarkedSecrets {
  /** 256 random bits, url-safe, after the tenant's id, with a mark that only this service can make. */
  newSecret(tenantId: string, prefix: string): string;
  /** The same from what is given instead of random bits: whoever does not know it cannot guess the secret. */
  secretOf(tenantId: string, prefix: string, from: string): string;
  /** The tenant that a secret of this kind names; null when it is made up (rules/security#2). */
  tenantOf(secret: string, prefix: string): string | null;
}

const tenantBytes = 16;
const randomPart = 32;
/** The mark is over the tenant's id and the random bytes. */
const markedBytes = tenantBytes + randomPart;
const markBytes = 8;

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** @param key 32 bytes that no rotation changes */
export function openMarkedSecrets(key: Buffer): MarkedSecrets {
  const marking = createHmac('sha256', key).update('mark').digest();
  const markOf = (prefix: string, marked: Buffer): Buffer => {
    const whole = createHmac('sha256', marking).update(`${prefix}|`).update(marked).digest();
    return whole.subarray(0, markBytes);
  };
  function made(tenantId: string, prefix: string, part: Buffer): string {
    const tenant = Buffer.from(tenantId.replaceAll('-', ''), 'hex');
    const marked = Buffer.concat([tenant, part]);
    return `${prefix}_${Buffer.concat([marked, markOf(prefix, marked)]).toString('base64url')}`;
  }
  return {
    newSecret: (tenantId, prefix) => made(tenantId, prefix, takeRandom(randomPart)),
    secretOf(tenantId, prefix, from) {
      const part = createHmac('sha256', marking).update(`${prefix}|secret|${from}`).digest();
      return made(tenantId, prefix, part);
    },
    tenantOf(secret, prefix) {
      if (!secret.startsWith(`${prefix}_`)) return null;
      const bytes = Buffer.from(secret.slice(prefix.length + 1), 'base64url');
      if (bytes.length !== markedBytes + markBytes) return null;
      const marked = bytes.subarray(0, markedBytes);
      const isOurs = timingSafeEqual(bytes.subarray(markedBytes), markOf(prefix, marked));
      return isOurs ? uuidOf(marked.subarray(0, tenantBytes)) : null;
    },
  };
}
