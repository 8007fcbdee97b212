import { createHmac } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { fail } from '../../../core/fail.ts';
import { column, orNull, type RowOf, table } from '../../../core/table.ts';

/** How many wrong PINs lock it (rules/hosted#11). */
export const maximumPinAttempts = 5;

/**
 * One PIN for each customer. `attempts` counts open and failed tries, `failures` the failed ones.
 */
export const pins = table({
  name: 'pins',
  key: ['customer_id'],
  columns: {
    customer_id: column.uuid,
    hash: column.text,
    attempts: column.integer,
    failures: column.integer,
    attempted_at: orNull(column.instant),
  },
});
export type PinRow = RowOf<typeof pins>;

/** OWASP's minimum for argon2id; without the pepper a stolen table is useless. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const isSequence = (digits: readonly number[], step: number): boolean =>
  digits.every((digit, index) => index === 0 || digit - (digits[index - 1] ?? 0) === step);

/**
 * Requires six digits, no sequence (123456, 654321) and no repetition (111111, 121212, 123123).
 * @throws ApiError parameter_invalid, param `pin`, {reason}: never the value
 */
export function assertPin(pin: string): void {
  const refuse = (reason: string) =>
    fail('parameter_invalid', { param: 'pin', details: { reason } });
  if (!/^[0-9]{6}$/.test(pin)) throw refuse('six_digits');
  const digits = [...pin].map(Number);
  if (isSequence(digits, 1) || isSequence(digits, -1)) throw refuse('run');
  if (/^([0-9]{1,3})\1+$/.test(pin)) throw refuse('repetition');
}

/** As text, because the library takes only UTF-8. */
const peppered = (pepper: Buffer, pin: string): string =>
  createHmac('sha256', pepper).update(pin).digest('base64url');

/** The stored form of a PIN: argon2id over an HMAC whose key is outside the database. */
export const hashPin = (pepper: Buffer, pin: string): Promise<string> =>
  hash(peppered(pepper, pin), cost);

/** Compares a PIN with its stored hash. Takes 0.1 s on another thread. */
export const isPin = (pepper: Buffer, pin: string, stored: string): Promise<boolean> =>
  verify(stored, peppered(pepper, pin));

/** The values of a PIN that was just set: no attempts. */
export const freshPin = (hash: string) => ({ hash, attempts: 0, failures: 0, attempted_at: null });
