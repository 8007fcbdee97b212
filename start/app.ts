import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openAccessNotes } from '../backoffice/access/note.ts';
import { openJudge } from '../backoffice/approvals/judge.ts';
import { registerPortal } from '../backoffice/portal/routes.ts';
import { type EngineOptions, startEngine } from '../engine/batch/engine.ts';
import { unobserved } from '../engine/batch/observer.ts';
import { renewClients } from '../engine/database/pool.ts';
import { faultFacts } from '../engine/fault.ts';
import { openClocks } from '../engine/time/clock.ts';
import { type Tracing, untraced } from '../engine/trace.ts';
import { tellAudit } from '../engine/write/append_audit.ts';
import { openPeers } from '../service/cells/peers.ts';
import type { Config } from '../service/config/config.ts';
import { openStandby } from '../service/db/standby.ts';
import { closeCustomer } from '../service/flows/close_account.ts';
import { createSession } from '../service/flows/create_session.ts';
import { registerHosted } from '../service/flows/hosted/routes.ts';
import { openRefill } from '../service/http/auth/refill.ts';
import { serveToken } from '../service/http/auth/token.ts';
import { serveDocs } from '../service/http/docs/docs.ts';
import { servePublished } from '../service/http/docs/published.ts';
import { openDownloadLinks } from '../service/http/files/download_links.ts';
import { serveDownloads } from '../service/http/files/downloads.ts';
import { serveHostedPages } from '../service/http/files/hosted_pages.ts';
import { servePackages } from '../service/http/files/packages.ts';
import { servePortalPages } from '../service/http/files/portal_pages.ts';
import { openWebAssets } from '../service/http/files/web_assets.ts';
import { serveHealth } from '../service/http/health.ts';
import { separateHosts } from '../service/http/hosts.ts';
import { redactedValue } from '../service/http/log/redact.ts';
import { logRequests, openRequestLog } from '../service/http/log/request_log.ts';
import { serveRails } from '../service/http/rails/receive.ts';
import { exposeToChaos, guard, serveUnknown } from '../service/http/serve/guard.ts';
import { serve, serveHandler } from '../service/http/serve/serve.ts';
import { openServer } from '../service/http/server.ts';
import { serveFacts } from '../service/http/service_facts.ts';
import type { OpenProviders } from '../service/inbound/providers/providers.ts';
import { heldClock, openDatabaseClock } from '../service/operations/database_clock.ts';
import { countCommitted, meterEngine } from '../service/operations/engine_meter.ts';
import { meterRequests } from '../service/operations/http_meter.ts';
import { openMeters } from '../service/operations/meters.ts';
import { openProcessRegistry } from '../service/operations/process_registry.ts';
import { openReadiness } from '../service/operations/readiness.ts';
import type { Rails } from '../service/rails/rails.ts';
import { openWaitingOrders } from '../service/rails/unanswered.ts';
import { getBalance, listAccounts } from '../service/resources/accounts/read.ts';
import { listTransactions } from '../service/resources/accounts/transactions.ts';
import { createCustomer } from '../service/resources/customers/create.ts';
import {
  getCustomer,
  listCustomers,
  listDocuments,
  listOwners,
} from '../service/resources/customers/read.ts';
import { createDispute } from '../service/resources/disputes/create.ts';
import { listDisputes } from '../service/resources/disputes/read.ts';
import { createLinkedAccount } from '../service/resources/linked_accounts/create.ts';
import { createLinkToken } from '../service/resources/linked_accounts/link_token.ts';
import { listLinkedAccounts } from '../service/resources/linked_accounts/read.ts';
import { removeLinkedAccount } from '../service/resources/linked_accounts/remove.ts';
import { createLoad } from '../service/resources/loads/create.ts';
import { getLoad } from '../service/resources/loads/read.ts';
import { createPaymentRequest } from '../service/resources/payment_requests/create.ts';
import { cancelPaymentRequest } from '../service/resources/payment_requests/moves.ts';
import { openQrSigner } from '../service/resources/payment_requests/qr.ts';
import { openQrReader } from '../service/resources/payment_requests/qr_reader.ts';
import { getPaymentRequest } from '../service/resources/payment_requests/read.ts';
import { createPayment } from '../service/resources/payments/create.ts';
import { cancelPayment } from '../service/resources/payments/moves.ts';
import { getPayment } from '../service/resources/payments/read.ts';
import { getReconciliationReport } from '../service/resources/reconciliation/read.ts';
import { createRefund } from '../service/resources/refunds/create.ts';
import { getRefund } from '../service/resources/refunds/read.ts';
import { exchangeSession } from '../service/resources/sessions/exchange.ts';
import { openRevival } from '../service/resources/sessions/revive.ts';
import { listStatements } from '../service/resources/statements/read.ts';
import { createWithdrawal } from '../service/resources/withdrawals/create.ts';
import { getWithdrawal } from '../service/resources/withdrawals/read.ts';
import { simulateEvent } from '../service/sandbox/simulate/simulate.ts';
import type { Peers, Service } from '../service/service.ts';
import { openAlarms } from './alarms.ts';
import { sandboxSample, sandboxToolsOf } from './composition.ts';
import { openFiles } from './files.ts';
import { closeDatabases, type DatabaseUrls, openDatabases } from './open_databases.ts';
import { serveEvents } from './serve_events.ts';
import { serveReads } from './serve_reads.ts';
import type { Workers } from './workers.ts';

