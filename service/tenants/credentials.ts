import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { instantOf } from '../core/instant.ts';
import { tokenHash } from '../core/vault.ts';
import type { Service } from '../service.ts';

/** What a Tenant is given once; the database keeps hashes and sealed values only. */
export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly webhook_secret: string;
}

const secretBytes = 32;
const newSecret = (prefix: string) => `${prefix}_${randomBytes(secretBytes).toString('base64url')}`;

/** A sealed webhook secret opens for its tenant and row only (architecture 5). */
export const webhookSecretRow = (id: string): string => `webhook_secret ${id}`;

type Sealing = Pick<Service, 'vault' | 'clocks'>;

/** Gives a tenant a client and a webhook secret, within the transaction of `client`. */
export async function issueCredentials(
  client: pg.ClientBase,
  { vault, clocks }: Sealing,
  tenantId: string,
): Promise<Credentials> {
  const clientId = `cl_${randomBytes(16).toString('hex')}`;
  const clientSecret = newSecret('cs');
  const webhookSecret = newSecret('whsec');
  const { now, newId } = clocks.at(tenantId, { clock_offset_ms: 0, clock_at: null });
  const secretId = newId();
  await client.query(
    `insert into clients (client_id, tenant_id, secret_hash, created_at) values ($1, $2, $3, $4)`,
    [clientId, tenantId, tokenHash(clientSecret), now],
  );
  await client.query(
    `insert into webhook_secrets (tenant_id, id, sealed, created_at) values ($1, $2, $3, $4)`,
    [tenantId, secretId, vault.seal(tenantId, webhookSecretRow(secretId), webhookSecret), now],
  );
  return { client_id: clientId, client_secret: clientSecret, webhook_secret: webhookSecret };
}

/** Takes all clients and webhook secrets of a tenant out of use, with their access tokens. */
export async function retireCredentials(
  client: pg.ClientBase,
  { clocks }: Pick<Service, 'clocks'>,
  tenantId: string,
): Promise<void> {
  const now = instantOf(clocks.realNow());
  for (const table of ['clients', 'webhook_secrets'])
    await client.query(
      `update ${table} set retired_at = $2 where tenant_id = $1 and retired_at is null`,
      [tenantId, now],
    );
  await client.query('delete from access_tokens where tenant_id = $1', [tenantId]);
}
