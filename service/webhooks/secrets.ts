import { randomBytes, randomUUID } from 'node:crypto';
import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { joinTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { secretToRetire, shownIds, tooManyActive } from '@tenant-payments/engine/rotation.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { WebhookContext } from './context.ts';

/** A signing secret as it is listed (rules/webhooks#20). Only its sealed text is stored. */
export interface WebhookSecret {
  readonly id: string;
  readonly created_at: Instant;
  readonly retired_at: Instant | null;
}

/** A new secret in clear text, shown only once. */
export interface NewWebhookSecret {
  readonly id: string;
  readonly secret: string;
  readonly created_at: Instant;
}

const maximumActive = sizes.webhookSecrets;
const secretBytes = 32;

const { shown: shownId, uuidOf } = shownIds('whs_');
export const secretUuidOf = uuidOf;

/** What a sealed secret is bound to. */
export const secretSeal = (uuid: string): string => `webhook_secrets|${uuid}`;

/**
 * Makes a signing secret.
 * @throws ApiError invalid_state when three are active
 */
export async function addSecret<DB>(
  { db, vault }: { readonly db: Kysely<DB>; readonly vault: Vault },
  tenantId: string,
  now: Instant,
): Promise<NewWebhookSecret> {
  const uuid = randomUUID();
  const secret = `whsec_${randomBytes(secretBytes).toString('base64url')}`;
  const sealed = vault.seal(tenantId, secretSeal(uuid), secret);
  await joinTransaction(db, async (tx) => {
    // Locked, so that two calls at once cannot both find room for the third.
    await sql`select 1 from tenants where tenant_id = ${tenantId} for no key update`.execute(tx);
    const { numAffectedRows } = await sql`
      insert into webhook_secrets (tenant_id, id, sealed, created_at)
      select ${tenantId}, ${uuid}, ${sealed}, ${now}
      where (select count(*) from webhook_secrets
        where tenant_id = ${tenantId} and retired_at is null) < ${maximumActive}`.execute(tx);
    if (numAffectedRows !== 1n) throw tooManyActive(maximumActive);
  });
  return { id: shownId(uuid), secret, created_at: now };
}

interface SecretRow {
  id: string;
  created_at: Instant;
  retired_at: Instant | null;
}

const presented = (row: SecretRow): WebhookSecret => ({ ...row, id: shownId(row.id) });

/** Lists the secrets, newest first, retired ones too. */
export async function listSecrets(pool: pg.Pool, tenantId: string): Promise<WebhookSecret[]> {
  const { rows } = await pool.query<SecretRow>(
    `select id, created_at, retired_at from webhook_secrets where tenant_id = $1
     order by created_at desc, id desc`,
    [tenantId],
  );
  return rows.map(presented);
}

/**
 * Retires a secret: one second later no process signs with it any more. Retiring it again is no
 * error.
 * @throws ApiError not_found; invalid_state for the last active one
 */
export async function retireSecret<DB>(
  { db }: { readonly db: Kysely<DB> },
  tenantId: string,
  id: string,
  now: Instant,
): Promise<WebhookSecret> {
  const uuid = uuidOf(id);
  return joinTransaction(db, async (tx) => {
    // Locked, so that of two calls at once the second sees what the first has left.
    const { rows } = await sql<SecretRow>`
      select id, created_at, retired_at from webhook_secrets
      where tenant_id = ${tenantId} and (id = ${uuid} or retired_at is null)
      order by id for update`.execute(tx);
    const row = secretToRetire(rows, uuid, 'no event can be sent');
    if (row.retired_at !== null) return presented(row);
    await sql`update webhook_secrets set retired_at = ${now}
      where tenant_id = ${tenantId} and id = ${uuid}`.execute(tx);
    return presented({ ...row, retired_at: now });
  });
}

/**
 * Gives another Tenant the active secrets, so that its events are signed as those of the first were, and
 * retires them there.
 */
export async function moveSecrets<DB>(
  db: Kysely<DB>,
  vault: Vault,
  { from, to }: { readonly from: string; readonly to: string },
  now: Instant,
): Promise<void> {
  await sql`delete from webhook_secrets where tenant_id = ${to}`.execute(db);
  const { rows } = await sql<{ id: string; sealed: string; created_at: Instant }>`
    update webhook_secrets set retired_at = ${now}
    where tenant_id = ${from} and retired_at is null returning id, sealed, created_at`.execute(db);
  for (const { id, sealed, created_at } of rows) {
    const place = secretSeal(id);
    const fresh = vault.seal(to, place, vault.open(from, place, sealed));
    await sql`insert into webhook_secrets (tenant_id, id, sealed, created_at)
      values (${to}, ${id}, ${fresh}, ${created_at})`.execute(db);
  }
}

/** A secret that another process adds or retires is known here within this time. */
const cachedMs = 1_000;
const maximumCached = 10_000;
const tries = 3;

interface Sealed {
  tenant_id: string;
  id: string;
  sealed: string;
}

interface OpenSecret {
  readonly id: string;
  readonly secret: string;
}

/** The active secrets in clear text, for the dispatcher to sign with. */
export interface SigningSecrets {
  /**
   * Oldest first. Tenants requested in one turn of the event loop share one query.
   * @param alone the uuid of the only one that is wanted; none is, once it is retired
   */
  of(tenantId: string, alone?: string | null): Promise<string[]>;
  /** To be called when one of the tenant's was added or retired in this process. */
  forget(tenantId: string): void;
}

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
  function unsealed({ tenant_id, id, sealed }: Sealed): OpenSecret[] {
    try {
      return [{ id, secret: String(vault.open(tenant_id, secretSeal(id), sealed)) }];
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
      text: `select tenant_id, id, sealed from webhook_secrets
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
    async of(tenantId, alone = null) {
      for (let count = 0; count < tries; count += 1) {
        const secrets = cached(tenantId);
        const found = await secrets;
        if (cache.get(tenantId) !== secrets) continue;
        const wanted = alone === null ? found : found.filter(({ id }) => id === alone);
        return wanted.map(({ secret }) => secret);
      }
      throw new Error('the signing secrets cannot be read in time');
    },
    forget: (tenantId) => void cache.delete(tenantId),
  };
}