export interface StartContext extends DatabaseUrls {
  readonly log: Logger;
  /** Absent: no trace is recorded. */
  readonly tracing?: Tracing;
  /** Real time in epoch milliseconds, where a test holds it; absent: as the database's clock has it. */
  readonly realNow?: () => number;
  /** A standby of the database, as the service's login reaches it; absent or null: none. */
  readonly readUrl?: string | null;
  /** The clock of the machine, in epoch milliseconds; absent: as it is. */
  readonly machineNow?: () => number;
  /** The cells of this process; this one is added. */
  readonly peers?: Peers;
}

/** Opens everything that the parts of the service share. @throws when the database is not there */
export async function buildService(config: Config, context: StartContext): Promise<Service> {
  const { log: given, tracing = untraced, realNow, peers = openPeers(), ...urls } = context;
  const databaseClock = realNow ? heldClock(realNow) : openDatabaseClock(context.machineNow);
  const opening = openDatabases(urls, config, { log: given, databaseClock });
  const { databaseUrl, platformUrl, ...databases } = await opening;
  const { pool, downloadPool, db, control, vault } = databases;
  const clocks = openClocks(databaseClock.now);
  const meters = openMeters();
  // A client that only reads would never learn that its server is left behind.
  const onMoved = () => {
    for (const one of new Set([pool, downloadPool, control])) void renewClients(one);
  };
  const processId = () => processRegistry.id;
  const { alarmLog, log } = openAlarms(given, meters, { pool: control, clocks, processId });
  // In all cells that it serves a process has one id.
  const id = peers.open[0]?.processRegistry.id;
  const processRegistry = openProcessRegistry(
    { pool, clocks, databaseClock, config, log, onAway: onMoved, meters },
    { ...(id ? { id } : {}) },
  );
  const options: EngineOptions = {
    databaseUrl,
    environment: config.environment,
    clocks,
    seal: vault.seal,
    newSecret: vault.newSecret,
    revive: openRevival(db, vault, clocks),
    redact: (value) => redactedValue(value, true),
    onAlarm: (message, error) => log.error({ alarm: 'command', fault: faultFacts(error) }, message),
    onMoved,
    observer: meterEngine(meters),
    tracing,
    ...(config.approvals && { judge: openJudge({ db, clocks }) }),
  };
  const open = (more: Partial<EngineOptions> = {}) => {
    const opened = startEngine({ ...options, ...more });
    opened.onCommit(({ staged }) => {
      tellAudit(log, staged.audited);
      countCommitted(meters, staged.counted);
    });
    return opened;
  };
  const engine = open();
  const platformEngine =
    platformUrl === null ? engine : open({ databaseUrl: platformUrl, observer: unobserved });
  const { environment } = config;
  const sandboxTools = sandboxToolsOf({ config, pool, db, clocks, vault });
  const standby = openStandby({ url: urls.readUrl, clocks, processRegistry, log });
  const requestLog = openRequestLog({ pool, clocks, log, meters });
  const shared = {
    ...databases,
    standby,
    config,
    environment,
    peers,
    engine,
    platformEngine,
    clocks,
    databaseClock,
    sandboxTools,
    log,
    alarmLog,
    meters,
    tracing,
    waitingOrders: openWaitingOrders({ pool, clocks }),
  };
  const service: Service = { ...shared, processRegistry, requestLog };
  peers.add(service);
  return service;
}

/** Ends what `buildService` opened, once every command under way has been answered. */
export async function closeService({
  engine,
  platformEngine,
  requestLog,
  alarmLog,
  standby,
  ...databases
}: Service): Promise<void> {
  await engine.stop();
  if (platformEngine !== engine) await platformEngine.stop();
  await requestLog.close();
  await alarmLog.close();
  await standby.close();
  await closeDatabases(databases);
}

export interface AppParts {
  readonly service: Service;
  readonly workers: Workers;
  readonly rails: Rails;
  /** Takes messages of providers; absent: another cell of the process does. */
  readonly providers?: Pick<OpenProviders, 'doors'>;
  /** Migrations, sample data and workers are up. */
  readonly isReady?: () => boolean;
  /** Makes Tenants of a sandbox at the command line; null: only people make them. */
  readonly operatorKey?: string | null;
}

