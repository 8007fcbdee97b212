import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Service } from '@tenant-payments/service/service.ts';

/**
 * The token of a session's cookie: 192 random bits and a mark that only this deployment makes. Its form is that of
 * 1.0.0, which may run beside this release and takes no other; there the mark's place is random too.
 */
type Marking = Pick<Service, 'vault'>;

const prefix = 'tps_';
const nonceBytes = 24;
const markBytes = 8;

const markOf = ({ vault }: Marking, nonce: Buffer): Buffer =>
  Buffer.from(vault.index('', `session mark ${nonce.toString('hex')}`), 'hex').subarray(
    0,
    markBytes,
  );

export function newSessionToken(marking: Marking): string {
  const nonce = randomBytes(nonceBytes);
  return `${prefix}${Buffer.concat([nonce, markOf(marking, nonce)]).toString('base64url')}`;
}

/** Whether a token of the cookie's form has its mark: without it, it is made up or of 1.0.0 (rules/security#20). */
export function isMarked(marking: Marking, token: string): boolean {
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  const [nonce, mark] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes)];
  return mark.length === markBytes && timingSafeEqual(mark, markOf(marking, nonce));
}
