import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { instantOf } from '../core/time/instant.ts';
import { tokenHash } from '../core/vault.ts';
import type { Service } from '../service.ts';

/** The credentials of an integration. The secret is returned only here; its hash is stored. */
export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

const idBytes = 16;
const secretBytes = 32;

/** Makes a client for a tenant. The secret is 256 random bits, so its hash needs no salt. */
export async function issueClient(
  connection: pg.ClientBase,
  { clocks }: Pick<Service, 'clocks'>,
  tenantId: string,
): Promise<ClientCredentials> {
  const client_id = `cl_${randomBytes(idBytes).toString('hex')}`;
  const client_secret = `cs_${randomBytes(secretBytes).toString('base64url')}`;
  await connection.query(
    `insert into clients (client_id, tenant_id, secret_hash, created_at) values ($1, $2, $3, $4)`,
    [client_id, tenantId, tokenHash(client_secret), instantOf(clocks.realNow())],
  );
  return { client_id, client_secret };
}

/** Takes all clients and webhook secrets of a tenant out of use, with their access tokens. */
export async function retireCredentials(
  connection: pg.ClientBase,
  { clocks }: Pick<Service, 'clocks'>,
  tenantId: string,
): Promise<void> {
  const now = instantOf(clocks.realNow());
  for (const table of ['clients', 'webhook_secrets'])
    await connection.query(
      `update ${table} set retired_at = $2 where tenant_id = $1 and retired_at is null`,
      [tenantId, now],
    );
  await connection.query('delete from access_tokens where tenant_id = $1', [tenantId]);
}
