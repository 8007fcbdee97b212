import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { fail } from '../../core/fail.ts';
import { epochMs } from '../../core/time/instant.ts';
import { tenantOfSecret, tokenHash } from '../../core/vault.ts';
import type { Database } from '../../resources/database.ts';

/** The caller that a valid access token stands for. */
export interface Caller {
  readonly tenantId: string;
  /** `settings.rate_limit_per_minute`. */
  readonly ratePerMinute: number;
  readonly tokenExpiresAtMs: number;
}

/** A retired client or a new rate limit takes effect within this time. */
const cachedMs = 1_000;
const maximumCached = 10_000;
const longestToken = 256;

const bearer = /^Bearer ([\w-]+)$/i;

/**
 * Finds the caller of an `Authorization` header (rules/security#9). Many requests with one token
 * query the database once a second.
 */
export function openAuthentication(db: Kysely<Database>) {
  /** Promises, so that requests that come during a query share it. */
  const cache = new LRUCache<string, Promise<Caller | null>>({ max: maximumCached, ttl: cachedMs });

  async function look(token: string): Promise<Caller | null> {
    const tenantId = token.startsWith('tok_') ? tenantOfSecret(token) : null;
    if (tenantId === null) return null;
    const row = await db
      .selectFrom('access_tokens')
      .innerJoin('tenants', 'tenants.tenant_id', 'access_tokens.tenant_id')
      .innerJoin('clients', 'clients.client_id', 'access_tokens.client_id')
      .where('access_tokens.tenant_id', '=', tenantId)
      .where('access_tokens.token_hash', '=', tokenHash(token))
      .where('clients.retired_at', 'is', null)
      .select(['access_tokens.expires_at', 'tenants.settings'])
      .executeTakeFirst();
    if (!row) return null;
    return {
      tenantId,
      ratePerMinute: row.settings.rate_limit_per_minute,
      tokenExpiresAtMs: epochMs(row.expires_at),
    };
  }

  function cached(token: string): Promise<Caller | null> {
    const before = cache.get(token);
    if (before) return before;
    const caller = look(token);
    cache.set(token, caller);
    const forget = () => cache.delete(token);
    caller.then((found) => found ?? forget(), forget);
    return caller;
  }

  return {
    /** @throws ApiError authentication_required: the token is missing, malformed, unknown or expired */
    async callerOf(header: string | undefined): Promise<Caller> {
      const token = bearer.exec(header ?? '')?.[1];
      if (token === undefined || token.length > longestToken) throw unauthenticated();
      const nowMs = Date.now();
      const caller = await cached(token);
      if (caller === null || caller.tokenExpiresAtMs <= nowMs) throw unauthenticated();
      return caller;
    },
  };
}

const unauthenticated = () =>
  fail('authentication_required', { message: 'a valid access token is required' });
