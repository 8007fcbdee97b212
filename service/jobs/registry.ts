import type { Command } from '@tenant-payments/engine/command.ts';
import type {
  JobInput,
  JobName,
  SandboxJobName,
  ServiceJobName,
} from '@tenant-payments/engine/job_names.ts';
import { accountRestrictedJob } from '../flows/cascade.ts';
import { requestsClosingJob } from '../flows/close_account.ts';
import { closingJob } from '../flows/closing.ts';
import { deadlineJobOf, sessionEndJob } from '../flows/end_session.ts';
import { noticeEffects } from '../flows/notice_effects.ts';
import { customerCheckJob, linkCheckJob, ownerCheckJob } from '../inbound/check_jobs.ts';
import { openInbound } from '../inbound/inbound.ts';
import { instructionJob } from '../inbound/instruction_job.ts';
import { orderCancelJob, orderQueryJob } from '../inbound/order_jobs.ts';
import { railMessageJob } from '../inbound/providers/job.ts';
import { resealJob } from '../keys/reseal.ts';
import { bankCan } from '../rails/bank.ts';
import type { Rails } from '../rails/rails.ts';
import { dormancyJob } from '../resources/accounts/dormancy.ts';
import { feeSweepJob } from '../resources/accounts/fee_sweep.ts';
import { documentPublicationJob } from '../resources/customers/documents/publication.ts';
import { erasureJob } from '../resources/customers/erasure/erasure.ts';
import { customerMessageJob } from '../resources/customers/messages/job.ts';
import { noticeEndJob } from '../resources/customers/notices/end.ts';
import type { NoticeTexts } from '../resources/customers/notices/port.ts';
import {
  creditJob,
  noticeJob,
  reserveJob,
  resultJob,
  wordsJob,
} from '../resources/disputes/deadline_jobs.ts';
import { followJob, reversalJob, triageJob } from '../resources/disputes/jobs.ts';
import { identityErasureJob } from '../resources/identity/erasure.ts';
import { identitiesOf, openIdentitySealer } from '../resources/identity/vault.ts';
import { linkConsentJob } from '../resources/linked_accounts/consent.ts';
import { withdrawalHoldJob } from '../resources/linked_accounts/moves.ts';
import { linkNumbersJob } from '../resources/linked_accounts/numbers.ts';
import { requestOptOutJob } from '../resources/linked_accounts/opt_out.ts';
import { linkRefreshJob } from '../resources/linked_accounts/refresh.ts';
import { loadTimeoutJob } from '../resources/loads/moves.ts';
import { requestExpiryJob } from '../resources/payment_requests/moves.ts';
import { paymentTimeoutJob } from '../resources/payments/by_bank.ts';
import { requestEndedJob } from '../resources/payments/cascade.ts';
import { reconciliationJob } from '../resources/reconciliation/make.ts';
import { refundQueueJob, refundWaitJob } from '../resources/refunds/queue.ts';
import { returnAnswerJob, returnDueJob } from '../resources/return_requests/jobs.ts';
import { statementsJob } from '../resources/statements/monthly.ts';
import { accountStatementJob } from '../resources/statements/single.ts';
import { termChangeJob, termNoticeJob } from '../resources/terms/jobs.ts';
import type { Service } from '../service.ts';
import { redactionJob } from './redaction.ts';

/** The work of a job: a command on the record that the row names, by uuid. */
export type Job = Command<JobInput>;

/** Commands by the name of their job. A row whose name is missing here raises an alarm. */
export type Jobs = Readonly<Partial<Record<JobName, Job>>>;

/** Jobs whose commands need nothing but the engine. */
export const staticJobs = {
  session_end: sessionEndJob,
  payment_deadline: deadlineJobOf('payment'),
  load_deadline: deadlineJobOf('load'),
  withdrawal_deadline: deadlineJobOf('withdrawal'),
  refund_deadline: deadlineJobOf('refund'),
  refund_queue: refundQueueJob,
  refund_wait: refundWaitJob,
  load_timeout: loadTimeoutJob,
  payment_timeout: paymentTimeoutJob,
  payment_request_expiry: requestExpiryJob,
  requests_closing: requestsClosingJob,
  payment_request_ended: requestEndedJob,
  account_restricted: accountRestrictedJob,
  withdrawal_hold: withdrawalHoldJob,
  request_opt_out: requestOptOutJob,
  dispute_triage: triageJob,
  dispute_follow: followJob,
  dispute_reversal: reversalJob,
} as const satisfies Jobs;

type Context = Pick<Service, 'db' | 'vault' | 'log' | 'clocks' | 'pool' | 'config' | 'engine'> &
  Parameters<typeof statementsJob>[0];

/**
 * Every job of this deployment by name: those of the service, whose list the compiler holds complete,
 * and those that its rails bring.
 * @param texts of notices, which are worded by the planes above
 */
export function jobsOf(
  context: Context,
  { identity, aggregator, bank, messages, ...more }: Rails,
  texts: NoticeTexts = {},
): Jobs {
  const { db, vault, log, clocks, config, engine, pool } = context;
  const ordering = {
    db,
    vault,
    engine,
    pool,
    clocks,
    log,
    bank,
    identities: identitiesOf(context),
    inbound: openInbound({ engine, log, asks: bankCan(bank, 'query') }),
  };
  const checking = { db, vault, identity, aggregator };
  const watching = { db, log, config };
  return {
    ...staticJobs,
    dormancy: dormancyJob({ db }),
    fees_sweep: feeSweepJob({ db }),
    document_publication: documentPublicationJob({ db }),
    publication_spread: documentPublicationJob({ db }),
    term_notice: termNoticeJob({ db }),
    term_change: termChangeJob({ db }),
    erasure: erasureJob({ db }),
    account_closing: closingJob({ vault }),
    customer_message: customerMessageJob({ ...context, messages, texts, effects: noticeEffects }),
    notice_end: noticeEndJob,
    identity_erasure: identityErasureJob({ db, clocks }),
    reseal: resealJob({ db, vault, identity: openIdentitySealer(config) }),
    event_redaction: redactionJob({ db, clocks }),
    dispute_credit: creditJob(watching),
    dispute_result: resultJob(watching),
    dispute_credit_notice: noticeJob(watching, 'dispute_credit_notice'),
    dispute_correction: noticeJob(watching, 'dispute_correction'),
    dispute_result_notice: noticeJob(watching, 'dispute_result_notice'),
    dispute_words: wordsJob(watching),
    dispute_reserve: reserveJob(watching),
    instruction: instructionJob({ ...ordering, aggregator }),
    order_hand_over: instructionJob({ ...ordering, aggregator }, 'order_hand_over'),
    order_cancel: orderCancelJob(ordering),
    order_query: orderQueryJob(ordering),
    rail_message: railMessageJob({ db, vault, clocks, log, inbound: ordering.inbound }),
    return_request_due: returnDueJob(watching),
    return_answer: returnAnswerJob({ db, log, bank }),
    customer_check: customerCheckJob(checking),
    owner_check: ownerCheckJob(checking),
    link_check: linkCheckJob(checking),
    link_consent: linkConsentJob(checking),
    link_numbers: linkNumbersJob(checking),
    link_refresh: linkRefreshJob(checking),
    reconciliation: reconciliationJob(context),
    statements: statementsJob(context),
    account_statement: accountStatementJob(context),
    ...more.jobs,
  } satisfies Record<Exclude<ServiceJobName, SandboxJobName>, Job>;
}
