import { openDownloadLinks } from './http/download_links.ts';
import { customerCheckJob, linkCheckJob, ownerCheckJob } from './inbound/check_jobs.ts';
import { instructionJob } from './inbound/instruction_job.ts';
import { type Advance, openAdvance } from './jobs/advance.ts';
import { type JobLoop, openJobLoop } from './jobs/job_loop.ts';
import { openNightly } from './jobs/nightly.ts';
import { redactionJob } from './jobs/redaction.ts';
import { type Jobs, job, staticJobs } from './jobs/registry.ts';
import { openSweep } from './jobs/sweep.ts';
import type { Rails } from './rails/rails.ts';
import { dormancyJob } from './resources/accounts/dormancy.ts';
import { feeSweepJob } from './resources/accounts/fee_sweep.ts';
import { documentPublicationJob } from './resources/customers/documents/publication.ts';
import { erasureJob } from './resources/customers/erasure/erasure.ts';
import { creditJob, noticeJob, reserveJob, resultJob } from './resources/disputes/watch.ts';
import { reconciliationJob } from './resources/reconciliation/make.ts';
import { statementsJob } from './resources/statements/monthly.ts';
import { accountStatementJob } from './resources/statements/single.ts';
import type { Service } from './service.ts';
import { type Dispatcher, openDispatcher } from './webhooks/deliver.ts';

/** What runs beside requests: jobs, and the delivery of events. */
export interface Workers {
  readonly jobs: JobLoop;
  readonly dispatcher: Dispatcher;
  readonly advance: Advance;
  /** Begins to look for work: the role `worker` of this process. */
  start(): void;
  /** Takes up nothing new, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** What a tenant's books are read for when a day or a month is over. */
function reportJobs(service: Service): Jobs {
  const needs = { ...service, links: openDownloadLinks(service) };
  return {
    reconciliation: job(reconciliationJob(needs)),
    statements: job(statementsJob(needs)),
    account_statement: job(accountStatementJob(needs)),
  };
}

/** All that can fall due. What is asked of the outside, and what reads before it decides, is composed. */
function jobsOf(
  { db, vault, log, clocks }: Service,
  { identity, aggregator, bank, ...more }: Rails,
): Jobs {
  const asking = { db, vault, identity, aggregator };
  const watching = { db, log };
  return {
    ...staticJobs,
    dormancy: job(dormancyJob({ db })),
    fees_sweep: job(feeSweepJob({ db })),
    document_publication: job(documentPublicationJob({ db })),
    erasure: job(erasureJob({ db })),
    event_redaction: job(redactionJob({ db, clocks })),
    dispute_credit: job(creditJob(watching)),
    dispute_result: job(resultJob(watching)),
    dispute_credit_notice: job(noticeJob(watching, 'dispute_credit_notice')),
    dispute_correction: job(noticeJob(watching, 'dispute_correction')),
    dispute_result_notice: job(noticeJob(watching, 'dispute_result_notice')),
    dispute_reserve: job(reserveJob(watching)),
    instruction: job(instructionJob({ db, vault, bank })),
    customer_check: job(customerCheckJob(asking)),
    owner_check: job(ownerCheckJob(asking)),
    link_check: job(linkCheckJob(asking)),
    ...more.jobs,
  };
}

/** Composes the workers. They sleep until `start`, except for what a request asks of them. */
export function buildWorkers(service: Service, rails: Rails): Workers {
  const jobs = openJobLoop(service, { ...jobsOf(service, rails), ...reportJobs(service) });
  const dispatcher = openDispatcher(service);
  const advance = openAdvance(service, { jobs, dispatcher });
  const sweep = openSweep(service);
  const nightly = openNightly(service);
  return {
    jobs,
    dispatcher,
    advance,
    start() {
      jobs.start();
      dispatcher.start();
      advance.start();
      sweep.start();
      nightly.start();
    },
    async stop() {
      // An advance runs both, so it goes first.
      await advance.stop();
      await Promise.all([jobs.stop(), dispatcher.drain(), sweep.stop(), nightly.stop()]);
    },
  };
}
