import { createHmac } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { fail } from '@tenant-payments/engine/fail.ts';
import { candidates, type KeyRing } from '@tenant-payments/engine/key_ring.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';

/** How many wrong PINs lock it (rules/hosted#11). */
export const maximumPinAttempts = 5;
/** How many resets may fail in a customer's life, until a reviewer allows more (rules/hosted#35). */
export const maximumResetFailures = 10;

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
    /** Identity answers of PIN resets that were wrong or are under way. */
    reset_failures: column.integer,
    /** Counts the PINs that were set: a page that proved an earlier one has proven nothing. */
    generation: column.integer,
    /** The sandbox's one PIN, which its pages show (rules/hosted#42). */
    is_sample: column.boolean,
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

/** The holder of a PIN: a hash that is copied to another customer's row matches nothing there. */
export interface PinHolder {
  readonly tenantId: string;
  readonly customerId: string;
}

/** The text that is hashed, by scheme. The library takes only UTF-8, hence text. */
const messages = {
  p1: (pin: string) => pin,
  p2: (pin: string, { tenantId, customerId }: PinHolder) => `${tenantId}|${customerId}|${pin}`,
} as const;
type Scheme = keyof typeof messages;

/** `<scheme>.<pepper id>.<argon2id>`. A hash from before peppers had ids is p1, argon2id alone. */
const storedForm = /^(p[12])\.([A-Za-z0-9_-]+)\.(.*)$/;

function partsOf(stored: string): { scheme: Scheme; pepperId: string | null; argon: string } {
  const [, scheme = 'p1', pepperId = null, argon = stored] = storedForm.exec(stored) ?? [];
  return { scheme: scheme as Scheme, pepperId, argon };
}

const peppered = (key: Buffer, message: string): string =>
  createHmac('sha256', key).update(message).digest('base64url');

async function hashed(scheme: Scheme, [{ id, key }]: KeyRing, message: string): Promise<string> {
  return `${scheme}.${id}.${await hash(peppered(key, message), cost)}`;
}

/** The stored form of a PIN: argon2id over an HMAC under the ring's first key (rules/hosted#10). */
export const hashPin = (peppers: KeyRing, holder: PinHolder, pin: string): Promise<string> =>
  hashed('p2', peppers, messages.p2(pin, holder));

/** Bound to nobody: the sandbox's one PIN is hashed once for all who are given it. */
export const hashSharedPin = (peppers: KeyRing, pin: string): Promise<string> =>
  hashed('p1', peppers, messages.p1(pin));

/** Compares a PIN with its stored hash. Takes 0.1 s on another thread. */
export async function isPin(
  peppers: KeyRing,
  holder: PinHolder,
  pin: string,
  stored: string,
): Promise<boolean> {
  const { scheme, pepperId, argon } = partsOf(stored);
  const message = messages[scheme](pin, holder);
  for (const { key } of candidates(peppers, pepperId))
    if (await verify(argon, peppered(key, message))) return true;
  return false;
}

/** Whether a PIN would be hashed so today; another hash is replaced at the PIN's next success. */
export function isPresentHash([first]: KeyRing, stored: string): boolean {
  const { scheme, pepperId } = partsOf(stored);
  return scheme === 'p2' && pepperId === first.id;
}

/** The generation of the PIN that onboarding sets. */
export const firstPin = 1;

/** The values of a PIN that was just set: no attempts. */
export const freshPin = (hash: string, generation: number) => ({
  hash,
  attempts: 0,
  failures: 0,
  attempted_at: null,
  generation,
});
