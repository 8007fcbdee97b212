import { createToken } from '@tenant-payments/contract/resources/tokens.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { LRUCache } from 'lru-cache';
import type { Service } from '../../service.ts';
import { openTokenLookup } from './access_tokens.ts';

/** The caller that a valid access token stands for. */
export interface Caller {
  readonly tenantId: string;
  /** The Tenant's client. */
  readonly actor: Actor;
  /** `settings.rate_limit_per_minute`. */
  readonly ratePerMinute: number;
  readonly tokenExpiresAtMs: number;
}

/** A retired client, a suspension or a new rate limit takes effect within this time. */
const cachedMs = 1_000;
const maximumCached = 10_000;

const bearer = /^Bearer ([\w-]+)$/i;

/**
 * Finds the caller of an `Authorization` header (rules/security#9). Many requests with one token
 * query the database once a second, and a made-up token never does.
 */
export function openAuthentication({ pool, vault }: Pick<Service, 'pool' | 'vault'>) {
  /** Promises, so that requests that come during a query share it. */
  const cache = new LRUCache<string, Promise<Caller | null>>({
    ...atMost(maximumCached),
    ttl: cachedMs,
  });
  const lookUp = openTokenLookup(pool);

  async function look(tenantId: string, token: string): Promise<Caller | null> {
    const row = await lookUp({ tenantId, tokenHash: tokenHash(token) });
    if (!row) return null;
    return {
      tenantId,
      actor: clientActor(row.client_id),
      ratePerMinute: row.rate_per_minute,
      tokenExpiresAtMs: epochMs(row.expires_at),
    };
  }

  /** Null, without a query, for a token that is not ours: those would also fill the cache. */
  function cached(token: string): Promise<Caller | null> | null {
    const before = cache.get(token);
    if (before) return before;
    const tenantId = vault.tenantOf(token, 'tok');
    if (tenantId === null) return null;
    const caller = look(tenantId, token);
    cache.set(token, caller);
    caller.catch(() => cache.delete(token));
    return caller;
  }

  return {
    /** @throws ApiError authentication_required: the token is missing, malformed, unknown or expired */
    async callerOf(header: string | undefined): Promise<Caller> {
      if (header === undefined) throw unauthenticated('the header Authorization is missing');
      const token = bearer.exec(header)?.[1];
      if (token === undefined)
        throw unauthenticated('Authorization is not `Bearer <access token>`');
      const nowMs = Date.now();
      const caller = await cached(token);
      if (caller === null || caller.tokenExpiresAtMs <= nowMs)
        throw unauthenticated('the access token is not known here, or has ended');
      return caller;
    },
  };
}

/** The actor of a client, which gets a role only where the sandbox lets it open the portal. */
const clientActor = (id: string): Actor => ({
  kind: 'client',
  id,
  personId: null,
  roles: [],
  address: null,
  requestId: null,
});

/** One sentence for a token that is unknown, ended or of a suspended Tenant: a guess learns nothing. */
const unauthenticated = (fault: string) =>
  fail('authentication_required', {
    message: `${fault}: get an access token with ${createToken.method} ${createToken.path}`,
  });
