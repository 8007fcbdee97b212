import { randomBytes, randomUUID } from 'node:crypto';
import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { command } from '@tenant-payments/engine/command.ts';
import {
  candidates,
  secretToRetire,
  shownIds,
  tooManyActive,
} from '@tenant-payments/engine/rotation.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
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

export const webhookSecrets = table({
  name: 'webhook_secrets',
  key: ['id'],
  sets: ['all'],
  setOnly: { all: 't.retired_at is null' },
  columns: {
    id: column.uuid,
    sealed: column.text,
    created_at: column.instant,
    retired_at: orNull(column.instant),
  },
  frozen: ['sealed', 'created_at'],
  audited: ({ id, created_at, retired_at }) => ({ id: shownId(id), created_at, retired_at }),
});

type SecretRow = Pick<RowOf<typeof webhookSecrets>, 'id' | 'created_at' | 'retired_at'>;
const presented = ({ id, created_at, retired_at }: SecretRow): WebhookSecret => ({
  id: shownId(id),
  created_at,
  retired_at,
});
const isActive = ({ retired_at }: SecretRow) => retired_at === null;

/** A new secret, and how it is stored. */
export function newWebhookSecret(vault: Vault, tenantId: string) {
  const id = randomUUID();
  const secret = `whsec_${randomBytes(secretBytes).toString('base64url')}`;
  return { id, secret, sealed: vault.seal(tenantId, secretSeal(id), secret) };
}

/**
 * Makes a signing secret. The Tenant is touched, so that of two at once the second is decided on what the
 * first has left.
 * @throws ApiError invalid_state when three are active
 */
export const addWebhookSecret = (vault: Vault) =>
  command('add_webhook_secret', {
    prepare: async (_input: object, { tenantId }) => newWebhookSecret(vault, tenantId),
    load: async (read) => {
      const [tenant, secrets] = await Promise.all([
        read.one(tenants, {}),
        read.all(webhookSecrets),
      ]);
      return { tenant, secrets };
    },
    decide: (work, { tenant, secrets }, _, { id, secret, sealed }) => {
      if (secrets.filter(isActive).length >= maximumActive) throw tooManyActive(maximumActive);
      work.touch(tenant);
      const created_at = work.now;
      work.create(webhookSecrets, { id, sealed, created_at, retired_at: null });
      const value: NewWebhookSecret = { id: shownId(id), secret, created_at };
      return { value };
    },
  });

/**
 * Retires a secret: one second later no process signs with it any more. Retiring it again is no error.
 * @throws ApiError not_found; invalid_state for the last active one
 */
export const retireWebhookSecret = command('retire_webhook_secret', {
  load: async (read, { id }: { readonly id: string }) => {
    const [named, secrets] = await Promise.all([
      read.maybe(webhookSecrets, uuidOf(id)),
      read.all(webhookSecrets),
    ]);
    return { named, secrets };
  },
  decide: (work, { named, secrets }, { id }) => {
    const row = secretToRetire(candidates(secrets, named), uuidOf(id), 'no event can be sent');
    if (isActive(row)) work.change(row, { retired_at: work.now });
    return { value: presented(row) };
  },
});

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
    update webhook_secrets set retired_at = ${now}, revision = revision + 1
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
