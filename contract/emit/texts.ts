import type { EndpointId, SimulateName } from '../catalog.ts';

/** What holds for every operation, at the head of the published document. */
export const general = `A payments platform that a Tenant integrates into its own application.

- JSON over HTTPS; the token endpoint takes a form.
- Amounts are integers in cents, currency USD.
- Times are ISO 8601 in UTC; dates are \`YYYY-MM-DD\`.
- Nullable fields are null when empty.
- An unknown field in a request is refused.
- Errors carry one stable \`code\`; programs act on it, never on the \`message\`.
- Every change to a record raises its \`version\` by one and sends one signed event.`;

export const tagDescriptions = {
  Authentication: 'Client credentials for an access token.',
  Customers: 'Individuals (consumers) and businesses (merchants), verified in hosted screens.',
  'Hosted sessions': 'Single-use tokens for the screens that a customer goes through.',
  'Bank linking': "A customer's bank account, by way of a bank-data aggregator.",
  Accounts: 'Digital Accounts, their balances and transactions.',
  Loads: 'From the bank to the Digital Account, by Request for Payment.',
  'Payment requests': 'Signed payloads for QR codes and payment links.',
  Payments: 'To merchants, from a balance or by bank.',
  'Webhook events': 'What was sent, and sending it again.',
  Sandbox: 'Acting as the bank, a provider or a reviewer.',
  Webhooks: "Requests that the service makes to the Tenant's endpoint.",
} as const;

type Tag = keyof typeof tagDescriptions;

/** Where an operation stands in the contract. */
export const tagOf: Readonly<Record<EndpointId, Tag>> = {
  createToken: 'Authentication',
  createCustomer: 'Customers',
  listCustomers: 'Customers',
  getCustomer: 'Customers',
  listOwners: 'Customers',
  listDocuments: 'Customers',
  createSession: 'Hosted sessions',
  exchangeSession: 'Hosted sessions',
  createLinkToken: 'Bank linking',
  createLinkedAccount: 'Bank linking',
  listLinkedAccounts: 'Bank linking',
  removeLinkedAccount: 'Bank linking',
  listAccounts: 'Accounts',
  getBalance: 'Accounts',
  listTransactions: 'Accounts',
  createLoad: 'Loads',
  getLoad: 'Loads',
  createPaymentRequest: 'Payment requests',
  getPaymentRequest: 'Payment requests',
  cancelPaymentRequest: 'Payment requests',
  createPayment: 'Payments',
  getPayment: 'Payments',
  cancelPayment: 'Payments',
  listWebhookEvents: 'Webhook events',
  resendWebhookEvent: 'Webhook events',
  simulateEvent: 'Sandbox',
};

/** What a simulated event does beyond its row of the state table (decisions 1.4). */
export const simulateNotes: { readonly [E in SimulateName]?: string } = {
  'customer.pending':
    'from created or rejected: as session.completed of the onboarding; from in_review: the reviewer asks for more',
  'customer.pin_locked': 'five wrong PINs',
  'document_acceptance.pending_acceptance': 'a new version of the document, for this customer only',
  'session.completed':
    'object_id: the session, or its target; confirmation_declined: terms declined',
  'session.canceled':
    'object_id: the session, or its target; confirmation_declined: the record is declined',
  'session.expired': 'object_id: the session, or its target; its end is now',
  'account.closed': 'settles a payout in progress, then closes if nothing else stands in the way',
  'payment_request.expired': 'a dynamic request',
};
