import { openApi } from '../../kit/api.ts';
import { fetchToken } from '../../kit/http/http.ts';
import {
  type Deployment,
  type HowToStart,
  openDeployment,
  type ServiceProcess,
} from '../../kit/processes/processes.ts';
import { type Load, type Loaded, startLoad } from '../database/load.ts';
import type { Postgres } from '../database/postgres.ts';

/** A service in a process of its own, whose machine a proof breaks, and a Tenant under load there. */
export interface Stage {
  readonly deployment: Deployment;
  readonly process: ServiceProcess;
  readonly tenant: Loaded & { readonly tenantId: string };
  readonly load: Load;
  /** Ends the load and all processes. @returns what did not hold, and figures of the load */
  end(): Promise<Outcome>;
}

export interface Outcome {
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/** The database of a server that is there for one fault: its address may be changed on the way. */
export interface Host {
  readonly postgres: Postgres;
  /** The address by which the service of the fault reaches it; absent: its socket. */
  readonly serviceUrl?: string;
  readonly seed: number;
}

/** A Tenant without the sample's records, which the load did not make. */
export async function newTenant({ deployment, process }: Pick<Stage, 'deployment' | 'process'>) {
  const { baseUrl } = process;
  const operator = openApi(baseUrl, await deployment.operatorKey());
  const facts = await operator.post('/portal/api/tenants', { name: 'Under fault' });
  const { rows } = await deployment.pool.query(
    'select tenant_id from clients where client_id = $1',
    [facts.client_id],
  );
  const tenantId: string = rows[0].tenant_id;
  const api = openApi(baseUrl, await fetchToken(baseUrl, facts));
  await api.settings({ rate_limit_per_minute: 1_000_000, confirmation_grace_seconds: 0 });
  const query = async (sql: string, ...values: readonly unknown[]) =>
    (await deployment.pool.query(sql, [tenantId, ...values])).rows;
  return { tenantId, api, call: api.call, engine: { query } as Loaded['engine'] };
}

/** @param env settings of the process beside the usual ones */
export async function openStage(
  { postgres, serviceUrl = postgres.serviceUrl, seed }: Host,
  roles: string,
  { env, how }: { env?: Record<string, string>; how?: HowToStart } = {},
): Promise<Stage> {
  const database = { url: postgres.url, serviceUrl, drop: async () => {} };
  const deployment = await openDeployment(database);
  const process = await deployment.start(roles, env, how);
  const tenant = await newTenant({ deployment, process });
  const load = await startLoad(tenant, seed, { byPin: 2 });
  return {
    deployment,
    process,
    tenant,
    load,
    async end() {
      const { violations: found, ...figures } = await load.end();
      const violations = [...found];
      if (process.child.exitCode !== null) violations.push(`it fell: ${process.log()}`);
      await deployment.stop().catch((error: Error) => void violations.push(error.message));
      const slowestRequestMs = Math.round(load.slowestMs);
      return { violations, figures: { ...load.counts, ...figures, slowestRequestMs } };
    },
  };
}
