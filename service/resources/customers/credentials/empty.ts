import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { passkeys } from './passkeys.ts';
import { pins } from './pins.ts';

/** A customer's PIN and passkeys. */
export async function loadCredentials(read: Read, customerId: string) {
  const [pin, keys] = await Promise.all([
    read.maybe(pins, customerId),
    read.set(passkeys, 'customer_id', customerId),
  ]);
  return { pin, keys };
}

/** They are kept until the account closes or the application is withdrawn (rules/closing#13). */
export function emptyCredentials(
  work: Work,
  { pin, keys }: Awaited<ReturnType<typeof loadCredentials>>,
): void {
  if (pin) work.change(pin, { hash: '' });
  for (const key of keys) work.change(key, { public_key: '' });
}
