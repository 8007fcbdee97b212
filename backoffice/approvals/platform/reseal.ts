import { command } from '@tenant-payments/engine/command.ts';
import type { RowOf } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { type Sealer, sealedUnder } from '@tenant-payments/engine/vault.ts';
import { beginReseal } from '@tenant-payments/service/keys/reseal.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { clientSecretSeal } from '../../people/single_sign_on/providers.ts';
import { identityProviders, type StoredProviderRow } from '../../people/single_sign_on/table.ts';
import { readGiven } from './given.ts';
import { platformRequests } from './table.ts';

interface Sealed {
  readonly scope: string;
  readonly place: string;
  readonly old: string;
}

/** A client secret under the first key; null: it is, or no key opens it. */
function renewed(sealer: Sealer, { scope, place, old }: Sealed): string | null {
  if (sealedUnder(old) === sealer.keyId) return null;
  try {
    return sealer.seal(scope, place, sealer.open(scope, place, old));
  } catch {
    return null;
  }
}

const renewedOf = (sealer: Sealer, row: StoredProviderRow): string | null =>
  row.removed_at === null
    ? renewed(sealer, {
        scope: row.scope,
        place: clientSecretSeal(row),
        old: row.client_secret_sealed,
      })
    : null;

/** A request to set the platform's provider holds its secret until that is decided (rules/approvals#21). */
function renewedIn(sealer: Sealer, row: RowOf<typeof platformRequests>): string | null {
  const { provider } = readGiven(row);
  return row.given_secret !== null && provider
    ? renewed(sealer, {
        scope: row.record_id,
        place: clientSecretSeal(provider),
        old: row.given_secret,
      })
    : null;
}

/** The number of Tenants whose jobs have begun. */
export interface Resealing {
  readonly tenants: number;
}

type Resealed = Pick<Service, 'clocks'> & {
  /** Every cell: a key that one of them still needs may not be dropped. */
  readonly cells: readonly Service['db'][];
};

/** @returns how many Tenants the cells have */
async function beginInAll({ cells, clocks }: Resealed, sealer: Sealer): Promise<number> {
  let tenants = 0;
  for (const db of cells) tenants += await beginReseal(db, sealer, instantOf(clocks.realNow()));
  return tenants;
}

/**
 * Has everything sealed anew (rules/keys#8). Providers, and requests to set one, are few, so their
 * client secrets need no job. The jobs of the Tenants are scheduled before the batch: the command
 * may be sent again at any time.
 */
export const resealKeys = (parts: Resealed, sealer: Sealer) =>
  command('reseal_keys', {
    prepare: (_input: object) => beginInAll(parts, sealer),
    load: async (read) => ({
      providers: await read.all(identityProviders),
      requests: await read.set(platformRequests, 'status', 'waiting'),
    }),
    decide: (work, { providers, requests }, _input, tenants: number) => {
      for (const row of providers) {
        const client_secret_sealed = renewedOf(sealer, row);
        if (client_secret_sealed !== null)
          work.change<typeof identityProviders>(row, { client_secret_sealed });
      }
      for (const row of requests) {
        const given_secret = renewedIn(sealer, row);
        if (given_secret !== null) work.change<typeof platformRequests>(row, { given_secret });
      }
      const value: Resealing = { tenants };
      work.audit({ after: value });
      return { value };
    },
  });
