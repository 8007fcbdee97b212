// Made from contract/ by `npm run emit`. Do not edit.

import type {
  Call,
  ListCall,
} from '../pages.ts';
import type { WebhookEvent } from '../events.ts';
import type { RequestOptions, WriteOptions } from '../request.ts';
import type { SimulateName } from './names.ts';
import type {
  AccountListParams,
  AccountListStatementsParams,
  AccountListTransactionsParams,
  CustomerCloseParams,
  CustomerCreateParams,
  CustomerListParams,
  DisputeCreateParams,
  DisputeListParams,
  LinkTokenCreateParams,
  LinkedAccountCreateParams,
  LoadCreateParams,
  PaymentCreateParams,
  PaymentRequestCreateParams,
  RefundCreateParams,
  ReportGetReconciliationParams,
  SandboxSimulateParams,
  SessionCreateParams,
  SessionExchangeParams,
  WebhookEventListParams,
  WebhookEventRecoverParams,
  WithdrawalCreateParams,
} from './params.ts';
import type {
  Account,
  Balance,
  Customer,
  Dispute,
  DocumentAcceptance,
  LinkToken,
  LinkedAccount,
  Load,
  Owner,
  Payment,
  PaymentRequest,
  ReconciliationReport,
  Recovery,
  Refund,
  Session,
  SessionOutcome,
  SimulationResult,
  Statement,
  Transaction,
  Withdrawal,
} from './records.ts';

