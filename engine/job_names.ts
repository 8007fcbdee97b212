/** A job: the record that its `ref` names, and what it does to it. */
interface JobFacts {
  readonly ref: string;
  readonly does: string;
}

/** Every job of the service by name, under the folder of `service/` that schedules it. */
export const serviceJobs = {
  'resources/sessions': {
    session_end: { ref: 'session', does: 'ends a session whose time is over' },
  },
  'resources/payment_requests': {
    payment_request_expiry: { ref: 'payment_request', does: 'expires an open request' },
    payment_request_ended: {
      ref: 'payment_request',
      does: 'ends the other open payments of a paid or canceled request',
    },
  },
  'resources/payments': {
    payment_timeout: { ref: 'payment', does: 'fails a bank payment without an answer' },
  },
  'resources/loads': {
    load_timeout: { ref: 'load', does: 'fails a load without an answer of the bank' },
  },
  'resources/refunds': {
    refund_queue: { ref: 'account', does: 'pays refunds that wait for funds, first in first out' },
    refund_wait: { ref: 'refund', does: 'fails a refund that waited 30 days for funds' },
  },
  'resources/return_requests': {
    return_request_due: {
      ref: 'return_request',
      does: 'raises an alarm for a request to give money back that nobody has answered',
    },
    return_answer: { ref: 'return_request', does: 'tells the bank the answer to such a request' },
  },
  'resources/linked_accounts': {
    withdrawal_hold: { ref: 'linked_account', does: 'ends the hold on withdrawals' },
    request_opt_out: {
      ref: 'linked_account',
      does: 'ends requests to a bank account whose customer wants none',
    },
    link_check: { ref: 'linked_account', does: 'requests the check of a bank account' },
    link_consent: {
      ref: 'linked_account',
      does: 'ends the consent of a bank account to which nothing can be paid any more',
    },
    link_refresh: {
      ref: 'linked_account',
      does: 'asks what the bank of an account offers by now',
    },
    link_numbers: {
      ref: 'linked_account',
      does: 'asks for the numbers of a bank account, which orders name',
    },
  },
  'resources/accounts': {
    dormancy: { ref: 'account', does: 'marks an account dormant after a year without activity' },
    account_restricted: {
      ref: 'account',
      does: 'ends what waits for the customer of a suspended or closing account',
    },
    account_closing: { ref: 'account', does: 'closes an account when nothing more holds it open' },
  },
  'resources/customers': {
    customer_check: { ref: 'customer', does: 'requests the identity check of a customer' },
    owner_check: { ref: 'owner', does: 'requests the identity check of an owner' },
    document_publication: {
      ref: 'document_publication',
      does: 'asks customers who accepted an earlier version to accept one that 1.0 has published',
    },
    publication_spread: {
      ref: 'document_publication',
      does: 'asks customers who accepted an earlier version to accept the new one, and tells consumers',
    },
    customer_message: { ref: 'customer_message', does: 'hands a message to its provider' },
    notice_end: { ref: 'notice', does: 'empties a notice that was kept for two years' },
    erasure: { ref: 'customer', does: 'erases the personal data that remains of a customer' },
  },
  'resources/terms': {
    term_notice: { ref: 'term_change', does: 'tells consumers of terms that get worse' },
    term_change: { ref: 'term_change', does: 'puts such terms in force on their day' },
  },
  'resources/identity': {
    identity_erasure: {
      ref: 'tenant',
      does: 'empties the vault of customers five years after their account closed',
    },
  },
  'resources/statements': {
    account_statement: { ref: 'account', does: 'makes the last statement of a closed account' },
  },
  'resources/disputes': {
    dispute_triage: { ref: 'dispute', does: 'begins the investigation on the next business day' },
    dispute_follow: { ref: 'dispute', does: 'resolves a dispute that refunds have settled' },
    dispute_credit: { ref: 'dispute', does: 'gives the provisional credit on its deadline day' },
    dispute_words: { ref: 'dispute', does: 'raises an alarm for words that contradict the type' },
    dispute_reserve: { ref: 'dispute', does: 'raises an alarm for a reserve below zero' },
    dispute_result: { ref: 'dispute', does: 'raises an alarm for an investigation past its term' },
    dispute_credit_notice: { ref: 'dispute', does: 'raises an alarm for a late notice of credit' },
    dispute_correction: { ref: 'dispute', does: 'raises an alarm for a late correction' },
    dispute_result_notice: { ref: 'dispute', does: 'raises an alarm for a late notice of result' },
    dispute_reversal: { ref: 'dispute', does: 'takes the provisional credit back after a denial' },
  },
  flows: {
    payment_deadline: { ref: 'payment', does: 'ends an unconfirmed payment without a session' },
    load_deadline: { ref: 'load', does: 'ends an unconfirmed load without a session' },
    withdrawal_deadline: { ref: 'withdrawal', does: 'ends an unconfirmed one without a session' },
    refund_deadline: { ref: 'refund', does: 'ends an unconfirmed refund without a session' },
    requests_closing: { ref: 'account', does: 'cancels the open requests of a closing merchant' },
  },
  rails: {
    instruction: { ref: 'instruction', does: 'hands an order to the bank' },
    order_hand_over: {
      ref: 'instruction',
      does: 'hands an order to the bank that the release before must leave alone, such as an unclear one',
    },
    rail_message: { ref: 'rail_message', does: "acts on a provider's message that was kept" },
    order_cancel: {
      ref: 'instruction',
      does: 'asks the bank to cancel an order whose record has ended',
    },
    order_query: { ref: 'instruction', does: 'asks the bank how an order stands' },
  },
  /** Jobs of a Tenant as a whole, each day or month; each run schedules the next. */
  jobs: {
    fees_sweep: { ref: 'tenant', does: 'moves the collected fees to the operating accounts' },
    reconciliation: { ref: 'tenant', does: 'makes the reconciliation report of the day before' },
    statements: { ref: 'tenant', does: 'makes the statements of the month before' },
    reseal: { ref: 'tenant', does: 'seals anew what older keys have sealed' },
    event_redaction: { ref: 'tenant', does: 'removes the texts of events after 400 days' },
  },
  /** Run by the sandbox's rails alone. */
  sandbox: {
    reserve_top_up: { ref: 'tenant', does: 'brings the reserve back to $10,000' },
    sandbox_bank_answer: { ref: 'instruction', does: 'answers an order in automatic mode' },
    sandbox_link_answer: { ref: 'linked_account', does: 'answers a check in automatic mode' },
    sandbox_customer_answer: { ref: 'customer', does: 'answers a check in automatic mode' },
    sandbox_owner_answer: { ref: 'owner', does: 'answers a check in automatic mode' },
  },
} as const satisfies Record<string, Record<string, JobFacts>>;

type NamesOf<Jobs> = Jobs extends unknown ? keyof Jobs & string : never;
export type SandboxJobName = keyof typeof serviceJobs.sandbox;
export type ServiceJobName = NamesOf<(typeof serviceJobs)[keyof typeof serviceJobs]>;

/** Jobs that rails bring: the sandbox's, or those of a production module. */
export type RailsJobName = SandboxJobName | `rails.${string}`;

/** The jobs that may be scheduled. Names that begin with `test.` are for tests. */
export type JobName = ServiceJobName | RailsJobName | `test.${string}`;

/** The input of a job. */
export interface JobInput {
  /** The record that its row names, by uuid. */
  readonly ref: string;
  /** Whether it was claimed before, and its process did not say how that ended. */
  readonly isAgain?: boolean;
}
