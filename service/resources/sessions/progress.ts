import { column, orNull, type RowOf, table } from '../../core/table.ts';

/**
 * What a page has done with the session that it opened. One row from the opening on: nothing of it is
 * shown in the session, and a payment that is made without pages has none.
 */
export const sessionProgress = table({
  name: 'session_progress',
  key: ['session_id'],
  columns: {
    session_id: column.uuid,
    /** The nonce of the passkey challenge that may be answered now; base64url. */
    challenge: orNull(column.text),
    /** A right PIN was given in this session: a passkey may be added. */
    pin_proven: column.boolean,
    codes_sent: column.integer,
    code_hash: orNull(column.text),
    code_tries: column.integer,
    code_expires_at: orNull(column.instant),
    code_verified: column.boolean,
    /** Where the code went, if not to the number that the customer has. */
    proven_email: orNull(column.text),
    proven_mobile_hmac: orNull(column.text),
    proven_mobile_sealed: orNull(column.text),
    proven_mobile_last4: orNull(column.text),
  },
});
export type ProgressRow = RowOf<typeof sessionProgress>;

/** What a code proved has been taken, and is kept in one place alone. */
export const noProvenContact = {
  proven_email: null,
  proven_mobile_hmac: null,
  proven_mobile_sealed: null,
  proven_mobile_last4: null,
} as const;

/** At the opening: nothing is proven yet. */
export const noProgress = {
  challenge: null,
  pin_proven: false,
  codes_sent: 0,
  code_hash: null,
  code_tries: 0,
  code_expires_at: null,
  code_verified: false,
  ...noProvenContact,
} as const;