/** The methods of a client, each an operation of the Tenant API. */
export interface Resources {
  readonly customers: {
    /**
     * Register a customer and start onboarding. The reply holds `onboarding_session`, whose
     * single-use token opens the hosted onboarding in the SDK. No other reply shows that token.
     * The customer can correct prefilled data there. `customer.approved` follows when the identity
     * provider has approved the customer and, for a business, its owners; then `account_id` is
     * set.
     * 
     * `POST /v1/customers`
     */
    create(body: CustomerCreateParams, options?: WriteOptions): Call<Customer>;
    /**
     * Find a customer by the Tenant's reference. One item, or none. Use it to find a customer
     * whose id you lost, or to see whether a creation without a reply took place.
     * 
     * `GET /v1/customers`
     */
    list(query: CustomerListParams, options?: RequestOptions): ListCall<Customer>;
    /**
     * Get a customer. The customer as it is now; `onboarding_session` is always null here.
     * 
     * `GET /v1/customers/:id`
     */
    get(id: string, options?: RequestOptions): Call<Customer>;
    /**
     * List the owners of a business customer. The owners that a business named in its onboarding.
     * An individual has none: `invalid_state`.
     * 
     * `GET /v1/customers/:id/owners`
     */
    listOwners(id: string, options?: RequestOptions): ListCall<Owner>;
    /**
     * List the documents accepted or to be accepted. What the customer has accepted or is to
     * accept. A row that a newer version superseded is no longer listed; its event
     * `document_acceptance.superseded` says so. `pending_acceptance` is a new version that waits
     * in the terms_acceptance flow; after 30 days it restricts the account.
     * 
     * `GET /v1/customers/:id/documents`
     */
    listDocuments(id: string, options?: RequestOptions): ListCall<DocumentAcceptance>;
    /**
     * Close the customer's Digital Account, or withdraw its application. The account is `closing`:
     * open confirmations end, movements in progress finish, then the balance is paid out to the
     * linked bank account, and `account.closed` follows. Money is not sent to a bank account
     * before its `withdrawal_hold_until`. A customer who was never approved (`created`, `pending`,
     * `rejected`) withdraws the application: its verification is `rejected` for good. Both are
     * final, and free the mobile number; `external_ref` stays taken. In review, closing or closed:
     * `invalid_state`.
     * 
     * `POST /v1/customers/:id/close`
     */
    close(id: string, body: CustomerCloseParams, options?: WriteOptions): Call<Customer>;
  };
  readonly sessions: {
    /**
     * Start a hosted flow, or replace an expired one. Starts pin_reset, contact_change or
     * terms_acceptance, or replaces an onboarding or payment_confirm session that ended. `target`
     * is required for payment_confirm. A session that is open for the same target, or the same
     * customer and flow, is canceled. Only this reply shows the token.
     * 
     * `POST /v1/sessions`
     */
    create(body: SessionCreateParams, options?: WriteOptions): Call<Session>;
    /**
     * Exchange the SDK's result token for the outcome, once. Call it from the Tenant's server,
     * once. It says how the customer left the flow; the webhook of the record stays the source of
     * truth.
     * 
     * `POST /v1/sessions/exchange`
     */
    exchange(body: SessionExchangeParams, options?: WriteOptions): Call<SessionOutcome>;
  };
  readonly linkTokens: {
    /**
     * Get a token that opens the aggregator's linking widget. Open the aggregator's widget with
     * it. The customer chooses a bank account in it; the widget returns the `public_token` for the
     * next operation.
     * 
     * `POST /v1/customers/:id/link-tokens`
     */
    create(customerId: string, body: LinkTokenCreateParams, options?: WriteOptions): Call<LinkToken>;
  };
  readonly linkedAccounts: {
    /**
     * Link a bank account; its checks run afterwards. The link is `pending`, all its capabilities
     * false. Ownership, account type, RTP and Request for Payment are checked afterwards;
     * `linked_account.verified` or `linked_account.failed` follows. A customer has one active
     * link: remove the old one first.
     * 
     * `POST /v1/customers/:id/linked-accounts`
     */
    create(customerId: string, body: LinkedAccountCreateParams, options?: WriteOptions): Call<LinkedAccount>;
    /**
     * List linked accounts, removed ones too, newest first. At most one of them is active:
     * `pending`, `held_for_review` or `verified`. The list has one page.
     * 
     * `GET /v1/customers/:id/linked-accounts`
     */
    list(customerId: string, options?: RequestOptions): ListCall<LinkedAccount>;
    /**
     * Remove a linked account. Withdrawals to it continue. A load or payment by bank that is
     * confirmed afterwards fails. A link that is `pending` or `removed` cannot be removed.
     * 
     * `DELETE /v1/customers/:id/linked-accounts/:linked_account_id`
     */
    remove(customerId: string, linkedAccountId: string, options?: WriteOptions): Call<LinkedAccount>;
  };
  readonly accounts: {
    /**
     * List the customer's Digital Account. The account of one customer; empty while the customer
     * is not approved.
     * 
     * `GET /v1/accounts`
     */
    list(query: AccountListParams, options?: RequestOptions): ListCall<Account>;
    /**
     * Get the balance of an account. `available` can be paid or withdrawn: `ledger` minus
     * `earmarked` and `pending_outgoing`. A change of a balance has no event; the record that
     * causes it has one.
     * 
     * `GET /v1/accounts/:id/balance`
     */
    getBalance(id: string, options?: RequestOptions): Call<Balance>;
    /**
     * List the transactions of an account, newest first. The movements of this account. A payment
     * appears when it has completed; a withdrawal is `pending` while the bank processes it, then
     * `posted` or `reversed`.
     * 
     * `GET /v1/accounts/:id/transactions`
     */
    listTransactions(id: string, query?: AccountListTransactionsParams, options?: RequestOptions): ListCall<Transaction>;
    /**
     * List the statements of an account, newest first. One for each month in Eastern Time, also
     * without movements, on the 1st from 06:00. `download_url` opens a PDF for 15 minutes; list
     * again for a new one.
     * 
     * `GET /v1/accounts/:id/statements`
     */
    listStatements(id: string, query?: AccountListStatementsParams, options?: RequestOptions): ListCall<Statement>;
  };
  readonly loads: {
    /**
     * Load a Digital Account from the linked bank account. The reply holds `confirmation_session`.
     * Once the customer confirms, a Request for Payment goes to the linked bank account, and
     * `load.settled` or `load.failed` follows. No money moves before that.
     * 
     * `POST /v1/loads`
     */
    create(body: LoadCreateParams, options?: WriteOptions): Call<Load>;
    /**
     * Get a load. The load as it is now; `confirmation_session` is always null here.
     * 
     * `GET /v1/loads/:id`
     */
    get(id: string, options?: RequestOptions): Call<Load>;
  };
  readonly paymentRequests: {
    /**
     * Ask for a payment by QR code or link. Show `qr_payload` as a QR code or behind a link; the
     * app of the payer sends it with the payment. A dynamic request has an `amount` and is paid
     * once; a static one names a `collection_point` and stays open until it is canceled.
     * 
     * `POST /v1/payment-requests`
     */
    create(body: PaymentRequestCreateParams, options?: WriteOptions): Call<PaymentRequest>;
    /**
     * Get a payment request. The request as it is now.
     * 
     * `GET /v1/payment-requests/:id`
     */
    get(id: string, options?: RequestOptions): Call<PaymentRequest>;
    /**
     * Cancel an open payment request. Only while it is open, and not while a payment by bank of it
     * is in progress. Its payments that wait for confirmation are canceled too.
     * 
     * `POST /v1/payment-requests/:id/cancel`
     */
    cancel(id: string, options?: WriteOptions): Call<PaymentRequest>;
  };
  readonly payments: {
    /**
     * Create a payment that the payer then confirms. Name the merchant by `payee_customer_id` or
     * by `qr_payload`. The reply holds `confirmation_session` for the payer. Paid from the
     * balance, the money is held now and `payment.completed` follows the confirmation; paid by
     * bank (`source: bank_account`), the bank gets a Request for Payment after the payer has
     * confirmed. Fees are fixed at creation.
     * 
     * `POST /v1/payments`
     */
    create(body: PaymentCreateParams, options?: WriteOptions): Call<Payment>;
    /**
     * Get a payment. The payment as it is now; `confirmation_session` is always null here.
     * 
     * `GET /v1/payments/:id`
     */
    get(id: string, options?: RequestOptions): Call<Payment>;
    /**
     * Cancel a payment that is not yet confirmed. Only while it waits for its confirmation. The
     * held money is available again.
     * 
     * `POST /v1/payments/:id/cancel`
     */
    cancel(id: string, options?: WriteOptions): Call<Payment>;
  };
  readonly withdrawals: {
    /**
     * Withdraw to the customer's own linked bank account. The amount is held now. Once the
     * customer confirms, it goes to the customer's own linked account, and `withdrawal.settled` or
     * `withdrawal.failed` follows; a failed withdrawal releases the money.
     * 
     * `POST /v1/withdrawals`
     */
    create(body: WithdrawalCreateParams, options?: WriteOptions): Call<Withdrawal>;
    /**
     * Get a withdrawal. The withdrawal as it is now; `confirmation_session` is always null here.
     * 
     * `GET /v1/withdrawals/:id`
     */
    get(id: string, options?: RequestOptions): Call<Withdrawal>;
  };
  readonly refunds: {
    /**
     * Refund a completed payment to its payer, in part or whole. The merchant's authorized user
     * confirms it. If the merchant's balance is too low, the refund waits as `pending_funds`,
     * first in, first out, for 30 days. Fees are not refunded.
     * 
     * `POST /v1/refund-requests`
     */
    create(body: RefundCreateParams, options?: WriteOptions): Call<Refund>;
    /**
     * Get a refund. The refund as it is now; `confirmation_session` is always null here.
     * 
     * `GET /v1/refund-requests/:id`
     */
    get(id: string, options?: RequestOptions): Call<Refund>;
  };
  readonly disputes: {
    /**
     * Forward a customer's notice, within one business day of receiving it. Forward every notice
     * within one business day of its receipt, in the customer's own words. `notice_received_at` is
     * when the customer first gave notice; all deadlines count from it. `regulation_e` says
     * whether Regulation E applies.
     * 
     * `POST /v1/disputes`
     */
    create(body: DisputeCreateParams, options?: WriteOptions): Call<Dispute>;
    /**
     * List disputes, newest first. Newest first, of all customers or of one.
     * 
     * `GET /v1/disputes`
     */
    list(query?: DisputeListParams, options?: RequestOptions): ListCall<Dispute>;
  };
  readonly reports: {
    /**
     * Get the reconciliation report of a day; available from 06:00 Eastern Time on the next day.
     * From 06:00 Eastern Time of the next day; before that, and for days before the Tenant was
     * created, `not_found`. A report never changes: a correction is posted on its own day.
     * 
     * `GET /v1/reports/reconciliation`
     */
    getReconciliation(query: ReportGetReconciliationParams, options?: RequestOptions): Call<ReconciliationReport>;
  };
  readonly webhookEvents: {
    /**
     * List events with their delivery status, newest first. The events of the last 30 days, with
     * the state of their delivery. After downtime, list with `from` and pass each event to the
     * code that handles webhooks.
     * 
     * `GET /v1/webhook-events`
     */
    list(query?: WebhookEventListParams, options?: RequestOptions): ListCall<WebhookEvent>;
    /**
     * Deliver an event again, with a fresh signature timestamp. Same id, same content, new
     * signature. An event that was delivered, or whose retries have ended, gets its whole schedule
     * again.
     * 
     * `POST /v1/webhook-events/:id/resend`
     */
    resend(id: string, options?: WriteOptions): Call<WebhookEvent>;
    /**
     * Send again all events that have not arrived since a time. For the time after an outage of
     * your endpoint: as a resend of each event. What is being retried has one attempt at once and
     * keeps its schedule; what has failed gets a new schedule. What is queued already is left as
     * it is, so a second call sends nothing twice.
     * 
     * `POST /v1/webhook-events/recover`
     */
    recover(body: WebhookEventRecoverParams, options?: RequestOptions): Call<Recovery>;
  };
  readonly sandbox: {
    /**
     * Act as the bank, a provider or a reviewer (sandbox only). Acts for the bank, a provider, a
     * reviewer, the customer or the passing of time, with all checks, and sends the webhooks. The
     * names are in the table of simulated events. In production: `sandbox_only`.
     * 
     * `POST /v1/sandbox/simulate/:event`
     */
    simulate(event: SimulateName, body: SandboxSimulateParams, options?: WriteOptions): Call<SimulationResult>;
  };
}
