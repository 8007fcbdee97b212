import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { instantOf } from '../core/instant.ts';
import { idMaker } from '../core/new_id.ts';
import { fundReserve } from '../resources/accounts/fund_reserve.ts';
import type { Service } from '../service.ts';
import { type Credentials, issueCredentials, retireCredentials } from './credentials.ts';

/** What whoever integrates needs to know (surfaces: Start, `sandbox.json`). */
export interface TenantFacts extends Credentials {
  readonly tenant_id: string;
  readonly base_url: string;
  readonly portal_url: string;
  readonly shop_url: string;
  readonly docs_url: string;
}

export interface NewTenant {
  readonly name: string;
  /** Requests in 60 s; absent: the default of the environment. */
  readonly rateLimit?: number | undefined;
  /** The settings of decisions 1.11: no grace, and the platform's fee of 50 basis points. */
  readonly sample?: boolean;
}

/** What the sandbox puts into a new tenant's reserve (decisions 1.11). */
const sandboxReserveCents = 10_000_00;
const productionRatePerMinute = 6_000;

const sampleSettings = {
  confirmation_grace_seconds: 0,
  fees: [
    {
      type: 'platform',
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      basis_points: 50,
      fixed: 0,
      paid_by: 'payee',
    },
  ],
} as const satisfies Partial<Settings>;

function settingsOf({ name, rateLimit, sample }: NewTenant, environment: string): Settings {
  const defaults = defaultSettings(name);
  const usual =
    environment === 'production' ? productionRatePerMinute : defaults.rate_limit_per_minute;
  return {
    ...defaults,
    ...(sample ? { ...sampleSettings, fees: [...sampleSettings.fees] } : {}),
    rate_limit_per_minute: rateLimit ?? usual,
  };
}

/** The addresses of this deployment. The shop is another site than the hosted pages, as in real life. */
export function addressesOf({ config }: Pick<Service, 'config'>) {
  const base = config.publicUrl;
  const shop = new URL(base);
  if (shop.hostname === 'localhost') shop.hostname = '127.0.0.1';
  return {
    base_url: base,
    portal_url: `${base}/portal`,
    shop_url: `${shop.origin}/shop`,
    docs_url: `${base}/docs`,
  };
}

/** Runs `work` in one transaction of the pool. */
async function inTransaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>) {
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

/**
 * Makes a Tenant with a client, a first webhook secret and, in the sandbox, its reserve. It stands
 * before the engine: until the transaction ends there is no tenant to submit a command for.
 */
export async function createTenant(service: Service, tenant: NewTenant): Promise<TenantFacts> {
  const { pool, clocks, environment, engine } = service;
  const tenantId = newId(clocks.realNow());
  const credentials = await inTransaction(pool, async (client) => {
    await client.query(
      `insert into tenants (tenant_id, name, settings, created_at) values ($1, $2, $3, $4)`,
      [
        tenantId,
        tenant.name,
        JSON.stringify(settingsOf(tenant, environment)),
        instantOf(clocks.realNow()),
      ],
    );
    return issueCredentials(client, service, tenantId);
  });
  if (environment === 'sandbox')
    await engine.submit(fundReserve, { tenantId, input: { amount: sandboxReserveCents } });
  return { tenant_id: tenantId, ...credentials, ...addressesOf(service) };
}

/** New credentials for a tenant whose old ones are lost; those are retired. */
export async function replaceCredentials(service: Service, tenantId: string): Promise<TenantFacts> {
  const credentials = await inTransaction(service.pool, async (client) => {
    await retireCredentials(client, service, tenantId);
    return issueCredentials(client, service, tenantId);
  });
  return { tenant_id: tenantId, ...credentials, ...addressesOf(service) };
}
