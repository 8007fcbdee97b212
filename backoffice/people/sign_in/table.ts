import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';

/** Passkeys of people. One that was removed stays, without its public key. */
export const passkeys = table({
  name: 'control.passkeys',
  of: 'platform',
  key: ['id'],
  unique: { credential: ['credential_id'] },
  sets: ['person_id'],
  setOnly: { person_id: 't.removed_at is null' },
  columns: {
    id: column.uuid,
    person_id: column.uuid,
    credential_id: column.text,
    public_key: column.text,
    counter: column.cents,
    transports: column.text,
    name: column.text,
    created_at: column.instant,
    last_used_at: orNull(column.instant),
    removed_at: orNull(column.instant),
  },
  frozen: ['person_id', 'credential_id', 'transports', 'created_at'],
  audited: ({ id, person_id, public_key, removed_at }) => ({
    id,
    person_id,
    key: removed_at === null ? tokenHash(public_key) : null,
    removed_at,
  }),
});
export type PasskeyRow = RowOf<typeof passkeys>;

/** Recovery codes. A set of new ones ends those before. The audit shows none of them. */
export const recoveryCodes = table({
  name: 'control.recovery_codes',
  of: 'platform',
  key: ['person_id', 'code_hash'],
  sets: ['person_id'],
  setOnly: { person_id: 't.used_at is null and t.ended_at is null' },
  columns: {
    person_id: column.uuid,
    code_hash: column.text,
    created_at: column.instant,
    used_at: orNull(column.instant),
    ended_at: orNull(column.instant),
  },
  frozen: ['created_at'],
});
export type RecoveryCodeRow = RowOf<typeof recoveryCodes>;

/** Challenges that were answered, until they expire: an answer is good once. */
export const usedChallenges = table({
  name: 'control.used_challenges',
  of: 'platform',
  key: ['nonce'],
  columns: { nonce: column.text, expires_at: column.instant },
  frozen: ['expires_at'],
});
export type UsedChallengeRow = RowOf<typeof usedChallenges>;

/** Links of a sandbox, which sign in once. A new one of a scope ends those before. */
export const signInLinks = table({
  name: 'control.sign_in_links',
  of: 'platform',
  key: ['token_hash'],
  sets: ['scope'],
  setOnly: { scope: 't.used_at is null and t.ended_at is null' },
  columns: {
    token_hash: column.text,
    person_id: column.uuid,
    scope: column.text,
    expires_at: column.instant,
    used_at: orNull(column.instant),
    ended_at: orNull(column.instant),
  },
  frozen: ['person_id', 'scope', 'expires_at'],
});
