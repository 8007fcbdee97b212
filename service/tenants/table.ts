import { shownIds } from '@tenant-payments/engine/rotation.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';

/** How a client's secret is shown: `cred_<32 hex digits>`. */
export const secretIds = shownIds('cred_');

/** The program of a Tenant (rules/keys#6). One is active; others were retired when it took their place. */
export const clients = table({
  name: 'clients',
  key: ['client_id'],
  sets: ['all'],
  setOnly: { all: 't.retired_at is null' },
  columns: {
    client_id: column.text,
    created_at: column.instant,
    retired_at: orNull(column.instant),
  },
  frozen: ['created_at'],
});

/** The active secrets of a client are read by its id. */
export const clientSecrets = table({
  name: 'client_secrets',
  key: ['id'],
  sets: ['client_id'],
  setOnly: { client_id: 't.retired_at is null' },
  columns: {
    id: column.uuid,
    client_id: column.text,
    secret_hash: column.text,
    created_at: column.instant,
    retired_at: orNull(column.instant),
    /** Written by `touchClientSecret` alone. */
    last_used_at: orNull(column.instant),
    /** In real time, of a temporary one; null: it lasts until it is retired. */
    expires_at: orNull(column.instant),
  },
  frozen: ['client_id', 'secret_hash', 'created_at', 'last_used_at', 'expires_at'],
  audited: ({ id, client_id, created_at, retired_at, expires_at }) => ({
    id: secretIds.shown(id),
    client_id,
    created_at,
    retired_at,
    ...(expires_at === null ? {} : { expires_at }),
  }),
});
export type ClientSecretRow = RowOf<typeof clientSecrets>;

/** The tokens that have not expired; `service/http/auth/token.ts` gives and sweeps them. */
export const accessTokens = table({
  name: 'access_tokens',
  key: ['token_hash'],
  sets: ['client_id'],
  setOnly: { client_id: 't.expires_at > now()' },
  columns: {
    token_hash: column.text,
    client_id: column.text,
    /** The `token_epoch` of its Tenant when it was given: of another one it has ended. */
    epoch: column.integer,
    expires_at: column.instant,
  },
  proof: 'none',
  revised: false,
});
