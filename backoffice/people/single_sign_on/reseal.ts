import { command } from '@tenant-payments/engine/command.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { type Sealer, sealedUnder } from '@tenant-payments/engine/vault.ts';
import { beginReseal } from '@tenant-payments/service/keys/reseal.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { clientSecretSeal } from './providers.ts';
import { identityProviders, type StoredProviderRow } from './table.ts';

/** Where a provider's client secret is kept, and how the queries name it. */
interface Place {
  readonly table: string;
  readonly column: string;
  /** SQL of the scope, the issuer and the client that a value is bound to. */
  readonly bound: Readonly<Record<'scope' | 'issuer' | 'client_id', string>>;
}

const places: readonly Place[] = [
  {
    table: 'control.identity_providers',
    column: 'client_secret_sealed',
    bound: { scope: 'scope', issuer: 'issuer', client_id: 'client_id' },
  },
  {
    // A request to set the provider of the platform holds it until that is done (rules/approvals#21).
    table: 'control.approvals',
    column: 'given_secret',
    bound: {
      scope: 'record_id',
      issuer: `given::jsonb -> 'provider' ->> 'issuer'`,
      client_id: `given::jsonb -> 'provider' ->> 'client_id'`,
    },
  },
];

type Sealed = Pick<ProviderRow, 'scope' | 'issuer' | 'client_id'> & { readonly sealed: string };

/** The value under the first key; null: no key opens it. */
function sealedAnew(sealer: Sealer, { scope, sealed, ...client }: Sealed): string | null {
  const place = clientSecretSeal(client);
  try {
    return sealer.seal(scope, place, sealer.open(scope, place, sealed));
  } catch {
    return null;
  }
}

async function resealPlace<DB>(db: Kysely<DB>, sealer: Sealer, place: Place): Promise<void> {
  const { scope, issuer, client_id } = place.bound;
  const [table, column] = [sql.table(place.table), sql.ref(place.column)];
  const { rows } =
    await sql<Sealed>`select ${sql.raw(scope)} as scope, ${sql.raw(issuer)} as issuer,
      ${sql.raw(client_id)} as client_id, ${column} as sealed
    from ${table} where ${column} is not null`.execute(db);
  for (const row of rows) {
    if (sealedUnder(row.sealed) === sealer.keyId) continue;
    const fresh = sealedAnew(sealer, row);
    if (fresh === null) continue;
    await sql`update ${table} set ${column} = ${fresh} where ${column} = ${row.sealed}`.execute(db);
  }
}

/**
 * Seals the providers' client secrets under the first key (rules/keys#8). They are few, so they need no job. One
 * that no key opens stays as it is.
 */
export async function resealClientSecrets<DB>(db: Kysely<DB>, sealer: Sealer): Promise<void> {
  for (const place of places) await resealPlace(db, sealer, place);
}
