import type { EndpointId } from '../../catalog.ts';

/** The description of each operation beyond its summary (docs/rules). */
export const operationTexts: Readonly<Record<EndpointId, string>> = {
  createToken:
    'Send the token as `Authorization: Bearer …` with every other operation, keep it for `expires_in` seconds and request a new one shortly before it expires. Id and secret may also stand in `Authorization: Basic` (`client_secret_basic`), and form fields that are not known are ignored. This operation has its own rate limit for each `client_id`.',
  createCustomer:
    'The reply holds `onboarding_session`, whose single-use token opens the hosted onboarding in the SDK. No other reply shows that token. The customer can correct prefilled data there. `customer.approved` follows when the identity provider has approved the customer and, for a business, its owners; then `account_id` is set.',
  listCustomers:
    'By `external_ref` one item, or none: find a customer whose id you lost, or see whether a creation without a reply took place. By the other parameters, which are extensions, a list of all; without any parameter `parameter_missing`.',
  getCustomer: 'The customer as it is now; `onboarding_session` is always null here.',
  listOwners:
    'The owners that a business named in its onboarding. An individual has none: `invalid_state`.',
  listDocuments:
    'What the customer has accepted or is to accept. A row that a newer version superseded is no longer listed; its event `document_acceptance.superseded` says so. `pending_acceptance` is a new version that waits in the terms_acceptance flow; after 30 days it restricts the account.',
  closeCustomer:
    'The account is `closing`: open confirmations end, movements in progress finish, then the balance is paid out to the linked bank account, and `account.closed` follows. Money is not sent to a bank account before its `withdrawal_hold_until`. A customer who was never approved (`created`, `pending`, `rejected`) withdraws the application: its verification is `rejected` for good. Both are final, and free the mobile number; `external_ref` stays taken. In review, closing or closed: `invalid_state`.',
  createSession:
    'Starts pin_reset, contact_change or terms_acceptance, or replaces an onboarding or payment_confirm session that ended. `target` is required for payment_confirm. A session that is open for the same target, or the same customer and flow, is canceled. Only this reply shows the token.',
  exchangeSession:
    "Call it from the Tenant's server, once. It says how the customer left the flow; the webhook of the record stays the source of truth.",
  getSession: 'The session as it is now; only the reply that created it shows its `token`.',
  createLinkToken:
    "Open the aggregator's widget with it. The customer chooses a bank account in it; the widget returns the `public_token` for the next operation.",
  createLinkedAccount:
    'The link is `pending`, all its capabilities false. Ownership, account type, RTP and Request for Payment are checked afterwards; `linked_account.verified` or `linked_account.failed` follows. A customer has one active link: remove the old one first.',
  listLinkedAccounts:
    'At most one of them is active: `pending`, `held_for_review` or `verified`. The list has one page.',
  removeLinkedAccount:
    'Withdrawals to it continue. A load or payment by bank that is confirmed afterwards fails. A link that is `pending` or `removed` cannot be removed.',
  listAllLinkedAccounts: 'Of all customers or of one, also those that were removed.',
  getLinkedAccount: 'The link as it is now, whichever customer has it.',
  listAccounts: 'The account of one customer; empty while the customer is not approved.',
  getAccount: 'The account as it is now; its balance is an operation of its own.',
  getBalance:
    '`available` can be paid or withdrawn: `ledger` minus `earmarked` and `pending_outgoing`. A change of a balance has no event; the record that causes it has one.',
  listTransactions:
    'The movements of this account. A payment appears when it has completed; a withdrawal is `pending` while the bank processes it, then `posted` or `reversed`.',
  getTransaction:
    'The movement as its account lists it, such as the one that `transaction_id` of a dispute names.',
  listStatements:
    'One for each month in Eastern Time, also without movements, on the 1st from 06:00. `download_url` opens a PDF for 15 minutes; list again for a new one.',
  getStatement: 'The statement with a new `download_url`, which opens its PDF for 15 minutes.',
  createLoad:
    'The reply holds `confirmation_session`. Once the customer confirms, a Request for Payment goes to the linked bank account, and `load.settled` or `load.failed` follows. No money moves before that.',
  getLoad: 'The load as it is now; `confirmation_session` is always null here.',
  listLoads: 'Of all customers or of one.',
  createPaymentRequest:
    'Show `qr_payload` as a QR code or behind a link; the app of the payer sends it with the payment. A dynamic request has an `amount` and is paid once; a static one names a `collection_point` and stays open until it is canceled.',
  getPaymentRequest: 'The request as it is now.',
  listPaymentRequests: 'Of all merchants or of one, by its status or your own reference.',
  cancelPaymentRequest:
    'Only while it is open, and not while a payment by bank of it is in progress. Its payments that wait for confirmation are canceled too.',
  createPayment:
    'Name the merchant by `payee_customer_id` or by `qr_payload`. The reply holds `confirmation_session` for the payer. Paid from the balance, the money is held now and `payment.completed` follows the confirmation; paid by bank (`source: bank_account`), the bank gets a Request for Payment after the payer has confirmed. Fees are fixed at creation.',
  getPayment: 'The payment as it is now; `confirmation_session` is always null here.',
  listPayments:
    'Of all customers or of one, as payer or merchant; by its status or your own reference.',
  cancelPayment: 'Only while it waits for its confirmation. The held money is available again.',
  createWithdrawal:
    "The amount is held now. Once the customer confirms, it goes to the customer's own linked account, and `withdrawal.settled` or `withdrawal.failed` follows; a failed withdrawal releases the money.",
  getWithdrawal: 'The withdrawal as it is now; `confirmation_session` is always null here.',
  listWithdrawals: 'Of all customers or of one; the payouts of closed accounts too.',
  createRefund:
    "The merchant's authorized user confirms it. If the merchant's balance is too low, the refund waits as `pending_funds`, first in, first out, for 30 days. Fees are not refunded.",
  getRefund: 'The refund as it is now; `confirmation_session` is always null here.',
  listRefunds: 'Of all customers or of one, as merchant or payer.',
  createDispute:
    "Forward every notice within one business day of its receipt, in the customer's own words. `notice_received_at` is when the customer first gave notice; all deadlines count from it. `regulation_e` says whether Regulation E applies.",
  listDisputes: 'Newest first, of all customers or of one.',
  getDispute: 'The notice as it is now, with the outcome once it is resolved.',
  listWebhookEvents:
    'The events of the last 30 days, with the state of their delivery. After downtime, list with `from` and pass each event to the code that handles webhooks.',
  getWebhookEvent: 'The event and the state of its delivery, for 30 days.',
  resendWebhookEvent:
    'Same id, same content, new signature. An event that was delivered, or whose retries have ended, gets its whole schedule again.',
  recoverWebhookEvents:
    'For the time after an outage of your endpoint: as a resend of each event. What is being retried has one attempt at once and keeps its schedule; what has failed gets a new schedule. What is queued already is left as it is, so a second call sends nothing twice.',
  getReconciliationReport:
    'From 06:00 Eastern Time of the next day; before that, and for days before the Tenant was created, `not_found`. A report never changes: a correction is posted on its own day.',
  simulateEvent:
    'Acts for the bank, a provider, a reviewer, the customer or the passing of time, with all checks, and sends the webhooks. The names are in the table of simulated events. In production: `sandbox_only`.',
};

