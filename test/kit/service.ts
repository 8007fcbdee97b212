import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pLimit from 'p-limit';
import type pg from 'pg';
import { pino } from 'pino';
import { createTenant, type NewTenant, type TenantFacts } from '../../backoffice/tenants/create.ts';
import { openPool } from '../../engine/database/pool.ts';
import type { Tracing } from '../../engine/trace.ts';
import type { Config, Secrets } from '../../service/config/config.ts';
import { signingKeyPem } from '../../service/config/key_rings.ts';
import { orderAlarmHoursOf } from '../../service/config/order_alarm_hours.ts';
import { railsDeadlinesOf } from '../../service/config/rails_deadlines.ts';
import { type OpenProviders, openProviders } from '../../service/inbound/providers/providers.ts';
import type { Bank } from '../../service/rails/bank.ts';
import type { Message } from '../../service/rails/messages.ts';
import type { Provider } from '../../service/rails/providers/provider.ts';
import type { Rails } from '../../service/rails/rails.ts';
import { sampleSettings } from '../../service/sandbox/sample/sample.ts';
import type { Peers, Service } from '../../service/service.ts';
import { buildApp, buildService, closeService } from '../../start/app.ts';
import { openRails } from '../../start/composition.ts';
import { buildWorkers, type Workers } from '../../start/workers.ts';
import { sinceMorning } from './clock.ts';
import { type TestDatabase, testDatabase } from './database/database.ts';
import { isRemote } from './database/database_url.ts';
import { proveNothingOpen } from './database/left_open.ts';
import { institution, publishRealTexts } from './go_live.ts';
import { fetchToken } from './http/http.ts';
import { openListener } from './http/listener.ts';
import { proveLedger } from './ledger/prove_ledger.ts';
import { openNeighbour } from './neighbour.ts';

export interface TestTenantOptions extends Partial<NewTenant> {
  /** The platform's fee of the sample tenant, and no grace, so that records end with their session. */
  readonly sample?: boolean;
  /** False: nothing recurs for it, so that only what a test stages falls due. */
  readonly calendar?: boolean;
  /** False: in production it has neither an institution nor texts, and takes no customers. */
  readonly live?: boolean;
}

/** How a service is started. */
export interface TestServiceOptions {
  readonly environment?: Config['environment'];
  /** Settings of the process that differ from a test's usual ones. */
  readonly config?: Partial<Config> | ((port: number) => Partial<Config>);
  /** Real time, held by the test, in epoch milliseconds; absent: as the database's clock has it. */
  readonly realNow?: () => number;
  /** The clock of its machine, in epoch milliseconds; `realNow` then is the database's. */
  readonly machineNow?: () => number;
  /** True: `workers` is false, and the clock starts in a morning of New York. */
  readonly manual?: boolean;
  /** Another process of the deployment of this one, with its database, clock and secrets. */
  readonly beside?: TestService;
  /** False: nothing runs by itself, as in a process without the role `worker`. */
  readonly workers?: boolean;
  /** A database that the caller drops itself; absent: one of this service's own. */
  readonly database?: TestDatabase;
  /** The secrets of the service whose database this one shares; absent: secrets of its own. */
  readonly secrets?: Secrets;
  /** The cells of the same process; this one is added. */
  readonly peers?: Peers;
  /** The database that has the schema control, where it is another one. */
  readonly controlUrl?: string | null;
  /** Another bank than the sandbox's. */
  readonly bank?: Bank;
  /** Further providers of the rails; nothing polls them by itself. */
  readonly providers?: readonly Provider[];
  /** How long the outside takes to answer in automatic mode, in real seconds; absent: 5. */
  readonly answerAfterSeconds?: number;
  /** True: it is served alone where all others have a cell beside them, as what is tested is one process's. */
  readonly alone?: boolean;
  /** The tracing that spans go to; absent: none is recorded. */
  readonly tracing?: Tracing;
  /** Gets the log, line by line; absent: errors and worse on stderr. */
  readonly onLog?: (line: string) => void;
}

