import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { IdentityProvider } from '../../contract/people/single_sign_on.ts';
import type { Client } from './provider.ts';

/** The identity provider of a scope, as it is stored (rules/single-sign-on#1). */

export interface ProviderRow {
  readonly scope: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret_sealed: string;
  readonly required: boolean;
  /** Its addresses are the organization's own. */
  readonly trust_email: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Bound to issuer and client, so that a changed row sends the secret to nobody else. */
export const clientSecretSeal = ({
  issuer,
  client_id,
}: Pick<ProviderRow, 'issuer' | 'client_id'>) =>
  `identity_providers|${JSON.stringify([issuer, client_id])}`;

/** Its own for each scope: a code that another provider's flow fetched is none of this one (RFC 9700). */
export const redirectUri = ({ config }: Pick<Service, 'config'>, scope: string): string =>
  `${consoleSite(config)}/portal/sign-in/callback/${scope}`;

export async function providerOf(db: Queryable, scope: string): Promise<ProviderRow | null> {
  const { rows } = await db.query<ProviderRow>(
    `select scope, issuer, client_id, client_secret_sealed, required, trust_email, created_at,
       updated_at
     from control.identity_providers where scope = $1`,
    [scope],
  );
  return rows[0] ?? null;
}

export const clientOf = ({ vault }: Pick<Service, 'vault'>, row: ProviderRow): Client => ({
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: String(vault.open(row.scope, clientSecretSeal(row), row.client_secret_sealed)),
});

export const isSame = (
  before: ProviderRow | null,
  { issuer, client_id }: Pick<ProviderRow, 'issuer' | 'client_id'>,
): before is ProviderRow => before?.issuer === issuer && before.client_id === client_id;

export async function showProvider(
  db: Queryable,
  parts: Pick<Service, 'config'>,
  scope: string,
): Promise<IdentityProvider> {
  const row = await providerOf(db, scope);
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer as count from control.identities where scope = $1',
    [scope],
  );
  return {
    scope,
    issuer: row?.issuer ?? null,
    client_id: row?.client_id ?? null,
    required: row?.required ?? false,
    trust_email: row?.trust_email ?? false,
    sign_in_url: `${consoleSite(parts.config)}/portal/sign-in#organization=${scope}`,
    redirect_uri: redirectUri(parts, scope),
    identities: rows[0]?.count ?? 0,
    created_at: row?.created_at ?? null,
    updated_at: row?.updated_at ?? null,
  };
}

export interface Stored {
  readonly scope: string;
  readonly client: Client;
  readonly required: boolean;
  readonly trustEmail: boolean;
}

/**
 * Nobody is asked for a sign-in that has never worked: `required` waits for the first.
 * @throws ApiError invalid_state
 */
export async function storeProvider(
  connection: Queryable,
  { vault, clocks }: Pick<Service, 'vault' | 'clocks'>,
  { scope, client, required, trustEmail }: Stored,
): Promise<void> {
  const row = { issuer: client.issuer, client_id: client.clientId };
  const before = await providerOf(connection, scope);
  if (!isSame(before, row)) await forgetIdentities(connection, scope);
  if (required) {
    const { rowCount } = await connection.query(
      'select from control.identities where scope = $1 limit 1',
      [scope],
    );
    if (rowCount === 0)
      throw fail('invalid_state', { param: 'required', details: { reason: 'never_used' } });
  }
  const sealed = vault.seal(scope, clientSecretSeal(row), client.clientSecret);
  await connection.query(
    `insert into control.identity_providers as p
       (scope, issuer, client_id, client_secret_sealed, required, trust_email, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (scope) do update set issuer = excluded.issuer, client_id = excluded.client_id,
       client_secret_sealed = excluded.client_secret_sealed, required = excluded.required,
       trust_email = excluded.trust_email, updated_at = excluded.updated_at`,
    [scope, row.issuer, row.client_id, sealed, required, trustEmail, instantOf(clocks.realNow())],
  );
}

/** Another provider means other accounts: each person links the own one anew (rules/single-sign-on#8). */
export async function forgetIdentities(connection: Queryable, scope: string): Promise<void> {
  await connection.query('delete from control.identities where scope = $1', [scope]);
  await connection.query('delete from control.sign_in_attempts where scope = $1', [scope]);
}
