import { fail } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { assertNotSuspended, suspensionOf } from '@tenant-payments/service/tenants/suspension.ts';
import { moveSecrets } from '@tenant-payments/service/webhooks/secrets.ts';
import { type Kysely, sql } from 'kysely';
import { queryableOf } from '../people/scope.ts';
import { providerOf } from '../people/single_sign_on/providers.ts';

/** The Tenant that is replaced, and the one that takes its place. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** Whoever reaches the first Tenant by these reaches the second from now on. */
const moves = [
  'update clients set tenant_id = $2 where tenant_id = $1',
  'update client_secrets set tenant_id = $2 where tenant_id = $1',
  'update webhook_endpoints set tenant_id = $2 where tenant_id = $1',
  `insert into further_endpoints (tenant_id, id, name, url, enabled, types, created_at, updated_at, revision)
     select $2, id, name, url, enabled, types, created_at, updated_at, revision from further_endpoints
     where tenant_id = $1 and deleted_at is null`,
  'update control.role_grants set scope = $2 where scope = $1::text',
  'update control.invitations set scope = $2 where scope = $1::text',
  'update control.sign_in_links set scope = $2 where scope = $1::text',
  'update control.sessions set scope = $2 where scope = $1::text',
  `insert into logos (tenant_id, hash, png) select $2, hash, png from logos where tenant_id = $1`,
  `update tenants t set name = f.name, settings = f.settings, delivers = f.delivers,
     delivers_to = f.delivers_to, revision = t.revision + 1 from tenants f where f.tenant_id = $1 and t.tenant_id = $2`,
] as const;

/** A provider sends people back to an address that names their Tenant, which a reset would change. */
async function assertNoProvider(tx: Kysely<Database>, scope: string): Promise<void> {
  if (await providerOf(queryableOf(tx), scope))
    throw fail('invalid_state', {
      details: { reason: 'single_sign_on' },
      message:
        'remove single sign-on first: its redirect address names the Tenant that is replaced',
    });
}

/** Retires what stays behind, so that it opens nothing. An API key names its Tenant, so that it cannot be moved. */
async function retire(tx: Kysely<Database>, { from, to }: Replacement, now: Instant) {
  const reason = `reset: ${to} took its place`;
  await sql`delete from access_tokens where tenant_id = ${from}`.execute(tx);
  await sql`update control.api_keys set revoked_at = ${now}
    where scope = ${from} and revoked_at is null`.execute(tx);
  await sql`update further_endpoints set enabled = false, deleted_at = ${now}, revision = revision + 1
    where tenant_id = ${from} and deleted_at is null`.execute(tx);
  await sql`update tenants set delivers = false, delivers_to = null, suspended_at = ${now}, suspended_reason = ${reason},
      revision = revision + 1 where tenant_id = ${from}`.execute(tx);
}

/**
 * Puts one Tenant of a sandbox in the place of another, whose records and ledger stay as they are.
 * @throws ApiError invalid_state, reason `already_suspended` (it was replaced), `single_sign_on`
 */
export async function takeOver(
  tx: Kysely<Database>,
  vault: Vault,
  { from, to }: Replacement,
  now: Instant,
): Promise<void> {
  const connection = queryableOf(tx);
  assertNotSuspended(await suspensionOf(tx, from, sql`for no key update`));
  await assertNoProvider(tx, from);
  await moveSecrets(tx, vault, { from, to }, now);
  for (const text of moves) await connection.query(text, [from, to]);
  await retire(tx, { from, to }, now);
}
