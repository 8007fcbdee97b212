import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { tellCustomer } from '../messages/tell.ts';
import { type CustomerRow, customers } from '../table.ts';

/** Passkeys: only public keys and counters (rules/customers#29). */
export const passkeys = table({
  name: 'passkeys',
  key: ['id'],
  unique: { credential: ['credential_id'] },
  sets: ['customer_id'],
  frozen: ['customer_id', 'credential_id', 'transports', 'aaguid', 'created_at'],
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    /** The id as WebAuthn writes it: base64url. */
    credential_id: column.text,
    /** COSE, base64url; empty once it was removed or the account has closed (rules/retention#3). */
    public_key: column.text,
    counter: column.cents,
    /** How the browser reaches the authenticator, joined by commas; empty if unknown. */
    transports: column.text,
    /** The model of the authenticator, as it says itself; empty if unknown. */
    aaguid: column.text,
    created_at: column.instant,
    last_used_at: orNull(column.instant),
    removed_at: orNull(column.instant),
  },
});
export type PasskeyRow = RowOf<typeof passkeys>;

/** Its public key has not been emptied. */
export const isUsable = ({ public_key }: Pick<PasskeyRow, 'public_key'>): boolean =>
  public_key !== '';

/**
 * Removes passkeys: they prove nothing from now on, and the rows stay (rules/hosted#37). Each is told
 * to the customer.
 */
export function removePasskeys(
  work: Work,
  customer: CustomerRow,
  keys: readonly PasskeyRow[],
): void {
  for (const key of keys.filter(isUsable)) {
    work.change(key, { public_key: '', removed_at: work.now });
    tellCustomer(work, customer, 'passkey_removed');
  }
}

/**
 * The reviewer removes all passkeys of a customer (rules/review#28).
 * @throws ApiError invalid_state {reason: no_passkey}
 */
export const removeAllPasskeys = command('remove_passkeys', {
  load: async (read, { id }: { readonly id: string }) => {
    const [customer, keys] = await Promise.all([
      read.one(customers, id),
      read.set(passkeys, 'customer_id', id),
    ]);
    return { customer, keys };
  },
  decide: (work, { customer, keys }) => {
    if (!keys.some(isUsable))
      throw fail('invalid_state', {
        details: { current_status: customer.status, allowed: [], reason: 'no_passkey' },
      });
    removePasskeys(work, customer, keys);
    return { record: customer };
  },
});
