import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { refused, timeoutMs } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type UsedChallengeRow, usedChallenges } from './table.ts';

/**
 * Challenges of passkeys (rules/sign-in#5). They are marked and not stored, so that a stranger who
 * asks for many fills no table; one that was answered is remembered until it expires.
 */
type Maker = Pick<Service, 'vault' | 'clocks'>;

/** The purpose of an answer, so that one cannot be used for another. */
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

/** A challenge that is this purpose's and has not expired. @throws ApiError parameter_invalid */
function challengeOf(
  maker: Maker,
  purpose: Purpose,
  challenge: string,
): { readonly nonce: string; readonly expires_at: Instant } {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== nonceBytes + timeBytes + markBytes) throw refused('challenge');
  const signed = bytes.subarray(0, nonceBytes + timeBytes);
  if (!timingSafeEqual(bytes.subarray(signed.length), markOf(maker, purpose, signed)))
    throw refused('challenge');
  const expiresMs = signed.readUIntBE(nonceBytes, timeBytes);
  if (expiresMs <= maker.clocks.realNow()) throw refused('challenge');
  return { nonce: signed.toString('hex'), expires_at: instantOf(expiresMs) };
}

/** A challenge that was answered, as the command loads it that takes it. */
export interface Answered {
  readonly nonce: string;
  readonly expires_at: Instant;
  /** Null: nobody has taken it. */
  readonly used: UsedChallengeRow | null;
}

/** @throws ApiError parameter_invalid */
export async function loadAnswered(
  read: Read,
  maker: Maker,
  purpose: Purpose,
  challenge: string,
): Promise<Answered> {
  const found = challengeOf(maker, purpose, challenge);
  return { ...found, used: await read.maybe(usedChallenges, found.nonce) };
}

/** Takes a challenge that was answered: it is good once, in whichever process. @throws ApiError parameter_invalid */
export function takeAnswered(work: Work, { used, nonce, expires_at }: Answered): void {
  if (used !== null) throw refused('challenge');
  work.create(usedChallenges, { nonce, expires_at });
}
