import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Service } from '../service.ts';
import { endTokens, loadTokens } from './client_secrets.ts';

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

/** @throws ApiError invalid_state, reason `already_suspended` */
export function assertNotSuspended({ suspended_at }: Suspension): void {
  if (suspended_at !== null)
    throw fail('invalid_state', {
      details: { reason: 'already_suspended', suspended_at },
      message: `the Tenant is suspended since ${suspended_at}`,
    });
}

/** Reads the rows on which a suspension is decided. */
export const loadSuspending = (read: Read) => loadTokens(read);

/**
 * Ends the Tenant's access tokens; its client gets none until it is resumed.
 * @param at real time
 * @returns how many tokens there were
 * @throws ApiError invalid_state, reason `already_suspended`
 */
export function suspend(
  work: Work,
  loaded: Awaited<ReturnType<typeof loadSuspending>>,
  reason: string,
  at: Instant,
): number {
  assertNotSuspended(loaded.tenant);
  work.change(loaded.tenant, { suspended_at: at, suspended_reason: reason });
  return endTokens(work, loaded);
}

/** The command's answer besides the Tenant's id. */
export interface SuspendedTenant {
  readonly suspended_at: Instant;
  readonly tokens_ended: number;
}

/** @throws ApiError invalid_state, reason `already_suspended` */
export const suspendTenant = ({ clocks }: Pick<Service, 'clocks'>) =>
  command('suspend_tenant', {
    load: (read, _input: { readonly reason: string }) => loadSuspending(read),
    prepare: async () => instantOf(clocks.realNow()),
    decide: (work, loaded, { reason }, suspended_at) => {
      const value: SuspendedTenant = {
        suspended_at,
        tokens_ended: suspend(work, loaded, reason, suspended_at),
      };
      work.audit({ after: value });
      return { value };
    },
  });

/**
 * The Tenant's client gets access tokens again; those from before stay ended.
 * @throws ApiError invalid_state, reason `not_suspended`
 */
export const resumeTenant = command('resume_tenant', {
  load: (read, _input: object) => read.one(tenants, {}),
  decide: (work, tenant) => {
    const { suspended_at } = tenant;
    if (suspended_at === null)
      throw fail('invalid_state', {
        details: { reason: 'not_suspended' },
        message: 'the Tenant is not suspended',
      });
    work.change(tenant, { suspended_at: null, suspended_reason: null });
    return { value: { suspended_at: null } };
  },
});
