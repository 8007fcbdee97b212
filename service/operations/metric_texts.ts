/** The meaning of each metric of a process, and at which value to look: docs/reference/metrics.md is made of it. */
export const metricTexts: Readonly<
  Record<string, { readonly means: string; readonly worry: string }>
> = {
  http_request_duration_seconds: {
    means:
      "requests, by `operation` (its id; the portal's as `portal.…`) and `status` (`2xx` … `5xx`, `aborted`)",
    worry: 'any `5xx`; p99 above 0.5',
  },
  http_requests_in_flight: {
    means: 'requests that are being answered',
    worry: 'it grows and does not fall',
  },
  http_rate_limited_total: {
    means:
      'replies 429, by `bucket`: `tenant`; `caller` (portal); `client`, `address` (tokens); `session`, `address` (hosted pages)',
    worry: 'a tenant complains; raise its `rate_limit_per_minute`',
  },
  request_log_dropped_total: {
    means: 'requests missing in the request log',
    worry: 'it grows: the database is slow or away',
  },
  commands_queued: { means: 'commands that wait for a batch', worry: 'above 1,000: near overload' },
  commands_shed_total: {
    means: 'commands refused with 503 before any work: the queue `full`, or `late` after 2 s in it',
    worry: 'it grows: add a process or find what slows the database',
  },
  commands_deferred_total: {
    means: 'commands that read again in the next batch (engine 15)',
    worry: 'no need; many mean that copies of requests arrive together',
  },
  commands_lost_total: {
    means:
      'commands answered with 503 because the connection to the database was lost; a retry with the same key resolves each',
    worry: 'it grows while the database is up',
  },
  batch_commands: {
    means: 'commands in a committed batch',
    worry: 'the mean stays at 64: the engine is saturated',
  },
  batch_duration_seconds: { means: 'a batch from its load to its commit', worry: 'p99 above 0.25' },
  batch_reruns_total: {
    means:
      'batches decided again, by `reason`: `row_changed`, `deadlock`, `session_stale` (after a migration), `session_ended`, or a constraint',
    worry: 'more than a tenth of the batches: processes contend for one record',
  },
  batch_splits_total: {
    means: 'batches that were split in halves after a failure',
    worry: 'it grows: look for the alarm `command`',
  },
  webhook_attempts_total: {
    means: 'attempts, by `result`: `delivered`, `3xx`, `4xx`, `5xx`, `timeout`, `no_answer`',
    worry: '`delivered` stands still while others grow',
  },
  webhook_attempt_duration_seconds: {
    means: 'attempts, from the connection to the end of the answer',
    worry: 'p50 above 1: receivers are slow',
  },
  webhook_attempts_in_flight: { means: 'attempts under way', worry: 'at 512, its bound' },
  webhook_oldest_undelivered_seconds: {
    means: "age of the oldest event that is not delivered yet, on its tenant's clock",
    worry: 'above 3,600: a receiver is down; inform its Tenant, the attempts are in the portal',
  },
  webhook_overdue_seconds: {
    means: 'how late the most overdue attempt is',
    worry: 'above 60: no worker, or too few',
  },
  webhook_late_seconds: {
    means:
      'the same by `tenant` and `endpoint` (`first`, or the id of a further one): of the twenty where it is latest',
    worry: 'above 60 of one alone: its endpoint is slow; inform its Tenant',
  },
  webhook_delivery_seconds: {
    means:
      'events from their change to the 2xx of an endpoint, in real time; without those that somebody had sent again',
    worry: 'p99 above 60 while no receiver is down',
  },
  webhook_lag_seconds: {
    means:
      'the longest of these in the last five to ten minutes, by `tenant`, of the twenty where it was longest',
    worry: 'above 60 of one alone: its endpoint is slow; inform its Tenant',
  },
  jobs_due: {
    means: 'jobs that are due and were not run yet, by `name`; of the 5,000 that are due first',
    worry: 'it grows: no worker, or too few',
  },
  jobs_late_seconds: {
    means: 'how late the most overdue of them is, by `name`',
    worry: 'above 60: see the alarm `job` of that name',
  },
  jobs_oldest_seconds: {
    means: 'how late the most overdue job is',
    worry: 'above 60: no worker, or a job that fails',
  },
  jobs_run_total: {
    means: 'jobs that were run, failures included, by `name`',
    worry: 'it stands still while `jobs_oldest_seconds` grows',
  },
  jobs_failed_total: {
    means: 'jobs that failed and wait for another try, by `name`',
    worry: 'it grows: look for the alarms `job` and `unknown_job`',
  },
  payment_requests_day: {
    means:
      'requests for payment of the 24 hours before the last nightly verification, by `tenant` and `result` (`sent`, `paid`, `refused`, `opted_out`, `expired`): of the twenty with the most',
    worry: 'refused or opted out: the networks ask your bank',
  },
  ledger_violations: {
    means:
      'violations that the last nightly verification of this process found, over the Tenants that it verified',
    worry: 'above 0: look for the alarm `ledger`',
  },
  ledger_proof_age_seconds: {
    means:
      'since when the ledger was proven that was proven longest ago, of all Tenants; of one that never was, since its beginning',
    worry: 'above 90,000: the night has not proven it',
  },
  audit_proof_age_seconds: {
    means:
      'since when the chain of the audit was verified that was verified longest ago; of one that never was, since its first row',
    worry: 'above 90,000: the night has not verified it',
  },
  backup_age_seconds: {
    means:
      'since when a base backup was `made`, one was `tried`, and the log was `archived`, by `what`; of what never was, since the first Tenant',
    worry: '`made` above 8 days, `tried` above 100 days, `archived` above an hour',
  },
  alarms_open: {
    means: 'alarms that nobody has taken note of, by `alarm`',
    worry: 'above 0 for longer than a day',
  },
  key_age_seconds: {
    means: 'since when the newest key of a ring is used, by `ring`',
    worry: 'above a year, of `PIN_PEPPER` and `QR_SIGNING_KEY` above two: rotate it',
  },
  database_certificate_seconds: {
    means: "for how long the database's certificate is still good; absent without TLS",
    worry: 'below 1,814,400, 21 days',
  },
  audit_faults: {
    means: 'faults that the last nightly verification of the audit by this process found',
    worry: 'above 0: look for the alarm `audit`',
  },
  database_pool_connections: {
    means: 'connections for reads, jobs and the portal, by `state`: `in_use`, `idle`',
    worry: '`in_use` stays at 10',
  },
  database_pool_waiting: {
    means: 'queries that wait for one of these',
    worry: 'above 0 for longer than a moment',
  },
  build_info: {
    means: 'the `version` of this process, and of its `node`; always 1',
    worry: 'versions differ for longer than an upgrade takes',
  },
  processes_live: { means: 'processes seen within 10 s, by `role`', worry: 'not what you started' },
  log_lines_dropped_total: {
    means:
      'lines of the log that were dropped, since standard error took none and 4 MB of them waited',
    worry: 'above 0: see what reads the log, and its disk',
  },
  clock_skew_seconds: {
    means: "the lead of the machine's clock over the database's; below 0 it is behind",
    worry: 'above 1, or below -1: set the clocks by NTP',
  },
  faults_total: {
    means:
      'replies of 5xx, failed calls of the rails, failed jobs and reasons not to be ready, by `cause` (the list)',
    worry: 'it grows: the cause says where to look',
  },
  database_away_seconds: {
    means: 'since when this process finds its database away; 0: it is there',
    worry: 'above 0',
  },
  alarms_total: {
    means: 'alarms that this process has raised, by `alarm`',
    worry: 'it grows: see the alarms',
  },
  rails_calls_seconds: {
    means:
      'calls of the rails, by `method` and `result`: `ok`, `refused`, `provider_timeout`, `provider_threw`, `provider_busy`, `provider_paused`',
    worry: 'any result but `ok` and `refused`',
  },
  rails_calls_in_flight: {
    means:
      'calls of the rails that the module has not ended, by `method`, those past their deadline included',
    worry: 'it stays above 0 while nothing is asked',
  },
  bank_order_oldest_seconds: {
    means:
      "since when the oldest order waits that the bank has and has not answered, by `provider` and `purpose`, on its Tenant's clock; at most a minute old; without requests for payment",
    worry: 'above what your bank usually takes: ask it, and see whether its messages arrive',
  },
  bank_orders_unanswered: {
    means:
      'how many such orders wait, by `provider` and `purpose`; those of the 5,000 records that wait longest of each kind are counted',
    worry: 'it grows: the bank is slow, or its messages do not arrive',
  },
  tenant_bank_order_oldest_seconds: {
    means: 'the same age by `provider` and `tenant`, of the twenty Tenants where it is oldest',
    worry: 'of one Tenant alone: its account at the bank',
  },
  tenant_bank_orders_unanswered: {
    means: 'the same number, of the same twenty Tenants',
    worry: 'as above',
  },
  rail_messages_total: {
    means:
      'messages of providers, by `provider` and `state`: `taken`, `parked`, `refused`, `repeated`, `unverified`, `malformed`, `too_large`, `failed`',
    worry: '`failed`, `refused` or `unverified` rise',
  },
  rail_polls_total: {
    means: 'polls of providers, by `provider` and `result`: `ok`, `failed`',
    worry: '`ok` does not rise',
  },
};