/** The HTTP surface, every route written out. It listens nowhere yet: `http/listen.ts` does. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { service, workers, isReady = () => true, operatorKey = null } = parts;
  const app = openServer(service.log, service.config.trustedProxies);
  meterRequests(app, service);
  separateHosts(app, service.config);
  serveHealth(app, isReady, openReadiness(service.peers));
  servePublished(app, service.config.publicUrl);
  const pages = openWebAssets(service);
  serveDocs(app, service, pages);
  serveToken(app, service);
  if (parts.providers) serveRails(app, service, parts.providers.doors);
  const links = openDownloadLinks(service);
  serveDownloads(app, links, openFiles(service), openAccessNotes(service));
  serveHostedPages(app, service, pages);
  servePackages(app, service);
  serveFacts(app, service);
  servePortalPages(app, service, pages);
  const rateLimit = openRefill(service, 'tenant');
  app.register(async (hosted) => registerHosted(hosted, service, parts.rails));
  app.register(async (scope) => {
    guard(scope, service, rateLimit);
    serveContract(scope, parts);
  });
  // Its requests are not in the request log.
  const { rails } = parts;
  const sample = service.sandboxTools && sandboxSample(service, rails);
  const portalParts = { ...workers, messages: rails.messages, isReady, sample, operatorKey };
  app.register(async (portal) => registerPortal(portal, service, portalParts));
  await app.ready();
  return app;
}

/** `/v1/*` in the contract's order. */
function serveContract(scope: FastifyInstance, { service, rails, workers }: AppParts): void {
  const { config, environment, vault } = service;
  const { aggregator } = rails;
  logRequests(scope, service);
  exposeToChaos(scope, service);
  const links = openDownloadLinks(service);
  const qr = openQrSigner(config.qrSigningKeys, environment);

  serve(scope, service, endpoints.createCustomer, createCustomer(vault, service.environment));
  serve(scope, service, endpoints.closeCustomer, closeCustomer(service));
  serveHandler(scope, service, endpoints.listCustomers, listCustomers);
  serveHandler(scope, service, endpoints.getCustomer, getCustomer);
  serveHandler(scope, service, endpoints.listOwners, listOwners);
  serveHandler(scope, service, endpoints.listDocuments, listDocuments);

  serve(scope, service, endpoints.createSession, createSession);
  serve(scope, service, endpoints.exchangeSession, exchangeSession);

  serve(scope, service, endpoints.createLinkToken, createLinkToken(aggregator, service));
  serve(scope, service, endpoints.createLinkedAccount, createLinkedAccount(aggregator, vault));
  serveHandler(scope, service, endpoints.listLinkedAccounts, listLinkedAccounts);
  serve(scope, service, endpoints.removeLinkedAccount, removeLinkedAccount);

  serveHandler(scope, service, endpoints.listAccounts, listAccounts);
  serveHandler(scope, service, endpoints.getBalance, getBalance);
  serveHandler(scope, service, endpoints.listTransactions, listTransactions);
  serveHandler(scope, service, endpoints.listStatements, listStatements(links));

  serve(scope, service, endpoints.createLoad, createLoad);
  serveHandler(scope, service, endpoints.getLoad, getLoad);

  serve(scope, service, endpoints.createPaymentRequest, createPaymentRequest(qr));
  serveHandler(scope, service, endpoints.getPaymentRequest, getPaymentRequest);
  serve(scope, service, endpoints.cancelPaymentRequest, cancelPaymentRequest);

  serve(scope, service, endpoints.createPayment, createPayment(openQrReader(service.db, qr)));
  serveHandler(scope, service, endpoints.getPayment, getPayment);
  serve(scope, service, endpoints.cancelPayment, cancelPayment);

  serve(scope, service, endpoints.createWithdrawal, createWithdrawal);
  serveHandler(scope, service, endpoints.getWithdrawal, getWithdrawal);

  serve(scope, service, endpoints.createRefund, createRefund);
  serveHandler(scope, service, endpoints.getRefund, getRefund);

  serve(scope, service, endpoints.createDispute, createDispute(service));
  serveHandler(scope, service, endpoints.listDisputes, listDisputes);

  serveEvents(scope, service, workers);

  serveHandler(scope, service, endpoints.getReconciliationReport, getReconciliationReport(links));

  const simulate = service.sandboxTools?.simulator.simulate ?? simulateEvent({}, environment);
  serve(scope, service, endpoints.simulateEvent, simulate, workers.jobs.runDueJobs);

  serveReads(scope, service, links);
  serveUnknown(scope, service, '/v1');
}
