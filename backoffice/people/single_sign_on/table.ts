import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** Identity providers, one a scope. One that was removed stays, without its secret: the view is without it. */
export const identityProviders = table({
  name: 'control.sign_on_providers',
  of: 'platform',
  key: ['scope'],
  sets: ['all'],
  columns: {
    scope: column.text,
    issuer: column.text,
    client_id: column.text,
    client_secret_sealed: column.text,
    required: column.boolean,
    /** Its addresses are the organization's own. */
    trust_email: column.boolean,
    created_at: column.instant,
    updated_at: column.instant,
    removed_at: orNull(column.instant),
  },
  audited: ({ scope, issuer, client_id, required, trust_email, removed_at }) => ({
    scope,
    issuer,
    client_id,
    required,
    trust_email,
    removed_at,
  }),
});
export type StoredProviderRow = RowOf<typeof identityProviders>;

/** Accounts at a provider. One that is forgotten stays, and may be linked anew. */
export const linkedIdentities = table({
  name: 'control.linked_identities',
  of: 'platform',
  key: ['scope', 'issuer', 'subject'],
  sets: ['scope', 'person_id'],
  setOnly: { scope: 't.ended_at is null', person_id: 't.ended_at is null' },
  columns: {
    scope: column.text,
    issuer: column.text,
    subject: column.text,
    person_id: column.uuid,
    created_at: column.instant,
    last_used_at: column.instant,
    ended_at: orNull(column.instant),
  },
  audited: ({ scope, person_id, ended_at }) => ({ scope, person_id, ended_at }),
});
export type IdentityRow = RowOf<typeof linkedIdentities>;

/** Attempts on their way through a provider, each good once, until they expire. */
export const signInAttempts = table({
  name: 'control.sign_in_attempts',
  of: 'platform',
  key: ['state_hash'],
  sets: ['scope'],
  setOnly: { scope: 't.taken_at is null' },
  columns: {
    state_hash: column.text,
    scope: column.text,
    nonce: column.text,
    verifier: column.text,
    browser_hash: column.text,
    purpose: words(['sign_in', 'step_up', 'link']),
    /** The session that steps up or links. */
    session_id: orNull(column.uuid),
    return_to: column.text,
    created_at: column.instant,
    expires_at: column.instant,
    taken_at: orNull(column.instant),
  },
  frozen: [
    'scope',
    'nonce',
    'verifier',
    'browser_hash',
    'purpose',
    'session_id',
    'return_to',
    'created_at',
    'expires_at',
  ],
});
export type AttemptRow = RowOf<typeof signInAttempts>;
