import { randomBytes, timingSafeEqual } from 'node:crypto';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { refused, timeoutMs } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Queryable } from '../scope.ts';

/**
 * Challenges of passkeys (rules/sign-in#5). They are marked and not stored, so that a stranger who
 * asks for many fills no table; one that was answered is remembered until it expires.
 */
type Maker = Pick<Service, 'vault' | 'clocks'>;

/** What an answer proves, so that one cannot be used for another. */
export type Purpose =
  | 'sign_in'
  | `step_up ${string}`
  | `passkey ${string}`
  | `accept ${string}`
  | `approve ${string}`;

const nonceBytes = 24;
const timeBytes = 6;
const markBytes = 32;
/** The browser's own deadline, and time for the answer to arrive. */
const lifetimeMs = 2 * timeoutMs;

const markOf = ({ vault }: Maker, purpose: Purpose, signed: Buffer): Buffer =>
  Buffer.from(vault.index('', `challenge ${purpose} ${signed.toString('hex')}`), 'hex');

export function newChallenge(maker: Maker, purpose: Purpose): string {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(maker.clocks.realNow() + lifetimeMs, 0, timeBytes);
  const signed = Buffer.concat([randomBytes(nonceBytes), time]);
  return Buffer.concat([signed, markOf(maker, purpose, signed)]).toString('base64url');
}

/** Takes a challenge that was answered: it is good once. @throws ApiError parameter_invalid */
export async function takeChallenge(
  connection: Queryable,
  maker: Maker,
  purpose: Purpose,
  challenge: string,
): Promise<void> {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== nonceBytes + timeBytes + markBytes) throw refused('challenge');
  const signed = bytes.subarray(0, nonceBytes + timeBytes);
  if (!timingSafeEqual(bytes.subarray(signed.length), markOf(maker, purpose, signed)))
    throw refused('challenge');
  const expiresMs = signed.readUIntBE(nonceBytes, timeBytes);
  const nowMs = maker.clocks.realNow();
  if (expiresMs <= nowMs) throw refused('challenge');
  await connection.query('delete from control.used_challenges where expires_at <= $1', [
    instantOf(nowMs),
  ]);
  const { rowCount } = await connection.query(
    `insert into control.used_challenges (nonce, expires_at) values ($1, $2)
     on conflict (nonce) do nothing`,
    [signed.toString('hex'), instantOf(expiresMs)],
  );
  if (rowCount === 0) throw refused('challenge');
}
