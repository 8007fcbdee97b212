import { createHmac } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { fail } from '../../../core/fail.ts';
import { column, orNull, type RowOf, table } from '../../../core/table.ts';

/** How many wrong PINs lock it (decisions 1.8, PIN). */
export const maximumPinAttempts = 5;

/** One PIN for each customer. `attempts` counts those that are open or failed, `failures` the latter. */
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

/** OWASP's least for argon2id; the pepper makes a stolen table useless without the service's key. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const isRun = (digits: readonly number[], step: number): boolean =>
  digits.every((digit, index) => index === 0 || digit - (digits[index - 1] ?? 0) === step);

/**
 * Six digits that are no run (123456, 654321) and no repetition (111111, 121212, 123123).
 * @throws ApiError parameter_invalid, param `pin`: the value is never told
 */
export function assertPin(pin: string): void {
  const refuse = (reason: string) =>
    fail('parameter_invalid', { param: 'pin', details: { reason } });
  if (!/^[0-9]{6}$/.test(pin)) throw refuse('six_digits');
  const digits = [...pin].map(Number);
  if (isRun(digits, 1) || isRun(digits, -1)) throw refuse('run');
  if (/^([0-9]{1,3})\1+$/.test(pin)) throw refuse('repetition');
}

/** As text: the library compares no bytes that are not UTF-8. */
const peppered = (pepper: Buffer, pin: string): string =>
  createHmac('sha256', pepper).update(pin).digest('base64url');

/** What is stored of a PIN: argon2id over its HMAC with a key that lives outside the database. */
export const hashPin = (pepper: Buffer, pin: string): Promise<string> =>
  hash(peppered(pepper, pin), cost);

/** Whether it is the PIN that was hashed. A tenth of a second, on another thread. */
export const isPin = (pepper: Buffer, pin: string, stored: string): Promise<boolean> =>
  verify(stored, peppered(pepper, pin));

/** A PIN without attempts, as it is set. */
export const freshPin = (hash: string) => ({ hash, attempts: 0, failures: 0, attempted_at: null });
