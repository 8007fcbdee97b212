import type { EndpointId } from '../../catalog.ts';

/** What an operation does beyond its summary (contract: Endpoints; decisions 1.1 and 1.10). */
export const operationTexts: Readonly<Record<EndpointId, string>> = {
  createToken:
    'Send the token as `Authorization: Bearer …` with every other operation, keep it for `expires_in` seconds and ask for a new one shortly before it expires. It has a rate limit of its own, for each `client_id`.',
  createCustomer:
    "The reply holds `onboarding_session`, whose single-use token opens the hosted onboarding in the SDK. Nothing else ever shows that token. What is prefilled the customer may correct there. `customer.approved` follows once the identity provider and, for a business, its owners' checks say so; then `account_id` is set.",
  listCustomers:
    'One item, or none. A way back to a customer whose id was lost, and to find out whether a creation that was cut off took place.',
  getCustomer: 'The customer as it is now; `onboarding_session` is always null here.',
  listOwners:
    'The owners that a business named in its onboarding. An individual has none: `invalid_state`.',
  listDocuments:
    'Every acceptance, superseded ones too. `pending_acceptance` is a new version that waits in the terms_acceptance flow; after 30 days it restricts the account.',
  closeCustomer:
    'The account is `closing`: open confirmations end, what is under way finishes, then what remains is paid out to the linked bank account, and `account.closed` follows. It is final.',
  createSession:
    'Starts pin_reset, contact_change or terms_acceptance, or replaces an onboarding or payment_confirm session that ended. `target` is required for payment_confirm. A session that is open for the same target, or the same customer and flow, is canceled. The token is shown in this reply alone.',
  exchangeSession:
    "Call it from the Tenant's server, once. How the customer left the flow; the webhook of the record stays the source of truth.",
  createLinkToken:
    "Open the aggregator's widget with it. In the widget the customer chooses a bank account; what comes back is the `public_token` of the next operation.",
  createLinkedAccount:
    'The link is `pending`, all its capabilities false. Ownership, account type, RTP and Request for Payment are checked afterwards; `linked_account.verified` or `linked_account.failed` follows. A customer has one active link: remove the old one first.',
  listLinkedAccounts:
    'At most one of them is active: `pending`, `held_for_review` or `verified`. The list is given whole.',
  removeLinkedAccount:
    'Withdrawals to it go on. A load or payment by bank that is confirmed afterwards fails. A link that is `pending` or `removed` cannot be removed.',
  listAccounts: 'The account of one customer, or none while the customer is not approved.',
  getBalance:
    '`available` is what can be paid or withdrawn: `ledger` less `earmarked` and `pending_outgoing`. Changes of a balance are no events; the records that cause them are.',
  listTransactions:
    'What moved the balance of this account. A payment is here once it has completed; a withdrawal is `pending` while the bank has it, then `posted` or `reversed`.',
  listStatements:
    'One for each month in Eastern Time, also without movement, on the 1st from 06:00. `download_url` is a PDF and lives 15 minutes: list again for a fresh one.',
  createLoad:
    'The reply holds `confirmation_session`. Once the customer confirms, a Request for Payment goes to the linked bank account, and `load.settled` or `load.failed` follows. Until then no money has moved.',
  getLoad: 'The load as it is now; `confirmation_session` is always null here.',
  createPaymentRequest:
    'Show `qr_payload` as a QR code or behind a link; whoever pays sends it with the payment. A dynamic request has an `amount` and is paid once; a static one names a `collection_point` and stays open until it is canceled.',
  getPaymentRequest: 'The request as it is now.',
  cancelPaymentRequest:
    'Only while it is open, and not while a payment by bank of it is under way. Its payments that wait for confirmation are canceled too.',
  createPayment:
    'Name the merchant by `payee_customer_id` or by `qr_payload`. The reply holds `confirmation_session` for the payer. Paid from the balance, the money is held now and `payment.completed` follows the confirmation; paid by bank (`source: bank_account`), the bank is asked once the payer has confirmed. Fees are fixed now.',
  getPayment: 'The payment as it is now; `confirmation_session` is always null here.',
  cancelPayment: 'Only while it waits for its confirmation. What was held is available again.',
  createWithdrawal:
    "The amount is held now. Once the customer confirms, it goes to the customer's own linked account, and `withdrawal.settled` or `withdrawal.failed` follows; a failed one releases what was held.",
  getWithdrawal: 'The withdrawal as it is now; `confirmation_session` is always null here.',
  createRefund:
    "The merchant's authorized user confirms it. Where the merchant's balance is too low, it waits as `pending_funds`, first in, first out, for 30 days. Fees are not returned.",
  getRefund: 'The refund as it is now; `confirmation_session` is always null here.',
  createDispute:
    "Forward every notice within one business day of its receipt, in the customer's own words. `notice_received_at` is when the customer first gave notice; all deadlines count from it. The service says by `regulation_e` whether Regulation E applies.",
  listDisputes: 'The newest first, of all customers or of one.',
  listWebhookEvents:
    'What happened in the last 30 days, with the state of its delivery. After downtime list with `from`, and pass each event to the same code that takes the webhooks.',
  resendWebhookEvent:
    'The same id and the same content, signed anew. An event that was delivered, or that failed for good, has its whole schedule again.',
  getReconciliationReport:
    'From 06:00 Eastern Time of the next day; before that, and for days before the Tenant was there, `not_found`. A report never changes: a correction is posted on its own day.',
  simulateEvent:
    'Runs what the bank, a provider, a reviewer, the customer or the time would cause, with all checks in force, and sends the webhooks. The names are in the table of simulated events. In production: `sandbox_only`.',
};

/** What each named schema is; those that say it by their name alone are left out. */
export const schemaTexts: Readonly<Record<string, string>> = {
  ErrorEnvelope: 'The body of every reply that is no success.',
  Token: 'An access token for every operation but the one that made it.',
  ConfirmationSession: 'A hosted session in the reply that created its record, and nowhere else.',
  Target: 'The record that a payment_confirm flow confirms.',
  Session: 'A hosted flow that a customer goes through once.',
  SessionOutcome: 'How a customer left a hosted flow.',
  Verification: "How far a customer's identity verification is.",
  BusinessProfile: 'What only business customers have.',
  Customer: 'An individual (consumer) or a business (merchant).',
  Owner: 'A person who owns or controls a business customer.',
  DocumentAcceptance: 'One version of a document that a customer accepted, or should.',
  LinkToken: "Opens the aggregator's linking widget.",
  Capabilities: 'What the linked bank can do; all false until verified.',
  LinkedAccount: "A customer's bank account elsewhere.",
  Account: 'A Digital Account in US dollars.',
  Balance: 'What an account holds at one instant.',
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
  FileLink: 'A file that can be downloaded for a while.',
  ReconciliationReport: "One business day of the Tenant's customers, in Eastern Time.",
  EventData: 'The record after the change, and what it was before.',
  Event: 'The body of every webhook delivery.',
  Delivery: 'How far the delivery of an event is.',
  WebhookEvent: 'An event as the listing shows it.',
  SimulationResult: 'What was played.',
};

/** Parameters that mean the same wherever they stand. */
export const parameterTexts: Readonly<Record<string, string>> = {
  limit: 'Items on a page',
  cursor: '`next_cursor` of the previous page',
  status: 'Only records in this status',
  type: 'Only this type',
  delivery_status: 'Only events whose delivery is in this state',
};
