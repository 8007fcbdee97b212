import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  defaultSettings,
  type FeeRule,
  type Settings,
} from '@tenant-payments/contract/core/settings.ts';
import { forEachOver } from '../load/callers.ts';
import { root, type ServiceProcess, sandboxFile } from '../service_process.ts';

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

async function createTenant(dataDir: string, name: string): Promise<Credentials> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['run', '--silent', 'cli', '--', 'tenants', 'create', '--name', name, '--json'],
    { cwd: root, env: { ...process.env, DATA_DIR: dataDir } },
  );
  return JSON.parse(stdout);
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

/** The sample tenant and further ones up to `count`, without limits and rates. */
export async function prepareTenants(
  { port, dataDir }: ServiceProcess,
  count: number,
): Promise<BenchTenant[]> {
  const sample: Credentials = JSON.parse(await readFile(sandboxFile(dataDir), 'utf8'));
  const names = Array.from({ length: count - 1 }, (_, index) => `Bench ${index + 2}`);
  const others = await Promise.all(names.map((name) => createTenant(dataDir, name)));
  const tenants = await Promise.all(
    [sample, ...others].map(async (credentials, index) => ({
      name: names[index - 1] ?? 'Sample Tenant',
      token: await tokenOf(port, credentials),
    })),
  );
  await forEachOver(port, tenants.length, tenants, (call, { token }) =>
    call({ method: 'PUT', path: '/portal/api/settings', token, body: benchSettings() }, 200),
  );
  return tenants;
}