export interface TestTenant extends TenantFacts {
  readonly tenantId: string;
  /** A fresh access token. */
  readonly token: string;
}

/** A whole service in this process, reached over HTTP at a loopback port of its own. */
export interface TestService {
  readonly baseUrl: string;
  readonly service: Service;
  /** The owner of the database, who may do what the service may not: a test's damage, and its proofs. */
  readonly owner: pg.Pool;
  readonly app: FastifyInstance;
  readonly workers: Workers;
  /** The outside that the service reaches; a test may spy on its methods. */
  readonly rails: Rails;
  readonly providers: OpenProviders;
  /** The messages to customers and owners, in order. */
  readonly sent: Message[];
  /** The key that makes further tenants over HTTP. */
  readonly operatorKey: string;
  /** The database as its owner reaches it. */
  readonly databaseUrl: string;
  /** The database as the service's login reaches it. */
  readonly serviceUrl: string;
  /** The database with the schema control, where it is another one. */
  readonly controlUrl: string | null;
  /** Another tenant beside those that are there. */
  anotherTenant(tenant?: TestTenantOptions): Promise<TestTenant>;
  /**
   * Proves the whole ledger, and that no transaction or lock is left.
   * @param except tenants whose ledgers are not proven
   * @throws when an invariant is violated
   */
  prove(except?: readonly string[]): Promise<void>;
  /** Proves the same, and ends everything. @throws when an invariant is violated */
  stop(): Promise<void>;
}

function testConfig(environment: Config['environment'], port: number): Config {
  return {
    environment,
    port,
    hosts: ['127.0.0.1'],
    publicUrl: `http://localhost:${port}`,
    consoleUrl: null,
    hostedUrl: null,
    trustedProxies: [],
    egressAddresses: [],
    dataDir: '/nonexistent',
    databaseUrl: null,
    migrationDatabaseUrl: null,
    databaseReadUrl: null,
    roles: new Set(['api', 'worker']),
    cells: [],
    isOnCitus: false,
    remoteCells: new Map(),
    controlUrl: null,
    workerCells: null,
    metricsPort: 0,
    metricsHost: '127.0.0.1',
    drainDelaySeconds: 0,
    shop: 'off',
    sampleWeek: false,
    docs: 'on',
    approvals: environment === 'production',
    logLevel: 'error',
    telemetry: null,
    rails: null,
    adapters: [],
    railsDeadlines: railsDeadlinesOf(undefined, []),
    orderAlarmHours: orderAlarmHoursOf(undefined, []),
    pinPeppers: [{ id: 'test', key: randomBytes(32) }],
    sealingKeys: [{ id: 'test', key: randomBytes(32) }],
    qrSigningKeys: [{ id: 'test', key: signingKeyPem(randomBytes(32)) }],
    identityKeys: [{ id: 'test', key: randomBytes(32) }],
  };
}

const secretsOf = (secrets: TestServiceOptions['secrets']) => {
  if (!secrets) return {};
  const { pinPeppers, sealingKeys, qrSigningKeys, identityKeys } = secrets;
  return { pinPeppers, sealingKeys, qrSigningKeys, identityKeys };
};

const manual = (): TestServiceOptions => ({ workers: false, realNow: sinceMorning() });

/** The options that one process of a deployment shares with another. */
function besides(first?: TestService): TestServiceOptions {
  if (!first) return {};
  const { config, clocks } = first.service;
  const { databaseUrl: url, serviceUrl, controlUrl } = first;
  const database = { url, serviceUrl, ...(controlUrl && { controlUrl }), drop: async () => {} };
  return { database, secrets: config, realNow: clocks.realNow };
}

/** In a remote cell many new tenants at once would meet each other at the platform's chain of the audit. */
const makeInTurn = pLimit(isRemote ? 1 : Number.POSITIVE_INFINITY);

/** Rails whose messages are also kept in `sent`. */
function notingMessages(opened: Rails): { rails: Rails; sent: Message[] } {
  const sent: Message[] = [];
  const { messages } = opened;
  const send: typeof messages.send = (message, call) => {
    sent.push(message);
    return messages.send(message, call);
  };
  return { rails: { ...opened, messages: { ...messages, send } }, sent };
}

