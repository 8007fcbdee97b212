import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { idMaker } from '../core/new_id.ts';
import { instantOf } from '../core/time/instant.ts';
import { beginCalendar } from '../jobs/calendar.ts';
import { securityEvent } from '../operations/security_events.ts';
import { fundReserve } from '../resources/accounts/fund_reserve.ts';
import { publishSamples } from '../resources/customers/documents/samples/samples.ts';
import type { Service } from '../service.ts';
import { addSecret } from '../webhooks/secrets.ts';
import { type ClientCredentials, issueClient, retireCredentials } from './credentials.ts';

/** What an integrator needs to know: the content of `sandbox.json` (rules/sandbox#24). */
export interface TenantFacts extends ClientCredentials {
  readonly base_url: string;
  readonly webhook_secret: string;
  readonly portal_url: string;
  /** null: no shop is open here. */
  readonly shop_url: string | null;
  readonly docs_url: string;
}

export interface NewTenant {
  readonly name: string;
  /** Requests in 60 s; absent: 6,000. */
  readonly rateLimit?: number | undefined;
  /** Where they differ from what a new tenant starts with. */
  readonly settings?: Partial<Settings>;
}

/** What the sandbox puts into a new tenant's reserve, and restores each day (rules/sandbox#21). */
export const sandboxReserveCents = 10_000_00;

function settingsOf({ name, rateLimit, settings }: NewTenant): Settings {
  const defaults = defaultSettings(name);
  const rate = rateLimit ?? defaults.rate_limit_per_minute;
  return { ...defaults, rate_limit_per_minute: rate, ...settings };
}

/** The addresses of this deployment. The shop's is another site than that of the hosted pages. */
export function addressesOf({ config }: Pick<Service, 'config'>) {
  const base = config.publicUrl;
  const shop = new URL(base);
  if (shop.hostname === 'localhost') shop.hostname = '127.0.0.1';
  return {
    base_url: base,
    portal_url: `${base}/portal`,
    shop_url: config.shop === 'off' ? null : `${shop.origin}/shop`,
    docs_url: `${base}/docs`,
  };
}

/** Runs `work` in one transaction of the pool. */
async function inTransaction<T>(pool: pg.Pool, work: (connection: pg.ClientBase) => Promise<T>) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

const newId = idMaker();

/** What an integrator gets for a new client, with a new webhook secret. */
async function factsOf(
  service: Service,
  tenantId: string,
  client: ClientCredentials,
): Promise<TenantFacts> {
  const { secret } = await addSecret(service, tenantId, instantOf(service.clocks.realNow()));
  return { ...client, webhook_secret: secret, ...addressesOf(service) };
}

/**
 * Makes a Tenant with a client, a first webhook secret and, in the sandbox, its reserve. The tenant's
 * row is written without the engine, which needs a tenant for every command.
 */
export async function createTenant(
  service: Service,
  tenant: NewTenant,
): Promise<{ readonly tenantId: string; readonly facts: TenantFacts }> {
  const { pool, clocks, environment, engine } = service;
  const tenantId = newId(clocks.realNow());
  const now = instantOf(clocks.realNow());
  const settings = JSON.stringify(settingsOf(tenant));
  const client = await inTransaction(pool, async (connection) => {
    await connection.query(
      `insert into tenants (tenant_id, name, settings, created_at) values ($1, $2, $3, $4)`,
      [tenantId, tenant.name, settings, now],
    );
    await beginCalendar(connection, environment, tenantId, now);
    await publishSamples(connection, tenantId, now);
    return issueClient(connection, service, tenantId);
  });
  if (environment === 'sandbox')
    await engine.submit(fundReserve, { tenantId, input: { amount: sandboxReserveCents } });
  return { tenantId, facts: await factsOf(service, tenantId, client) };
}

/** Replaces credentials that were lost, and retires the old ones. The operator's start does it. */
export async function replaceCredentials(service: Service, tenantId: string): Promise<TenantFacts> {
  const client = await inTransaction(service.pool, async (connection) => {
    await retireCredentials(connection, service, tenantId);
    return issueClient(connection, service, tenantId);
  });
  const { client_id } = client;
  securityEvent(service.log, 'credentials_replaced', {
    actor: 'operator',
    tenant_id: tenantId,
    client_id,
  });
  return factsOf(service, tenantId, client);
}
