import { column, orNull, type RowOf, table } from '../../../core/table.ts';

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
    /** As WebAuthn writes it: base64url. */
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