/** Starts a service on a database of its own. */
export async function startTestService(given: TestServiceOptions = {}): Promise<TestService> {
  const options = { ...(given.manual ? manual() : {}), ...besides(given.beside), ...given };
  const database = options.database ?? (await testDatabase(options.alone));
  const listener = await openListener();
  const baseUrl = `http://127.0.0.1:${listener.port}`;
  const operatorKey = `ok_${randomBytes(32).toString('base64url')}`;
  const { onLog } = options;
  const log = onLog ? pino({ base: null }, { write: onLog }) : pino({ level: 'error' });
  const config = testConfig(options.environment ?? 'sandbox', listener.port);
  const owner = openPool(database.url, { max: 2, statementTimeoutMs: 30_000 });
  const own = typeof options.config === 'function' ? options.config(listener.port) : options.config;
  const settings = { ...config, ...own, ...secretsOf(options.secrets) };
  const { realNow, machineNow } = options;
  const context = {
    databaseUrl: database.serviceUrl,
    log,
    ...(machineNow ? { machineNow } : realNow && { realNow }),
    ...(options.peers ? { peers: options.peers } : {}),
    ...(options.tracing && { tracing: options.tracing }),
    controlUrl: options.controlUrl ?? database.controlUrl ?? null,
    readUrl: settings.databaseReadUrl,
  };
  const isAlone = options.alone || options.database;
  const neighbour = isAlone ? null : await openNeighbour(settings, context, operatorKey);
  const service = await buildService(settings, { ...context, ...neighbour });
  const outside = await openRails(service, options);
  const { bank = outside.bank } = options;
  const { rails, sent } = notingMessages({ ...outside, bank });
  const workers = buildWorkers(service, rails);
  const providers = openProviders(service, {
    bank,
    providers: options.providers ?? rails.providers,
  });
  const app = await buildApp({ service, workers, rails, providers, operatorKey });
  const first = { service, handler: app.routing };
  listener.use(neighbour ? await neighbour.inFrontOf(first, providers, rails) : first.handler);
  if (options.workers ?? true) workers.start();

  async function newTenant(options: TestTenantOptions = {}): Promise<TestTenant> {
    const { sample, calendar = true, live = true, ...tenant } = options;
    const isReal = live && service.environment === 'production';
    const { tenantId, facts } = await makeInTurn(() =>
      createTenant(service, {
        name: 'Test Tenant',
        // Ten times the default: all tests of a file share a Tenant.
        rateLimit: 60_000,
        ...tenant,
        settings: {
          ...(sample ? { ...sampleSettings, confirmation_grace_seconds: 0 } : {}),
          ...(isReal && { institution }),
          ...tenant.settings,
        },
      }),
    );
    if (isReal) await publishRealTexts(service, tenantId);
    if (!calendar)
      await service.pool.query('delete from jobs where tenant_id = $1 and ref = $1', [tenantId]);
    return { ...facts, tenantId, token: await fetchToken(baseUrl, facts) };
  }

  async function proveWhole(except?: readonly string[]): Promise<void> {
    await proveLedger(service.pool, except);
    await proveNothingOpen(owner);
  }
  // Two processes have one database: what the first is proven by is all that this one may be.
  const prove = options.beside?.prove ?? proveWhole;

  async function stop(): Promise<void> {
    try {
      await listener.close(1_000);
      await app.close();
      await Promise.all([workers.stop(), providers.polls.stop()]);
      await prove();
    } finally {
      await owner.end();
      await closeService(service);
      await neighbour?.close();
      if (!options.database) await database.drop();
    }
  }
  return {
    baseUrl,
    service,
    owner,
    app,
    workers,
    rails,
    providers,
    sent,
    operatorKey,
    databaseUrl: database.url,
    serviceUrl: database.serviceUrl,
    controlUrl: context.controlUrl,
    anotherTenant: newTenant,
    prove,
    stop,
  };
}
