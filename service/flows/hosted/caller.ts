import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { hash128 } from '@tenant-payments/engine/hash128.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { SecurityEventName } from '../../operations/security_events.ts';
import { type MessageLocale, messageLocales } from '../../rails/messages.ts';
import type { Service } from '../../service.ts';

/** The session that a page has opened, by its bearer. */
export interface PageCaller {
  readonly tenantId: string;
  /** By uuid. */
  readonly sessionId: string;
  readonly customerId: string;
  readonly bearer: string;
  /** The day of the tenant's clock: `2026-11-21`. */
  readonly today: string;
  /** The same, with its time. */
  readonly now: Instant;
  readonly newId: () => string;
  /** In which the page is read; null: it does not say. */
  readonly locale: MessageLocale | null;
  /** The service itself, in the trace of the page's request. */
  readonly actor: Actor;
  /** Writes a security event of this page's customer. */
  readonly tell: (event: SecurityEventName) => void;
}

/** How long after its end a session can be read and its result taken (rules/hosted#8). */
const afterEndSeconds = 600;
const bearerForm = /^Bearer (fb_[\w-]+)$/i;

export const unauthenticated = () =>
  fail('authentication_required', { message: 'the session of this page is not known' });

/** The language of a page, as its requests say it: `es`. */
export const pageLocaleOf = (header: string | undefined): MessageLocale | null =>
  messageLocales.find((locale) => header === locale) ?? null;

/** Finds the session that a bearer opened. @throws ApiError authentication_required */
export async function callerOf(
  { db, clocks, vault }: Service,
  header: string | undefined,
): Promise<Omit<PageCaller, 'tell' | 'locale' | 'actor'>> {
  const bearer = bearerForm.exec(header ?? '')?.[1] ?? '';
  const tenantId = vault.tenantOf(bearer, 'fb');
  if (tenantId === null) throw unauthenticated();
  const row = await db
    .selectFrom('sessions')
    .innerJoin('tenants', 'tenants.tenant_id', 'sessions.tenant_id')
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.bearer_hash', '=', hash128(bearer))
    .select([
      'sessions.id',
      'sessions.customer_id',
      'sessions.status',
      'sessions.updated_at',
      'tenants.clock_offset_ms',
      'tenants.clock_at',
    ])
    .executeTakeFirst();
  if (!row) throw unauthenticated();
  const { now, newId } = clocks.at(tenantId, row);
  const isOver = row.status !== 'created' && addSeconds(row.updated_at, afterEndSeconds) <= now;
  if (isOver) throw unauthenticated();
  const { id: sessionId, customer_id: customerId } = row;
  return { tenantId, sessionId, customerId, bearer, today: now.slice(0, 10), now, newId };
}

/** The tenant that a session token names. @throws ApiError session_invalid {reason: unknown} */
export function tenantOf({ vault }: Pick<Service, 'vault'>, token: string): string {
  const tenantId = vault.tenantOf(token, 'st');
  if (tenantId !== null) return tenantId;
  throw fail('session_invalid', { param: 'token', details: { reason: 'unknown' } });
}

/** The facts of a page's customer that commands need before they begin. @throws ApiError not_found */
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
