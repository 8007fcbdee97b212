import { randomBytes, randomUUID } from 'node:crypto';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type pg from 'pg';
import type { Service } from '../service.ts';
import { newClientSecret } from './client_secrets.ts';

/** The credentials of an integration. The secret is returned only here; its hash is stored. */
export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

const idBytes = 16;

/** Makes a client for a tenant, with its first secret. */
export async function issueClient(
  connection: pg.ClientBase,
  { clocks }: Pick<Service, 'clocks'>,
  tenantId: string,
): Promise<ClientCredentials> {
  const client_id = `cl_${randomBytes(idBytes).toString('hex')}`;
  const client_secret = newClientSecret();
  const now = instantOf(clocks.realNow());
  await connection.query(
    `insert into clients (client_id, tenant_id, created_at) values ($1, $2, $3)`,
    [client_id, tenantId, now],
  );
  await connection.query(
    `insert into client_secrets (tenant_id, id, client_id, secret_hash, created_at)
     values ($1, $2, $3, $4, $5)`,
    [tenantId, randomUUID(), client_id, tokenHash(client_secret), now],
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
  for (const table of ['clients', 'client_secrets', 'webhook_secrets'])
    await connection.query(
      `update ${table} set retired_at = $2 where tenant_id = $1 and retired_at is null`,
      [tenantId, now],
    );
  await connection.query('delete from access_tokens where tenant_id = $1', [tenantId]);
}
