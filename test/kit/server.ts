import { afterAll } from 'vitest';
import { type Api, openApi } from './api.ts';
import { type Engine, openEngine } from './engine.ts';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestTenant,
  type TestTenantOptions,
} from './service.ts';

export type { TestTenant, TestTenantOptions } from './service.ts';

export interface TestServerOptions extends TestServiceOptions {
  /** The first Tenant. */
  readonly tenant?: TestTenantOptions;
  /** True: the file changes or counts what all Tenants of a process have together. */
  readonly own?: boolean;
}

/** A service, and its first Tenant. */
export interface TestServer extends TestService {
  readonly tenant: TestTenant;
  /** The first tenant's access token. */
  readonly token: string;
  /** The first tenant's server, over HTTP. */
  readonly api: Api;
  /** The commands of the first tenant, in this process. */
  readonly engine: Engine;
  /** Calls as the first tenant, or with the token that is given; null sends none. */
  readonly call: Api['call'];
  /** The server of another tenant. */
  apiOf(tenant: Pick<TestTenant, 'token'>): Api;
  /** Runs the jobs that are due of a tenant; absent: the first. */
  runJobs(tenantId?: string): Promise<void>;
}

/** A service as somebody sees it who has a new Tenant there. */
async function withTenant(running: TestService, options?: TestTenantOptions): Promise<TestServer> {
  const { baseUrl, service, workers } = running;
  const tenant = await running.anotherTenant(options);
  const api = openApi(baseUrl, tenant.token);
  return {
    ...running,
    tenant,
    token: tenant.token,
    api,
    engine: openEngine(service, tenant.tenantId),
    call: api.call,
    apiOf: ({ token }) => openApi(baseUrl, token),
    runJobs: async (tenantId = tenant.tenantId) => void (await workers.jobs.runDueJobs(tenantId)),
  };
}

/**
 * Starts a service on a database of its own. Every reply that `call` sees is held against the
 * contract: the endpoint's schema, its listed codes, the envelope and the headers.
 */
export async function startTestServer({
  tenant,
  ...options
}: Omit<TestServerOptions, 'own'> = {}): Promise<TestServer> {
  return withTenant(await startTestService(options), tenant);
}

/** Services that differ in nothing else may be one. All other options are of a service, and want one of its own. */
const shareable: readonly string[] = ['tenant', 'manual', 'workers'];

/** The services that the files of this worker share, by how they were started. */
const running = new Map<string, Promise<TestService>>();

/** A service for many files. Each of them finds another Tenant's records there, also the first one. */
async function startShared(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  const { api } = await withTenant(service, { name: 'Before' });
  const payer = await api.funded('individual', 100_00);
  await api.confirmed(api.pay(payer, await api.banked('business'), 10_00));
  await service.prove();
  return service;
}

/** A service that goes on after this file, with a Tenant of the file's own. Its database ends with the run. */
async function shareServer({ tenant, ...options }: TestServerOptions): Promise<TestServer> {
  const key = JSON.stringify(options);
  const known = running.get(key) ?? startShared(options);
  running.set(key, known);
  const service = await known;
  service.sent.length = 0;
  const { rows } = await service.owner.query<{ tenant_id: string }>(
    'select tenant_id from tenants',
  );
  // The Tenants of earlier files were proven with them, and may wait for jobs that nobody runs any more.
  const ofOthers = rows.map(({ tenant_id }) => tenant_id);
  const prove = () => service.prove(ofOthers);
  afterAll(prove);
  return withTenant({ ...service, prove }, tenant);
}

/**
 * A service for all tests of a file, which has a Tenant of its own there. Await it at the top of the file. After the
 * tests the file's whole ledger is proven. Files share a service unless they want it otherwise than others have it.
 */
export async function openServer({ own, ...options }: TestServerOptions = {}): Promise<TestServer> {
  if (!own && Object.keys(options).every((name) => shareable.includes(name)))
    return shareServer(options);
  const server = await startTestServer(options);
  afterAll(() => server.stop());
  return server;
}
