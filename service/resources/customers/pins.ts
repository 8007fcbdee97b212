import { createHmac } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { column, type RowOf, table } from '../../core/table.ts';

/** How many wrong PINs lock it (decisions 1.8, PIN). */
export const maximumPinAttempts = 5;

/** One PIN for each customer; `attempts` counts those that are open or failed. */
export const pins = table({
  name: 'pins',
  key: ['customer_id'],
  columns: {
    customer_id: column.uuid,
    hash: column.text,
    attempts: column.integer,
  },
});
export type PinRow = RowOf<typeof pins>;

/** OWASP's least for argon2id; the pepper makes a stolen table useless without the service's key. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What is stored of a PIN: argon2id over its HMAC with a key that lives outside the database. */
export function hashPin(pepper: Buffer, pin: string): Promise<string> {
  return hash(createHmac('sha256', pepper).update(pin).digest(), cost);
}
