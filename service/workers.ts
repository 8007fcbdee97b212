import { openDownloadLinks } from './http/download_links.ts';
import { type Advance, openAdvance } from './jobs/advance.ts';
import { blankingDuty } from './jobs/blanking.ts';
import { type DueLoop, openDueLoop } from './jobs/due.ts';
import { type Duties, duties, duty } from './jobs/duties.ts';
import { openNightly } from './jobs/nightly.ts';
import { openSweep } from './jobs/sweep.ts';
import { customerCheckDuty, linkCheckDuty, ownerCheckDuty } from './rails/checks.ts';
import { instructionDuty } from './rails/instructions.ts';
import type { Rails } from './rails/rails.ts';
import { dormancyDuty } from './resources/accounts/dormancy.ts';
import { feeSweepDuty } from './resources/accounts/fee_sweep.ts';
import { erasureDuty } from './resources/customers/erasure.ts';
import { documentPublicationDuty } from './resources/customers/publication.ts';
import { creditDuty, noticeDuty, reserveDuty, resultDuty } from './resources/disputes/watch.ts';
import { reconciliationDuty } from './resources/reconciliation/make.ts';
import { statementsDuty } from './resources/statements/monthly.ts';
import { accountStatementDuty } from './resources/statements/single.ts';
import type { Service } from './service.ts';
import { type Dispatcher, openDispatcher } from './webhooks/deliver.ts';

/** What runs beside requests: due rows, and the delivery of events. */
export interface Workers {
  readonly due: DueLoop;
  readonly dispatcher: Dispatcher;
  readonly advance: Advance;
  /** Begins to look for work: the role `worker` of this process. */
  start(): void;
  /** Takes up nothing new, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** What a tenant's books are read for when a day or a month is over. */
function reportDuties(service: Service): Duties {
  const needs = { ...service, links: openDownloadLinks(service) };
  return {
    reconciliation: duty(reconciliationDuty(needs)),
    statements: duty(statementsDuty(needs)),
    account_statement: duty(accountStatementDuty(needs)),
  };
}

/** All that can fall due. What is asked of the outside, and what reads before it decides, is composed. */
function dutiesOf(
  { db, vault, log, clocks }: Service,
  { identity, aggregator, bank, ...more }: Rails,
): Duties {
  const asking = { db, vault, identity, aggregator };
  const watching = { db, log };
  return {
    ...duties,
    dormancy: duty(dormancyDuty({ db })),
    fees_sweep: duty(feeSweepDuty({ db })),
    document_publication: duty(documentPublicationDuty({ db })),
    erasure: duty(erasureDuty({ db })),
    event_blanking: duty(blankingDuty({ db, clocks })),
    dispute_credit: duty(creditDuty(watching)),
    dispute_result: duty(resultDuty(watching)),
    dispute_credit_notice: duty(noticeDuty(watching, 'dispute_credit_notice')),
    dispute_correction: duty(noticeDuty(watching, 'dispute_correction')),
    dispute_result_notice: duty(noticeDuty(watching, 'dispute_result_notice')),
    dispute_reserve: duty(reserveDuty(watching)),
    instruction: duty(instructionDuty({ db, vault, bank })),
    customer_check: duty(customerCheckDuty(asking)),
    owner_check: duty(ownerCheckDuty(asking)),
    link_check: duty(linkCheckDuty(asking)),
    ...more.duties,
  };
}

/** Composes the workers. They sleep until `start`, except for what a request asks of them. */
export function buildWorkers(service: Service, rails: Rails): Workers {
  const due = openDueLoop(service, { ...dutiesOf(service, rails), ...reportDuties(service) });
  const dispatcher = openDispatcher(service);
  const advance = openAdvance(service, { due, dispatcher });
  const sweep = openSweep(service);
  const nightly = openNightly(service);
  return {
    due,
    dispatcher,
    advance,
    start() {
      due.start();
      dispatcher.start();
      advance.start();
      sweep.start();
      nightly.start();
    },
    async stop() {
      // An advance runs both, so it goes first.
      await advance.stop();
      await Promise.all([due.stop(), dispatcher.drain(), sweep.stop(), nightly.stop()]);
    },
  };
}
