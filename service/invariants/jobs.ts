import type { JobName } from '@tenant-payments/engine/job_names.ts';
import type { Check } from './check.ts';

/** A job that must exist while `when` is true for a record, due at `at` if that is known. */
interface ExpectedJob {
  readonly name: string;
  /** The job, as the table `jobs` names it. */
  readonly job: JobName;
  readonly table: string;
  readonly kind: string;
  readonly when: string;
  readonly at?: string;
  /** Other records may have it too. */
  readonly isElsewhere?: true;
}

interface DisputeJob extends Pick<ExpectedJob, 'job' | 'when'> {
  readonly word: string;
  readonly at: string | null;
}

/** Jobs of disputes, by the column with their deadline (rules/disputes#28). */
const disputeJobs: readonly DisputeJob[] = [
  {
    word: 'triage',
    job: 'dispute_triage',
    when: `status = 'received' and (reasserted_of is null or reopened_at is not null)`,
    at: null,
  },
  {
    word: 'credit',
    job: 'dispute_credit',
    when: 'credit_due_at is not null',
    // While the amount is unknown, the job calls a reviewer each business day.
    at: 'case when disputed_cents > 0 and account_id is not null then credit_due_at end',
  },
  { word: 'result', job: 'dispute_result', when: 'result_due_at is not null', at: null },
  ...(['credit_notice', 'correction', 'result_notice', 'reversal'] as const).map((word) => ({
    word,
    job: `dispute_${word}` as const,
    when: `${word}_due_at is not null`,
    at: `${word}_due_at`,
  })),
];

const jobs: readonly ExpectedJob[] = [
  {
    name: '9.end_due',
    job: 'session_end',
    table: 'sessions',
    kind: 'session',
    when: `status = 'created'`,
    at: 'ends_at',
  },
  {
    name: '8.expiry_due',
    job: 'payment_request_expiry',
    table: 'payment_requests',
    kind: 'payment_request',
    when: `status = 'open' and expires_at is not null`,
    at: 'expires_at',
  },
  {
    name: '9.timeout_due',
    job: 'load_timeout',
    table: 'loads',
    kind: 'load',
    when: `status = 'processing'`,
  },
  {
    name: '9.payment_timeout_due',
    job: 'payment_timeout',
    table: 'payments',
    kind: 'payment',
    when: `status = 'processing'`,
  },
  {
    name: '9.refund_wait_due',
    job: 'refund_wait',
    table: 'refunds',
    kind: 'refund',
    when: `status = 'pending_funds'`,
  },
  {
    name: '10.dormancy_due',
    job: 'dormancy',
    table: 'accounts',
    kind: 'account',
    when: `status in ('active', 'suspended')`,
  },
  {
    name: '9.hold_due',
    job: 'withdrawal_hold',
    table: 'linked_accounts',
    kind: 'linked_account',
    when: `status = 'verified' and withdrawal_hold_until is not null`,
    at: 'withdrawal_hold_until',
  },
  {
    name: '9.consent_due',
    job: 'link_consent',
    table: 'linked_accounts',
    kind: 'linked_account',
    when: `status in ('failed', 'removed') and numbers_sealed is not null`,
    isElsewhere: true,
  },
  {
    name: 'people.publication_due',
    job: 'document_publication',
    table: 'document_publications',
    kind: 'document_publication',
    when: `spread_at is null and effective_at is null`,
  },
  {
    name: 'people.spread_due',
    job: 'publication_spread',
    table: 'document_publications',
    kind: 'document_publication',
    when: `spread_at is null and effective_at is not null`,
  },
  {
    name: 'people.terms_due',
    job: 'term_change',
    table: 'term_changes',
    kind: 'term_change',
    when: `ended_at is null`,
    at: 'effective_at',
  },
  {
    name: 'people.terms_notice_due',
    job: 'term_notice',
    table: 'term_changes',
    kind: 'term_change',
    when: `told_at is null`,
  },
  {
    name: 'people.message_due',
    job: 'customer_message',
    table: 'customer_messages',
    kind: 'customer_message',
    when: `status = 'waiting'`,
  },
  {
    name: 'people.notice_end_due',
    job: 'notice_end',
    table: 'notices',
    kind: 'notice',
    when: `kept_until is not null`,
  },
  ...disputeJobs.map(({ word, job, when, at }) => ({
    name: `12.${word}_due`,
    job,
    table: 'disputes',
    kind: 'dispute',
    when,
    ...(at ? { at } : {}),
  })),
  {
    name: '9.rail_message_due',
    job: 'rail_message',
    table: 'rail_messages',
    kind: 'rail_message',
    when: `state = 'received'`,
  },
  {
    name: '9.return_request_due',
    job: 'return_request_due',
    table: 'return_requests',
    kind: 'return_request',
    when: `status = 'open'`,
  },
  {
    name: '9.return_answer_due',
    job: 'return_answer',
    table: 'return_requests',
    kind: 'return_request',
    when: `told = 'waiting'`,
  },
  {
    name: '9.instruction_due',
    job: 'instruction',
    table: 'instructions',
    kind: 'instruction',
    when: `status = 'waiting' and purpose is distinct from 'dispute_credit'`,
  },
  {
    name: '9.hand_over_due',
    job: 'order_hand_over',
    table: 'instructions',
    kind: 'instruction',
    when: `status = 'unclear' or status = 'waiting' and purpose = 'dispute_credit'`,
  },
  {
    name: '9.cancel_due',
    job: 'order_cancel',
    table: 'instructions',
    kind: 'instruction',
    when: `status = 'closing' and cancel = 'wanted'`,
  },
  {
    name: '9.query_due',
    job: 'order_query',
    table: 'instructions',
    kind: 'instruction',
    when: `asked_at is not null`,
  },
];

/**
 * A record that waits has its job, and no other record has one: without its job a record would wait
 * for ever (rules/records#20).
 */
export const jobsChecks: readonly Check[] = jobs.map((expected) => {
  const { name, job, table, kind, when, at, isElsewhere = false } = expected;
  return {
    name,
    clause: `${job} is due for ${table} where ${when}${at ? `, at ${at}` : ''}${isElsewhere ? '' : ', and for no other'}`,
    sql: `select tenant_id, '${kind}' as kind, id, case when waiting is null then '${job} is due for nothing'
      else format('${job} due %s', coalesce(d.due_at::text, 'never')) end as message
    from (select tenant_id, id, ${at ?? 'null::timestamptz'} as due_at, true as waiting
      from ${table} where ${when}) r
    full join (select tenant_id, ref as id, due_at from jobs where name = '${job}') d
      using (tenant_id, id)
    where ${isElsewhere ? '' : 'waiting is null or '}d.due_at is null or d.due_at <> r.due_at`,
  };
});
