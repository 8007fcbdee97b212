import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { openWorstLags } from './worst_lags.ts';

/** Seconds: from a read that hits the cache to the deadline of a request. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const attemptBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to three days, in which an event is tried. */
const deliveryBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400, 259_200];
const railsBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
/** Up to the size of a batch (rules/engine#12). */
const batchSizes = [1, 2, 4, 8, 16, 32, 64];

/** Declares metrics in one registry: name, help and the names of labels. */
function metricsOf(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <L extends string = never>(
      buckets: number[],
      name: string,
      help: string,
      ...labelNames: L[]
    ) => new Histogram({ name, help, labelNames, buckets, registers }),
  };
}

type Metrics = ReturnType<typeof metricsOf>;

const httpMeters = ({ counter, gauge, histogram }: Metrics) => ({
  requestSeconds: histogram(
    requestBuckets,
    'http_request_duration_seconds',
    'Requests by operation and class of status, from their headers until the reply has left',
    'operation',
    'status',
  ),
  requestsInFlight: gauge('http_requests_in_flight', 'Requests that are being answered'),
  rateLimited: counter('http_rate_limited_total', 'Replies 429, by bucket', 'bucket'),
  requestLogDropped: counter('request_log_dropped_total', 'Requests missing in the request log'),
});

const engineMeters = ({ counter, gauge, histogram }: Metrics) => ({
  commandsQueued: gauge('commands_queued', 'Commands that wait for a batch'),
  commandsShed: counter('commands_shed_total', 'Commands refused before any work', 'reason'),
  commandsDeferred: counter('commands_deferred_total', 'Commands that read again in a next batch'),
  commandsLost: counter('commands_lost_total', 'Commands whose database went away under them'),
  batchCommands: histogram(batchSizes, 'batch_commands', 'Commands that a batch has decided'),
  batchSeconds: histogram(
    requestBuckets,
    'batch_duration_seconds',
    'A batch from its load to its commit, reruns included',
  ),
  batchReruns: counter(
    'batch_reruns_total',
    'Batches decided again, by the reason that their commit failed',
    'reason',
  ),
  batchSplits: counter('batch_splits_total', 'Batches that went on in halves'),
});

const webhookMeters = ({ counter, gauge, histogram }: Metrics) => ({
  attempts: counter('webhook_attempts_total', 'Attempts to deliver an event, by result', 'result'),
  attemptSeconds: histogram(
    attemptBuckets,
    'webhook_attempt_duration_seconds',
    'Attempts from the connection to the end of the answer',
  ),
  attemptsInFlight: gauge('webhook_attempts_in_flight', 'Attempts that are under way'),
  webhookOldest: gauge(
    'webhook_oldest_undelivered_seconds',
    'Since when the oldest event waits that is still to be delivered',
  ),
  webhookOverdue: gauge(
    'webhook_overdue_seconds',
    'How late the attempt is that should have been made first',
  ),
  webhookDelivery: histogram(
    deliveryBuckets,
    'webhook_delivery_seconds',
    'Events from their change to the 2xx of an endpoint',
  ),
  webhookLag: gauge(
    'webhook_lag_seconds',
    'The longest time from a change to its 2xx in the last five to ten minutes, of the twenty Tenants where it was longest',
    'tenant',
  ),
  webhookLate: gauge(
    'webhook_late_seconds',
    'How late the most overdue attempt at an endpoint of a Tenant is, of the twenty where it is latest',
    'tenant',
    'endpoint',
  ),
});

const jobMeters = ({ counter, gauge }: Metrics) => ({
  jobsDue: gauge('jobs_due', 'Jobs that are due and have not been run, by what they do', 'name'),
  jobsLate: gauge('jobs_late_seconds', 'How late the most overdue job of a name is', 'name'),
  jobsOldest: gauge('jobs_oldest_seconds', 'How late the job is that should have run first'),
  jobsRun: counter('jobs_run_total', 'Jobs that were run, by what they do', 'name'),
  jobsFailed: counter('jobs_failed_total', 'Jobs that were put off, by what they do', 'name'),
});

const ledgerMeters = ({ gauge }: Metrics) => ({
  paymentRequests: gauge(
    'payment_requests_day',
    'Requests for Payment of the 24 hours before the last nightly verification, of the twenty Tenants with the most',
    'tenant',
    'result',
  ),
  ledgerViolations: gauge('ledger_violations', 'What the last nightly verification found wrong'),
  auditFaults: gauge('audit_faults', 'What the last nightly verification of the audit found wrong'),
});

