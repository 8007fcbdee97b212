import { fail } from '../../core/fail.ts';
import { tenantOfSecret } from '../../core/vault.ts';
import type { Service } from '../../service.ts';
import type { PageCaller } from './serve.ts';

/**
 * The tenant that a session token names. Anybody may make one up, and the engine knows no tenant that
 * is not there.
 * @throws ApiError session_invalid {reason: unknown}
 */
export async function tenantOf({ db }: Service, token: string): Promise<string> {
  const named = token.startsWith('st_') ? tenantOfSecret(token) : null;
  const tenant =
    named === null
      ? undefined
      : await db
          .selectFrom('tenants')
          .where('tenant_id', '=', named)
          .select('tenant_id')
          .executeTakeFirst();
  if (tenant) return tenant.tenant_id;
  throw fail('session_invalid', { param: 'token', details: { reason: 'unknown' } });
}

/** The customer of a page, as far as commands must know it before they begin. */
export async function customerOf({ db }: Service, { tenantId, customerId }: PageCaller) {
  const customer = await db
    .selectFrom('customers')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', customerId)
    .select(['id', 'type', 'status', 'pin_set', 'identity_reference'])
    .executeTakeFirst();
  if (!customer) throw fail('not_found');
  return customer;
}

/**
 * Owners are named while the session of their business's onboarding lives. The commands that name
 * them judge the business; that the page is still open is judged here, which is soon enough: whoever
 * held the page could have named them a moment before.
 * @throws ApiError invalid_state
 */
export async function assertOnboarding(
  { db, clocks }: Service,
  { tenantId, sessionId }: PageCaller,
): Promise<void> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('tenants', 'tenants.tenant_id', 'sessions.tenant_id')
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.id', '=', sessionId)
    .select([
      'sessions.flow',
      'sessions.status',
      'sessions.ends_at',
      'tenants.clock_offset_ms',
      'tenants.clock_at',
    ])
    .executeTakeFirst();
  const isOver = !row || row.ends_at <= clocks.at(tenantId, row).now;
  if (row?.flow === 'onboarding' && row.status === 'created' && !isOver) return;
  throw fail('invalid_state', {
    details: { current_status: row?.status ?? 'unknown', allowed: ['created'], reason: 'flow' },
  });
}