/** The description of each named schema. */
export const schemaTexts: Readonly<Record<string, string>> = {
  ErrorEnvelope: 'The body of every reply that is not a success.',
  Token: 'An access token for all other operations.',
  ConfirmationSession: 'A hosted session in the reply that created its record, and nowhere else.',
  Target: 'The record that a payment_confirm flow confirms.',
  Session: 'A hosted flow that a customer goes through once.',
  SessionOutcome: 'How a customer left a hosted flow.',
  Verification: "The state of a customer's identity verification.",
  BusinessProfile: 'Data that only business customers have.',
  Customer: 'An individual (consumer) or a business (merchant).',
  Owner: 'A person who owns or controls a business customer.',
  DocumentAcceptance:
    'One version of a document that a customer has accepted or is asked to accept.',
  LinkToken: "Opens the aggregator's linking widget.",
  Capabilities: 'Abilities of the linked bank; all false until verified.',
  LinkedAccount: "A customer's bank account.",
  Account: 'A Digital Account in US dollars.',
  Balance: 'The balance of an account at one instant.',
  Counterparty: 'The other side of a transaction.',
  Transaction: 'A movement of a Digital Account.',
  Statement: 'The movements of an account in one period.',
  Load: 'From the linked bank account to the Digital Account.',
  CollectionPoint: 'A store, counter or machine at which payers enter the amount.',
  PaymentRequest: 'A signed request to pay, for a QR code or a link.',
  Fee: 'A fee of a payment, fixed when it was created.',
  Payment: 'From a payer to a merchant, from the balance or by bank.',
  Withdrawal: "From the Digital Account to the customer's own bank account.",
  Refund: 'From a merchant back to the payer of a payment.',
  Dispute: "A customer's notice of an error, an unauthorized transfer or a bad purchase.",
  ReconTotals: 'The movements of one business day, in cents.',
  FileLink: 'A file with a time-limited download address.',
  ReconciliationReport: "One business day of the Tenant's customers, in Eastern Time.",
  EventData: 'The record after the change, and the earlier values of what changed.',
  Event: 'The body of every webhook delivery.',
  Delivery: 'The state of the delivery of an event.',
  WebhookEvent: 'An event as the listing shows it.',
  SimulationResult: 'The simulated event and its record.',
};

/** Parameters with the same meaning in every operation. */
export const parameterTexts: Readonly<Record<string, string>> = {
  limit: 'Items on a page',
  cursor: '`next_cursor` of the previous page',
  status: 'Only records in this status',
  type: 'Only this type',
  delivery_status: 'Only events whose delivery is in this state',
};