const countMeters = ({ gauge }: Metrics) => ({
  proofAge: gauge(
    'ledger_proof_age_seconds',
    'Since when the ledger was proven that was proven longest ago',
  ),
  auditProofAge: gauge(
    'audit_proof_age_seconds',
    'Since when the chain of the audit was verified that was verified longest ago',
  ),
  backupAge: gauge(
    'backup_age_seconds',
    'Since when a base backup was made or tried, and the log was archived',
    'what',
  ),
  alarmsOpen: gauge('alarms_open', 'Alarms that nobody has taken note of, by their name', 'alarm'),
  keyAge: gauge('key_age_seconds', 'Since when the newest key of a ring is used', 'ring'),
  certificateLeft: gauge(
    'database_certificate_seconds',
    "For how long the database's certificate is still good",
  ),
});

const processMeters = ({ counter, gauge }: Metrics) => ({
  buildInfo: gauge('build_info', 'What runs here; always 1', 'version', 'node'),
  logLinesDropped: counter(
    'log_lines_dropped_total',
    'Lines of the log that were dropped, since standard error took none',
  ),
  faults: counter(
    'faults_total',
    'Replies of 5xx, failed calls of the rails, failed jobs and reasons not to be ready, by their cause',
    'cause',
  ),
  databaseAway: gauge('database_away_seconds', 'Since when the database is away; 0: it is there'),
  alarms: counter('alarms_total', 'Alarms that this process has raised, by their name', 'alarm'),
  clockSkew: gauge(
    'clock_skew_seconds',
    "The lead of the machine's clock over the database's; below 0 it is behind",
  ),
  poolConnections: gauge('database_pool_connections', 'Connections of the pool', 'state'),
  poolWaiting: gauge('database_pool_waiting', 'Queries that wait for a connection of the pool'),
  processesLive: gauge('processes_live', 'Processes of this deployment that are alive', 'role'),
});

const railsMeters = ({ counter, gauge, histogram }: Metrics) => ({
  railsSeconds: histogram(
    railsBuckets,
    'rails_calls_seconds',
    'Calls of the rails module until their answer or their deadline, by result',
    'method',
    'result',
  ),
  railsInFlight: gauge(
    'rails_calls_in_flight',
    'Calls of the rails module that it has not ended, those past their deadline included',
    'method',
  ),
  bankOrderOldest: gauge(
    'bank_order_oldest_seconds',
    'Since when the oldest order waits that the bank has and has not answered, by purpose',
    'provider',
    'purpose',
  ),
  bankOrdersUnanswered: gauge(
    'bank_orders_unanswered',
    'Orders that the bank has and has not answered, by purpose',
    'provider',
    'purpose',
  ),
  tenantOrderOldest: gauge(
    'tenant_bank_order_oldest_seconds',
    'Since when the oldest such order of a Tenant waits, of the twenty where it is oldest',
    'provider',
    'tenant',
  ),
  tenantOrdersUnanswered: gauge(
    'tenant_bank_orders_unanswered',
    'Such orders of a Tenant, of the same twenty',
    'provider',
    'tenant',
  ),
  railMessages: counter(
    'rail_messages_total',
    'Messages of providers that were sent or polled, by what became of them',
    'provider',
    'state',
  ),
  railPolls: counter(
    'rail_polls_total',
    'Polls of providers, by how they ended',
    'provider',
    'result',
  ),
});

/**
 * All that a process measures. Labels take their values from fixed lists: operations, statuses,
 * jobs. Never an id or what a caller sent, so that the number of series is bounded: of Tenants the twenty whose events
 * are latest have one.
 * Each service has a set of its own, so that two of them in one process stay apart.
 */
export function openMeters() {
  const registry = new Registry();
  const metrics = metricsOf(registry);
  return {
    registry,
    ...httpMeters(metrics),
    ...engineMeters(metrics),
    ...webhookMeters(metrics),
    ...jobMeters(metrics),
    ...countMeters(metrics),
    worstLags: openWorstLags(),
    ...ledgerMeters(metrics),
    ...processMeters(metrics),
    ...railsMeters(metrics),
  };
}

export type Meters = ReturnType<typeof openMeters>;
