import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { IdentityProvider } from '../../contract/people/single_sign_on.ts';
import type { Client } from './provider.ts';
import type { StoredProviderRow } from './table.ts';

/** The identity provider of a scope, as it is stored (rules/single-sign-on#1). */

export type ProviderRow = Omit<StoredProviderRow, 'removed_at'>;

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

export const isSame = <Before extends Pick<ProviderRow, 'issuer' | 'client_id'>>(
  before: Before | null,
  { issuer, client_id }: Pick<ProviderRow, 'issuer' | 'client_id'>,
): before is Before => before?.issuer === issuer && before.client_id === client_id;

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
