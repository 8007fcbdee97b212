import { type Sealer, sealedUnder } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import { clientSecretSeal, type ProviderRow } from './providers.ts';

/**
 * Seals the providers' client secrets under the first key (rules/keys#8). There is one row a scope,
 * so they need no job. One that no key opens stays as it is.
 */
export async function resealClientSecrets<DB>(db: Kysely<DB>, sealer: Sealer): Promise<void> {
  const { rows } = await sql<ProviderRow>`select * from control.identity_providers`.execute(db);
  for (const row of rows) {
    const { scope, client_secret_sealed: old } = row;
    if (sealedUnder(old) === sealer.keyId) continue;
    const place = clientSecretSeal(row);
    let fresh: string;
    try {
      fresh = sealer.seal(scope, place, sealer.open(scope, place, old));
    } catch {
      continue;
    }
    await sql`update control.identity_providers set client_secret_sealed = ${fresh}
      where scope = ${scope} and client_secret_sealed = ${old}`.execute(db);
  }
}
