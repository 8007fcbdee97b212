import { arrayParameter } from '@tenant-payments/engine/database/binary.ts';
import { rateLimitOf } from '@tenant-payments/engine/settings.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import DataLoader from 'dataloader';
import type pg from 'pg';

interface TokenKey {
  readonly tenantId: string;
  readonly tokenHash: string;
}

interface Token {
  readonly client_id: string;
  readonly expires_at: Instant;
  readonly rate_per_minute: number;
}

interface Row extends Omit<Token, 'rate_per_minute'> {
  /** Its key's place among those that were asked for, from 1. */
  readonly place: number;
  /** The value that was set; null: none was. */
  readonly rate: unknown;
}

/** The most keys that a statement of the engine reads. */
const maximumAtOnce = 64;

/** Rows of tokens that were not ended, whose client is not retired and whose Tenant is not suspended. */
const find = `select k.place::integer, a.client_id, a.expires_at,
    t.settings -> 'rate_limit_per_minute' as rate
  from unnest($1::uuid[], $2::text[]) with ordinality k(tenant_id, token_hash, place)
    join access_tokens a on a.tenant_id = k.tenant_id and a.token_hash = k.token_hash
    join clients c on c.client_id = a.client_id and c.retired_at is null
    join tenants t on t.tenant_id = a.tenant_id and t.token_epoch = a.epoch
      and t.suspended_at is null`;

/** A setting that cannot be read refuses its own token alone. */
function tokenOf({ tenantId }: TokenKey, row: Row | undefined): Token | Error | null {
  if (!row) return null;
  const { client_id, expires_at, rate } = row;
  try {
    return { client_id, expires_at, rate_per_minute: rateLimitOf(tenantId, rate) };
  } catch (error) {
    return error as Error;
  }
}

/**
 * Looks access tokens up; null for one that is not valid. Requests that arrive in one turn of the event
 * loop share a statement: of a thousand Tenants most requests bring a token that no cache holds.
 */
export function openTokenLookup(pool: Pick<pg.Pool, 'query'>) {
  const loader = new DataLoader<TokenKey, Token | null>(
    async (keys) => {
      const values = [
        arrayParameter(
          'uuid',
          keys.map(({ tenantId }) => tenantId),
        ),
        arrayParameter(
          'text',
          keys.map(({ tokenHash }) => tokenHash),
        ),
      ];
      // Named, since planning it takes longer than running it.
      const { rows } = await pool.query<Row>({ name: 'find tokens', text: find, values });
      const found = new Map(rows.map((row) => [row.place, row]));
      return keys.map((key, index) => tokenOf(key, found.get(index + 1)));
    },
    { cache: false, maxBatchSize: maximumAtOnce, batchScheduleFn: (send) => setImmediate(send) },
  );
  return (key: TokenKey): Promise<Token | null> => loader.load(key);
}
