import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultSettings,
  type FeeRule,
  type Settings,
} from '@tenant-payments/contract/core/settings.ts';
import { operatorKeyFile } from '../../service/tenants/files.ts';
import { type Call, forEachOver } from '../load/callers.ts';
import { type ServiceProcess, sandboxFile } from '../service_process.ts';
import { setupConnections } from './population.ts';

/** A tenant whose token and settings are ready for the bench. */
export interface BenchTenant {
  readonly name: string;
  readonly token: string;
}

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** The platform fee of the sample tenant (rules/sandbox#20), for the other tenants too. */
const platformFee: FeeRule = {
  type: 'platform',
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 50,
  fixed: 0,
  paid_by: 'payee',
};

const unlimited = { individual: null, business: null };
const tooManyRequests = 429;

/** Settings for thousands of payments a second; all others keep their defaults. */
function benchSettings(): Partial<Settings> {
  const { limits } = defaultSettings('');
  return {
    fees: [platformFee],
    rate_limit_per_minute: 10_000_000,
    limits: {
      ...limits,
      load_per_transaction: unlimited,
      load_daily: unlimited,
      load_30_day: unlimited,
      balance_maximum: unlimited,
      payment_daily: unlimited,
    },
  };
}

/** Creates a tenant by the operator's key; waits where too many were created in a minute. */
async function createTenant(
  port: number,
  key: string,
  tenant: { readonly name: string; readonly cell?: string },
): Promise<Credentials> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(tenant) };
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${port}/portal/api/tenants`, request);
    const body = await reply.json();
    if (reply.status === 201) return body as Credentials;
    if (reply.status !== tooManyRequests)
      throw new Error(`POST /portal/api/tenants: ${JSON.stringify(body)}`);
    await sleep(Number(reply.headers.get('retry-after') ?? 1) * 1_000);
  }
}

async function tokenOf(port: number, credentials: Credentials): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.client_id,
    client_secret: credentials.client_secret,
  });
  const reply = await fetch(`http://127.0.0.1:${port}/oauth/token`, { method: 'POST', body: form });
  const body = await reply.json();
  if (reply.status !== 200) throw new Error(`POST /oauth/token: ${JSON.stringify(body)}`);
  return (body as { access_token: string }).access_token;
}

/**
 * The sample tenant and further ones up to `count`, without limits and rates.
 * @param cellOf where a further one is made; absent: in the first cell
 */
export async function prepareTenants(
  { port, dataDir }: ServiceProcess,
  count: number,
  cellOf: (index: number) => { cell?: string } = () => ({}),
): Promise<BenchTenant[]> {
  const sample: Credentials = JSON.parse(await readFile(sandboxFile(dataDir), 'utf8'));
  const key = (await readFile(operatorKeyFile(dataDir), 'utf8')).trim();
  async function prepare(call: Call, index: number): Promise<BenchTenant> {
    const name = index === 0 ? 'Sample Tenant' : `Bench ${index + 1}`;
    const tenant = { name, ...cellOf(index) };
    const made = index === 0 ? sample : await createTenant(port, key, tenant);
    const token = await tokenOf(port, made);
    await call({ method: 'PUT', path: '/portal/api/settings', token, body: benchSettings() }, 200);
    return { name, token };
  }
  const indexes = Array.from({ length: count }, (_, index) => index);
  return forEachOver(port, setupConnections, indexes, prepare);
}
