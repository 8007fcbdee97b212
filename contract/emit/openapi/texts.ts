import type { EndpointId, SimulateName } from '../../catalog.ts';

/** The text that is true for every operation, at the start of the published document. */
export const general = `A payments platform that a Tenant integrates into its own application.

- JSON over HTTPS; the token endpoint takes a form.
- Amounts are integers in cents, currency USD.
- Times are ISO 8601 in UTC; dates are \`YYYY-MM-DD\`.
- Nullable fields are null when empty.
- A request with an unknown field is refused.
- A reply or event may get new fields and values, and there may be new types of events: ignore what you do not know.
- Errors carry one stable \`code\`; programs act on it, never on the \`message\`.
- Every change to a record raises its \`version\` by one and sends one signed event.

A path that has other methods is a 404 \`not_found\` that names them in \`Allow\`.

Any operation may answer 400 \`parameter_missing\` and \`parameter_invalid\`, 401
\`authentication_required\`, 429 \`rate_limited\`, 500 and, with \`Retry-After\`, 503 \`internal_error\`;
one that needs an \`Idempotency-Key\` also 400 \`idempotency_key_missing\`. Each operation names the
others. The guide to versioning says what may change within this version.`;

export const tagDescriptions = {
  Authentication: 'Client credentials for an access token.',
  Customers: 'Individuals (consumers) and businesses (merchants), verified in hosted screens.',
  'Hosted sessions': 'Single-use tokens for the screens that a customer goes through.',
  'Bank linking': "A customer's bank account, linked through a bank-data aggregator.",
  Accounts: 'Digital Accounts, their balances and transactions.',
  Loads: 'From the bank to the Digital Account, by Request for Payment.',
  'Payment requests': 'Signed payloads for QR codes and payment links.',
  Payments: 'To merchants, from a balance or by bank.',
  Withdrawals: "To the customer's own linked bank account.",
  Refunds: 'From the merchant to the original payer.',
  Disputes: "Customers' notices of errors, unauthorized transfers and purchase disputes.",
  'Webhook events': 'List events, and send them again.',
  Reports: 'Daily reconciliation.',
  Sandbox: 'Acting as the bank, a provider or a reviewer.',
  Webhooks: "Requests that the service makes to the Tenant's endpoint.",
} as const;

type Tag = keyof typeof tagDescriptions;

/** The tag of each operation. */
export const tagOf: Readonly<Record<EndpointId, Tag>> = {
  createToken: 'Authentication',
  createCustomer: 'Customers',
  listCustomers: 'Customers',
  getCustomer: 'Customers',
  listOwners: 'Customers',
  listDocuments: 'Customers',
  closeCustomer: 'Customers',
  createSession: 'Hosted sessions',
  exchangeSession: 'Hosted sessions',
  getSession: 'Hosted sessions',
  createLinkToken: 'Bank linking',
  createLinkedAccount: 'Bank linking',
  listLinkedAccounts: 'Bank linking',
  removeLinkedAccount: 'Bank linking',
  listAllLinkedAccounts: 'Bank linking',
  getLinkedAccount: 'Bank linking',
  listAccounts: 'Accounts',
  getAccount: 'Accounts',
  getBalance: 'Accounts',
  listTransactions: 'Accounts',
  getTransaction: 'Accounts',
  listStatements: 'Accounts',
  getStatement: 'Accounts',
  createLoad: 'Loads',
  getLoad: 'Loads',
  listLoads: 'Loads',
  createPaymentRequest: 'Payment requests',
  getPaymentRequest: 'Payment requests',
  listPaymentRequests: 'Payment requests',
  cancelPaymentRequest: 'Payment requests',
  createPayment: 'Payments',
  getPayment: 'Payments',
  listPayments: 'Payments',
  cancelPayment: 'Payments',
  createWithdrawal: 'Withdrawals',
  getWithdrawal: 'Withdrawals',
  listWithdrawals: 'Withdrawals',
  createRefund: 'Refunds',
  getRefund: 'Refunds',
  listRefunds: 'Refunds',
  createDispute: 'Disputes',
  listDisputes: 'Disputes',
  getDispute: 'Disputes',
  listWebhookEvents: 'Webhook events',
  getWebhookEvent: 'Webhook events',
  resendWebhookEvent: 'Webhook events',
  recoverWebhookEvents: 'Webhook events',
  getReconciliationReport: 'Reports',
  simulateEvent: 'Sandbox',
};

/** The effect of a simulated event beyond its row of the state table (rules/sandbox#7). */
export const simulateNotes: { readonly [E in SimulateName]?: string } = {
  'customer.pending':
    'from created or rejected: like session.completed of the onboarding; from in_review: the reviewer requests more data',
  'customer.pin_locked': 'five wrong PINs',
  'document_acceptance.pending_acceptance': 'a new version of the document, for this customer only',
  'session.completed':
    'object_id: the session, its target, or the customer whose session waits; confirmation_declined: terms declined',
  'session.canceled':
    'object_id: the session, its target, or the customer whose session waits; confirmation_declined: the record is declined',
  'session.expired':
    'object_id: the session, its target, or the customer whose session waits; it ends now',
  'account.closed': 'settles a payout in progress, then closes if nothing else is open',
  'payment_request.expired': 'a dynamic request',
  'payment.completed': 'a payment by bank',
  'payment.failed': 'a payment by bank',
  'refund.completed': 'a refund to a bank account',
  'refund.failed': 'a refund to a bank account',
  'dispute.provisional_credit': 'the remaining disputed amount',
  'dispute.resolved_approved': 'the award is the remaining disputed amount',
  'dispute.resolved_partial': 'half of the highest award, rounded down',
  'dispute.classified':
    'handled as an unauthorized transfer; what is one already, as a purchase dispute',
  'dispute.reopened': 'a notice that was answered before',
  'dispute.closed': 'the five business days after the notice of denial are over',
  'load.paid_late': 'a failed load: the money goes to suspense',
  'bank.money_received':
    'object_id: a customer, who pays without an order; or a load or a payment by bank, whose order is paid, late or once more',
  'bank.return_requested':
    'a settled load: its bank asks for the money back, and a reviewer answers',
  'statement.available': 'object_id: the account; closes its period up to yesterday, Eastern Time',
  'withdrawal.returned': 'a settled withdrawal: the money comes back as an adjustment',
};
