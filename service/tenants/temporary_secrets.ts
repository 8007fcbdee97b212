import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Service } from '../service.ts';
import { openSigningSecrets } from '../webhooks/signing.ts';
import { loadClient, newClientSecret } from './client_secrets.ts';
import { clientSecrets } from './table.ts';

const lifetimeSeconds = 24 * 3_600;
/** The most secrets of one Tenant; the oldest ends where one more is made. */
const most = 10;

/** A client with a secret that ends by itself. */
export interface TemporaryClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly expires_at: Instant;
  /** The newest with which events to the first endpoint are signed; null: there is none. */
  readonly webhook_secret: string | null;
}

/**
 * Makes a secret of the Tenant's client for whoever plays with a sandbox from the command line: it ends
 * after a day of real time, is not listed, and takes no place of the lasting ones (rules/keys#7). With the secret by
 * which the program knows events.
 */
export const addTemporarySecret = (service: Pick<Service, 'clocks' | 'pool' | 'vault' | 'log'>) =>
  command('add_temporary_secret', {
    prepare: async (_input: object, { tenantId }) => ({
      secret: newClientSecret(),
      signing: (await openSigningSecrets(service).of(tenantId)).at(-1) ?? null,
      real: instantOf(service.clocks.realNow()),
    }),
    load: (read, _input: object) => loadClient(read),
    decide: (work, { client, secrets }, _, { secret, signing, real }) => {
      const temporary = secrets
        .filter(({ expires_at }) => expires_at !== null)
        .toSorted((a, b) => (String(a.expires_at) < String(b.expires_at) ? -1 : 1));
      work.touch(client);
      const room = most - 1;
      for (const [index, row] of temporary.entries())
        if (index < temporary.length - room || String(row.expires_at) <= real)
          work.change(row, { retired_at: work.now });
      const { client_id } = client;
      const expires_at = addSeconds(real, lifetimeSeconds);
      work.create(clientSecrets, {
        id: work.newId(),
        client_id,
        secret_hash: tokenHash(secret),
        created_at: work.now,
        retired_at: null,
        last_used_at: null,
        expires_at,
      });
      const value: TemporaryClient = {
        client_id,
        client_secret: secret,
        expires_at,
        webhook_secret: signing,
      };
      return { value };
    },
  });
