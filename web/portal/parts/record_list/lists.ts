export type Filter = 'status' | 'customer' | 'times';

/** The facts of a list; its route is checked where it is read, since this file knows no browser. */
export interface RecordList {
  readonly title: string;
  readonly route: `GET /portal/api/${string}`;
  /** The resource by which the states and moves name the records. */
  readonly resource: string;
  readonly filters: readonly Filter[];
  /** The way to a first record, for a list that has none. */
  readonly first: string;
  /** The call that makes it: method with path, and a body. */
  readonly call?: readonly [path: string, body: object];
}

const all: readonly Filter[] = ['status', 'customer', 'times'];
const CUSTOMER = 'cus_…';

/** Each list of records, by its name in the address. */
export const recordLists = {
  customers: {
    title: 'Customers',
    route: 'GET /portal/api/customers',
    resource: 'customer',
    filters: ['status', 'times'],
    first: 'Your server creates a customer; its onboarding opens with the reply.',
    call: [
      '/v1/customers',
      {
        type: 'individual',
        external_ref: 'user-1',
        email: 'ana@example.com',
        mobile_number: '+12025550143',
      },
    ],
  },
  accounts: {
    title: 'Accounts',
    route: 'GET /portal/api/accounts',
    resource: 'account',
    filters: all,
    first:
      'An account opens when its customer is approved. In the sandbox, open a customer and simulate customer.pending, then customer.approved.',
  },
  'linked-accounts': {
    title: 'Linked accounts',
    route: 'GET /portal/api/linked-accounts',
    resource: 'linked_account',
    filters: all,
    first:
      "Your server sends the public token of the aggregator's widget; the sandbox takes this one.",
    call: [
      `/v1/customers/${CUSTOMER}/linked-accounts`,
      { public_token: 'public-sandbox-standard' },
    ],
  },
  payments: {
    title: 'Payments',
    route: 'GET /portal/api/payments',
    resource: 'payment',
    filters: all,
    first: 'Your server creates a payment; then its payer confirms it.',
    call: [
      '/v1/payments',
      {
        payer_customer_id: CUSTOMER,
        payee_customer_id: CUSTOMER,
        amount: 12_50,
        source: 'balance',
      },
    ],
  },
  'payment-requests': {
    title: 'Payment requests',
    route: 'GET /portal/api/payment-requests',
    resource: 'payment_request',
    filters: all,
    first: 'A merchant asks for an amount by QR code or link.',
    call: [
      '/v1/payment-requests',
      { type: 'dynamic', merchant_customer_id: CUSTOMER, amount: 12_50 },
    ],
  },
  loads: {
    title: 'Loads',
    route: 'GET /portal/api/loads',
    resource: 'load',
    filters: all,
    first: 'A customer with a linked account loads money from it.',
    call: ['/v1/loads', { customer_id: CUSTOMER, amount: 100_00 }],
  },
  withdrawals: {
    title: 'Withdrawals',
    route: 'GET /portal/api/withdrawals',
    resource: 'withdrawal',
    filters: all,
    first: 'A customer with a balance withdraws to the own linked account.',
    call: ['/v1/withdrawals', { customer_id: CUSTOMER, amount: 20_00 }],
  },
  refunds: {
    title: 'Refunds',
    route: 'GET /portal/api/refunds',
    resource: 'refund',
    filters: all,
    first: 'A merchant returns a completed payment, or a part of it.',
    call: [
      '/v1/refund-requests',
      { payment_id: 'pay_…', amount: 5_00, reason: 'requested_by_customer' },
    ],
  },
  disputes: {
    title: 'Disputes',
    route: 'GET /portal/api/disputes',
    resource: 'dispute',
    filters: all,
    first: 'You forward what a customer tells you of a movement.',
    call: [
      '/v1/disputes',
      {
        customer_id: CUSTOMER,
        payment_id: 'pay_…',
        type: 'error',
        description: 'I was charged twice',
        notice_received_at: '2026-03-02T15:00:00Z',
      },
    ],
  },
  sessions: {
    title: 'Sessions',
    route: 'GET /portal/api/sessions',
    resource: 'session',
    filters: all,
    first: 'A session opens with each record that a customer confirms, or by itself.',
    call: ['/v1/sessions', { flow: 'contact_change', customer_id: CUSTOMER }],
  },
  statements: {
    title: 'Statements',
    route: 'GET /portal/api/statements',
    resource: 'statement',
    filters: ['customer', 'times'],
    first:
      'Each account has a statement a month. In the sandbox, move the clock past a day, open an account and simulate statement.available.',
  },
  reports: {
    title: 'Reports',
    route: 'GET /portal/api/reconciliation-reports',
    resource: 'reconciliation_report',
    filters: ['times'],
    first:
      'The report of a day is made at 06:00 Eastern Time of the next. In the sandbox, move the clock forward by a day.',
  },
} as const satisfies Readonly<Record<string, RecordList>>;

export type ListName = keyof typeof recordLists;

export const isListName = (name: string): name is ListName => Object.hasOwn(recordLists, name);
