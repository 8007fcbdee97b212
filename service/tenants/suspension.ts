import { fail } from '@tenant-payments/engine/fail.ts';
import { joinTransaction } from '@tenant-payments/engine/join_transaction.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';

/** Whether a Tenant is suspended, and why (rules/operations#42). */
export interface Suspension {
  readonly suspended_at: Instant | null;
  readonly suspended_reason: string | null;
}

/** @throws ApiError not_found */
export async function suspensionOf(
  db: Kysely<Database>,
  tenantId: string,
  lock = sql``,
): Promise<Suspension> {
  // Text, so that what is no uuid is not found.
  const { rows } = await sql<Suspension>`
    select suspended_at, suspended_reason from tenants where tenant_id::text = ${tenantId}
    ${lock}`.execute(db);
  const [tenant] = rows;
  if (!tenant) throw fail('not_found', { param: 'id' });
  return tenant;
}

/** Locks the Tenant's row: a token that is being given commits before, and is found. */
const lockTenant = (db: Kysely<Database>, tenantId: string) =>
  suspensionOf(db, tenantId, sql`for no key update`);

/** @throws ApiError invalid_state, reason `already_suspended` */
export function assertNotSuspended({ suspended_at }: Suspension): void {
  if (suspended_at !== null)
    throw fail('invalid_state', {
      details: { reason: 'already_suspended', suspended_at },
      message: `the Tenant is suspended since ${suspended_at}`,
    });
}

/**
 * Ends the Tenant's access tokens; its client gets none until `resumeTenant`.
 * @returns how many tokens there were
 * @throws ApiError not_found; invalid_state, reason `already_suspended`
 */
export async function suspendTenant(
  db: Kysely<Database>,
  tenantId: string,
  reason: string,
  now: Instant,
): Promise<number> {
  return joinTransaction(db, async (tx) => {
    assertNotSuspended(await lockTenant(tx, tenantId));
    await sql`update tenants set suspended_at = ${now}, suspended_reason = ${reason}
      where tenant_id = ${tenantId}`.execute(tx);
    const { numDeletedRows } = await tx
      .deleteFrom('access_tokens')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

/**
 * Its client gets access tokens again; those from before stay ended.
 * @throws ApiError not_found; invalid_state, reason `not_suspended`
 */
export async function resumeTenant(db: Kysely<Database>, tenantId: string): Promise<void> {
  await joinTransaction(db, async (tx) => {
    const { suspended_at } = await lockTenant(tx, tenantId);
    if (suspended_at === null)
      throw fail('invalid_state', {
        details: { reason: 'not_suspended' },
        message: 'the Tenant is not suspended',
      });
    await sql`update tenants set suspended_at = null, suspended_reason = null
      where tenant_id = ${tenantId}`.execute(tx);
  });
}
