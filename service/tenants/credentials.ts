import { randomBytes, randomUUID } from 'node:crypto';
import { command } from '@tenant-payments/engine/command.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { platformScope } from '@tenant-payments/engine/platform.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash, type Vault } from '@tenant-payments/engine/vault.ts';
import type { Service } from '../service.ts';
import { newWebhookSecret, webhookSecrets } from '../webhooks/secrets.ts';
import { newClientSecret } from './client_secrets.ts';
import { clientSecrets, clients } from './table.ts';

/** The credentials of an integration. The secret is returned only here; its hash is stored. */
export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

const idBytes = 16;

const newCredentials = (): ClientCredentials => ({
  client_id: `cl_${randomBytes(idBytes).toString('hex')}`,
  client_secret: newClientSecret(),
});

/** Makes a client for a Tenant whose row the same transaction makes, with its first secret. */
export async function issueClient(
  connection: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  tenantId: string,
): Promise<ClientCredentials> {
  const { client_id, client_secret } = newCredentials();
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

/**
 * Takes the clients of a Tenant, their access tokens and all webhook secrets out of use, and makes another
 * client and secret.
 */
export const replaceCredentials = (vault: Vault) =>
  command('replace_credentials', {
    prepare: async (_input: object, { tenantId }) => ({
      tenantId,
      client: newCredentials(),
      webhook: newWebhookSecret(vault, tenantId),
    }),
    load: async (read) => {
      const [tenant, old, signing] = await Promise.all([
        read.one(tenants, {}),
        read.all(clients),
        read.all(webhookSecrets),
      ]);
      const secrets = await Promise.all(
        old.map(({ client_id }) => read.set(clientSecrets, 'client_id', client_id)),
      );
      return { tenant, retiring: [...old, ...secrets.flat(), ...signing] };
    },
    decide: (work, { tenant, retiring }, _, { tenantId, client, webhook }) => {
      const since = { created_at: work.now, retired_at: null };
      work.change(tenant, { token_epoch: tenant.token_epoch + 1 });
      for (const row of retiring)
        work.change<typeof clients>(row as never, { retired_at: work.now });
      const { client_id, client_secret } = client;
      const secret_hash = tokenHash(client_secret);
      work.create(clients, { client_id, ...since });
      work.create(clientSecrets, {
        id: work.newId(),
        client_id,
        secret_hash,
        last_used_at: null,
        expires_at: null,
        ...since,
      });
      const own = { id: webhook.id, sealed: webhook.sealed, endpoint_id: null };
      work.create(webhookSecrets, { ...own, ...since });
      work.audit({ act: 'replaceCredentials', record: tenantId, scope: platformScope });
      return { value: { client_id, client_secret, webhook_secret: webhook.secret } };
    },
  });
