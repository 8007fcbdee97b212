import { rates } from '@tenant-payments/contract/core/numbers.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Identify } from '../../serve/guard.ts';
import { tenantNamed } from '../sessions/tenant_header.ts';
import { touchKey } from '../sign_of_life.ts';
import { keyPrefix, scopeOfMark } from './make.ts';
import { type KeyRow, keySql, statusOf } from './row.ts';

type Parts = Pick<Service, 'db' | 'pool' | 'platformEngine' | 'clocks' | 'environment' | 'vault'>;

/** A revocation, or a role that the maker lost, takes effect within this time. */
const cachedMs = 1_000;
const maximumCached = 10_000;
const bearer = /^Bearer (tpk_[\w-]+)$/i;

const unauthenticated = () =>
  fail('authentication_required', { message: 'the API key is unknown, expired or revoked' });

/** The refusal of a key that opens nothing; one that waits for its maker learns for what. */
function refusedAs(status: ReturnType<typeof statusOf>): ApiError {
  if (status !== 'sign_in_due') return unauthenticated();
  return fail('forbidden', {
    details: { reason: 'single_sign_on_required' },
    message: "the key's maker must sign in at the organization's provider, every 30 days",
  });
}

/** Finds the row of a key. Many requests with one key query the database once a second. */
function openKeys(parts: Parts) {
  const cache = new LRUCache<string, Promise<KeyRow | null>>({
    ...atMost(maximumCached),
    ttl: cachedMs,
  });

  async function look(scope: string, key: string): Promise<KeyRow | null> {
    const { rows } = await sql<KeyRow>`
      ${keySql} where k.key_hash = ${tokenHash(key)} and k.scope = ${scope}`.execute(parts.db);
    const [row] = rows;
    if (row && statusOf(parts, row) === 'active') touchKey(parts, row);
    return row ?? null;
  }

  /** Null, without a query, for a key that this deployment never made. */
  return (key: string): Promise<KeyRow | null> | null => {
    const before = cache.get(key);
    if (before) return before;
    const marked = parts.vault.tenantOf(key, keyPrefix);
    if (marked === null) return null;
    const found = look(scopeOfMark(marked), key);
    cache.set(key, found);
    found.catch(() => cache.delete(key));
    return found;
  };
}

/** The program behind `Authorization: Bearer tpk_…` (rules/api-keys#5). @throws ApiError */
export function byApiKey(parts: Parts): Identify {
  const find = openKeys(parts);
  return async (request) => {
    const key = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) return null;
    const row = await find(key);
    const status = row ? statusOf(parts, row) : 'revoked';
    if (!row || status !== 'active') throw refusedAs(status);
    const { id, scope, roles, person_id: personId } = row;
    const refused = { rule: 'program_key', error: unauthenticated() } as const;
    return {
      actor: { kind: 'api_key', id, personId, roles, address: null, requestId: null },
      tenantId: await tenantNamed(parts.pool, scope, request),
      ratePerMinute: rates.apiKey,
      isFresh: false,
      ...(personId === null && { refused }),
    };
  };
}
