import { command } from '@tenant-payments/engine/command.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { type Sealer, sealedUnder } from '@tenant-payments/engine/vault.ts';
import { beginReseal } from '@tenant-payments/service/keys/reseal.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { clientSecretSeal } from './providers.ts';
import { identityProviders, type StoredProviderRow } from './table.ts';

/** A client secret under the first key; null: it is, or no key opens it, or the provider was removed. */
function renewed(sealer: Sealer, row: StoredProviderRow): string | null {
  const { scope, removed_at, client_secret_sealed: old } = row;
  if (removed_at !== null || sealedUnder(old) === sealer.keyId) return null;
  const place = clientSecretSeal(row);
  try {
    return sealer.seal(scope, place, sealer.open(scope, place, old));
  } catch {
    return null;
  }
}

/** What is begun. */
export interface Resealing {
  readonly tenants: number;
}

/**
 * Has everything sealed anew (rules/keys#8). There is one provider a scope, so their client secrets need no job. The
 * jobs of the Tenants are scheduled before the batch: it may be begun again at any time.
 */
export const resealKeys = (parts: Pick<Service, 'db' | 'clocks'>, sealer: Sealer) =>
  command('reseal_keys', {
    prepare: (_input: object) => beginReseal(parts.db, sealer, instantOf(parts.clocks.realNow())),
    load: (read) => read.all(identityProviders),
    decide: (work, rows, _input, tenants: number) => {
      for (const row of rows) {
        const client_secret_sealed = renewed(sealer, row);
        if (client_secret_sealed !== null)
          work.change<typeof identityProviders>(row, { client_secret_sealed });
      }
      const value: Resealing = { tenants };
      work.audit({ after: value });
      return { value };
    },
  });
