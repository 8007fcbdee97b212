import { atMost } from '@tenant-payments/engine/at_most.ts';
import { LRUCache } from 'lru-cache';
import type { WebhookContext } from './context.ts';
import { secretSeal, secretsOf } from './secrets.ts';

/** A secret that another process adds or retires is known here within this time. */
const cachedMs = 1_000;
const maximumCached = 10_000;
const tries = 3;

interface Sealed {
  tenant_id: string;
  id: string;
  endpoint_id: string | null;
  sealed: string;
}

interface OpenSecret {
  readonly id: string;
  readonly endpoint_id: string | null;
  readonly secret: string;
}

/** The active secrets in clear text, for the dispatcher to sign with. */
export interface SigningSecrets {
  /**
   * Oldest first. Tenants requested in one turn of the event loop share one query.
   * @param endpointId absent or null: of the first endpoint
   * @param alone the uuid of the only one that is wanted; none is, once it is retired
   */
  of(tenantId: string, endpointId?: string | null, alone?: string | null): Promise<string[]>;
  /** To be called when one of the tenant's was added or retired in this process. */
  forget(tenantId: string): void;
}

/** A sample that a secret of one endpoint signs alone is resent to another: its own sign it there. */
const isOfAnother = (found: readonly OpenSecret[], alone: string, endpointId: string | null) =>
  found.some(({ id, endpoint_id }) => id === alone && endpoint_id !== endpointId);

/** @param nowMs a test may hold it */
export function openSigningSecrets(
  { pool, vault, log }: Pick<WebhookContext, 'pool' | 'vault' | 'log'>,
  nowMs: () => number = () => performance.now(),
): SigningSecrets {
  const cache = new LRUCache<string, Promise<OpenSecret[]>>({
    ...atMost(maximumCached),
    // An entry is still fresh when it is exactly as old as `ttl`.
    ttl: cachedMs - 1,
    ttlResolution: 0,
    // An entry set at 0 would never expire.
    perf: { now: () => nowMs() + 1 },
  });
  let gathering: { tenants: string[]; found: Promise<Map<string, OpenSecret[]>> } | null = null;

  /** A secret that cannot be opened must not keep the others from signing. */
  function unsealed({ tenant_id, id, endpoint_id, sealed }: Sealed): OpenSecret[] {
    try {
      return [{ id, endpoint_id, secret: String(vault.open(tenant_id, secretSeal(id), sealed)) }];
    } catch {
      log.error(
        { alarm: 'sealed_secret', tenant_id, id },
        'a webhook secret cannot be opened with this SEALING_KEY; add another and retire it',
      );
      return [];
    }
  }

  async function load(tenants: readonly string[]): Promise<Map<string, OpenSecret[]>> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    gathering = null;
    const { rows } = await pool.query<Sealed>({
      name: 'signing secrets',
      text: `select tenant_id, id, endpoint_id, sealed from webhook_secrets
        where tenant_id = any($1::uuid[]) and retired_at is null order by created_at, id`,
      values: [tenants],
    });
    const found = new Map<string, OpenSecret[]>(tenants.map((tenantId) => [tenantId, []]));
    for (const row of rows) found.get(row.tenant_id)?.push(...unsealed(row));
    return found;
  }

  function request(tenantId: string): Promise<OpenSecret[]> {
    if (!gathering) {
      const tenants: string[] = [];
      gathering = { tenants, found: load(tenants) };
    }
    gathering.tenants.push(tenantId);
    return gathering.found.then((found) => found.get(tenantId) ?? []);
  }

  /** Cached from the request on: by the time of the answer it may be out of date. */
  function cached(tenantId: string): Promise<OpenSecret[]> {
    const before = cache.get(tenantId);
    if (before) return before;
    const secrets = request(tenantId);
    cache.set(tenantId, secrets);
    secrets.catch(() => {
      if (cache.peek(tenantId) === secrets) cache.delete(tenantId);
    });
    return secrets;
  }

  return {
    async of(tenantId, endpointId = null, alone = null) {
      for (let count = 0; count < tries; count += 1) {
        const secrets = cached(tenantId);
        const found = await secrets;
        if (cache.get(tenantId) !== secrets) continue;
        const own = secretsOf(found, endpointId);
        const wanted = own.filter(
          ({ id }) => alone === null || id === alone || isOfAnother(found, alone, endpointId),
        );
        return wanted.map(({ secret }) => secret);
      }
      throw new Error('the signing secrets cannot be read in time');
    },
    forget: (tenantId) => void cache.delete(tenantId),
  };
}
