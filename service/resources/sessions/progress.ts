import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';

/**
 * The progress of an opened session's page: challenges, codes, proofs. The row is created at the opening; no API shows
 * it.
 */
export const sessionProgress = table({
  name: 'session_progress',
  key: ['session_id'],
  columns: {
    session_id: column.uuid,
    /** The nonce of the open passkey challenge; base64url. */
    challenge: orNull(column.text),
    /** The generation of the PIN that was given or set in this session (rules/hosted#20). */
    proven_pin: orNull(column.integer),
    /** The passkey that was used in this session to prove who is there (rules/hosted#20). */
    proven_passkey_id: orNull(column.uuid),
    codes_sent: column.integer,
    code_hash: orNull(column.text),
    code_tries: column.integer,
    code_expires_at: orNull(column.instant),
    code_verified: column.boolean,
    /** A hash of the customer's own number at the time, which the code was sent to; null: it was sent elsewhere. */
    code_own_hash: orNull(column.uuid),
    /** Until when a call may take that gives the applicant's data to the provider (rules/customers#21). */
    collecting_until: orNull(column.instant),
    /** When the applicant opened the sample statement (rules/documents#33). */
    sample_opened_at: orNull(column.instant),
    /** The new email or number that the code was sent to; null: the customer's own number. */
    proven_email: orNull(column.text),
    proven_mobile_hmac: orNull(column.text),
    proven_mobile_sealed: orNull(column.text),
    proven_mobile_last4: orNull(column.text),
  },
});
export type ProgressRow = RowOf<typeof sessionProgress>;

/** Clears the proven contact, once the customer's row has taken it. */
export const noProvenContact = {
  code_own_hash: null,
  proven_email: null,
  proven_mobile_hmac: null,
  proven_mobile_sealed: null,
  proven_mobile_last4: null,
} as const;

/** The values at the opening of a session. */
export const noProgress = {
  challenge: null,
  proven_pin: null,
  proven_passkey_id: null,
  codes_sent: 0,
  code_hash: null,
  code_tries: 0,
  code_expires_at: null,
  code_verified: false,
  collecting_until: null,
  sample_opened_at: null,
  ...noProvenContact,
} as const;
