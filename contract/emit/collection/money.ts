import type { EndpointId } from '../../catalog.ts';
import { type Folder, read, type Step, simulate } from './step.ts';

const balance = (name: string, available: number): Step => ({
  operation: 'getBalance',
  name,
  path: { id: '{{payer_account}}' },
  expect: { available },
});

const loads: Folder = {
  name: 'Loads',
  description: 'From the bank to the Digital Account.',
  steps: [
    {
      operation: 'createLoad',
      body: { customer_id: '{{payer}}', amount: 20000 },
      keep: { load: 'id' },
      expect: { status: 'requires_confirmation' },
    },
    simulate('session.completed', 'load', 'The payer confirms'),
    simulate('load.settled', 'load', 'The bank pays'),
    read('getLoad', 'load', 'settled', 'The load has settled'),
    balance('The money is there', 20000),
  ],
};

const requests: Folder = {
  name: 'Payment requests and payments',
  description: 'By QR code, confirmed anew, canceled, and by bank.',
  steps: [
    {
      operation: 'createPaymentRequest',
      body: { type: 'dynamic', merchant_customer_id: '{{merchant}}', amount: 1250 },
      keep: { request: 'id', qr_payload: 'qr_payload' },
      expect: { status: 'open' },
    },
    {
      operation: 'createPayment',
      name: 'Pay by the QR code',
      body: { payer_customer_id: '{{payer}}', qr_payload: '{{qr_payload}}', source: 'balance' },
      keep: { payment: 'id' },
      expect: { status: 'requires_confirmation', amount: 1250 },
    },
    simulate('session.completed', 'payment', 'The payer confirms the payment'),
    read('getPayment', 'payment', 'completed', 'The payment has completed'),
    read('getPaymentRequest', 'request', 'paid', 'The request is paid'),
    {
      operation: 'createPayment',
      name: 'Pay the merchant directly',
      body: {
        payer_customer_id: '{{payer}}',
        payee_customer_id: '{{merchant}}',
        amount: 700,
        source: 'balance',
        order_reference: 'order-1002',
      },
      keep: { direct_payment: 'id' },
    },
    {
      operation: 'createSession',
      name: 'Replace its confirmation session',
      body: {
        flow: 'payment_confirm',
        customer_id: '{{payer}}',
        target: { type: 'payment', id: '{{direct_payment}}' },
      },
      keep: { session: 'id' },
    },
    simulate('session.completed', 'session', 'The payer confirms in the new session'),
    read('getPayment', 'direct_payment', 'completed', 'It has completed too'),
    {
      operation: 'createPayment',
      name: 'Create a payment to cancel',
      body: {
        payer_customer_id: '{{payer}}',
        payee_customer_id: '{{merchant}}',
        amount: 500,
        source: 'balance',
      },
      keep: { given_up: 'id' },
    },
    { operation: 'cancelPayment', path: { id: '{{given_up}}' }, expect: { status: 'canceled' } },
    {
      operation: 'createPaymentRequest',
      name: 'A static request at a counter',
      body: {
        type: 'static',
        merchant_customer_id: '{{merchant}}',
        collection_point: { reference: 'counter-1', name: 'Counter 1' },
      },
      keep: { static_request: 'id' },
    },
    {
      operation: 'cancelPaymentRequest',
      path: { id: '{{static_request}}' },
      expect: { status: 'canceled' },
    },
    {
      operation: 'createPayment',
      name: 'Pay by bank',
      body: {
        payer_customer_id: '{{payer}}',
        payee_customer_id: '{{merchant}}',
        amount: 900,
        source: 'bank_account',
      },
      keep: { bank_payment: 'id' },
    },
    simulate('session.completed', 'bank_payment', 'The payer confirms; the bank gets the request'),
    simulate('payment.completed', 'bank_payment', 'The bank pays the merchant'),
    read('getPayment', 'bank_payment', 'completed', 'The payment by bank has completed'),
    {
      operation: 'listTransactions',
      path: { id: '{{payer_account}}' },
      query: { limit: '10' },
      keep: { transaction: 'data.0.id' },
      expect: { 'data.0.type': 'payment_sent' },
    },
  ],
};

const back: Folder = {
  name: 'Withdrawals, refunds and disputes',
  description: 'Money that goes back.',
  steps: [
    {
      operation: 'createWithdrawal',
      body: { customer_id: '{{payer}}', amount: 2000 },
      keep: { withdrawal: 'id' },
      expect: { status: 'requires_confirmation' },
    },
    simulate('session.completed', 'withdrawal', 'The payer confirms the withdrawal'),
    simulate('withdrawal.settled', 'withdrawal', 'The bank has it'),
    read('getWithdrawal', 'withdrawal', 'settled', 'The withdrawal has settled'),
    {
      operation: 'createRefund',
      body: { payment_id: '{{payment}}', amount: 400, reason: 'requested_by_customer' },
      keep: { refund: 'id' },
      expect: { status: 'requested' },
    },
    simulate('session.completed', 'refund', "The merchant's user confirms the refund"),
    read('getRefund', 'refund', 'completed', 'The refund is there'),
    balance("The payer's balance now", 16450),
    {
      operation: 'createDispute',
      before: 'now',
      body: {
        customer_id: '{{payer}}',
        type: 'purchase_dispute',
        payment_id: '{{direct_payment}}',
        description: 'The cake never came.',
        notice_received_at: '{{now}}',
      },
      keep: { dispute: 'id' },
      expect: { status: 'received' },
    },
    {
      operation: 'listDisputes',
      query: { customer_id: '{{payer}}' },
      expect: { 'data.0.id': '{{dispute}}' },
    },
    simulate('dispute.resolved_denied', 'dispute', 'The reviewer decides for the merchant'),
  ],
};

const lists: readonly EndpointId[] = [
  'listLoads',
  'listPaymentRequests',
  'listPayments',
  'listWithdrawals',
  'listRefunds',
  'listAllLinkedAccounts',
];

const reads: Folder = {
  name: 'Reads beyond the contract',
  description: 'Every record by its id, and lists of all.',
  steps: [
    ...lists.map((operation) => ({
      operation,
      query: { limit: '5' },
      expect: { object: 'list' },
    })),
    { operation: 'getAccount', path: { id: '{{payer_account}}' }, expect: { status: 'active' } },
    read('getLinkedAccount', 'payer_link', 'verified', 'The bank account is verified'),
    { operation: 'getSession', path: { id: '{{session}}' }, expect: { status: 'completed' } },
    { operation: 'getTransaction', path: { id: '{{transaction}}' }, expect: { status: 'posted' } },
    { operation: 'getDispute', path: { id: '{{dispute}}' }, expect: { id: '{{dispute}}' } },
    { operation: 'getWebhookEvent', path: { id: '{{event}}' }, expect: { id: '{{event}}' } },
    {
      operation: 'getStatement',
      name: 'Get a statement by its id: there is none before the month has ended',
      path: { id: 'stmt_none' },
      orRefused: 'not_found',
    },
  ],
};

const records: Folder = {
  name: 'Events, statements and reports',
  description: 'What the service reports.',
  steps: [
    {
      operation: 'listWebhookEvents',
      query: { type: 'payment.completed', limit: '1' },
      keep: { event: 'data.0.id' },
      expect: { 'data.0.data.object.status': 'completed' },
    },
    { operation: 'resendWebhookEvent', path: { id: '{{event}}' }, expect: { id: '{{event}}' } },
    { operation: 'listStatements', path: { id: '{{payer_account}}' }, expect: { object: 'list' } },
    {
      operation: 'getReconciliationReport',
      before: 'past_day',
      query: { date: '{{past_day}}' },
      orRefused: 'not_found',
    },
    {
      operation: 'recoverWebhookEvents',
      body: { since: '{{past_day}}T00:00:00Z', dry_run: true },
    },
  ],
};

const closing: Folder = {
  name: 'Closing',
  description: 'The balance is paid out, and the account closes.',
  steps: [
    { operation: 'closeCustomer', path: { id: '{{payer}}' }, body: { reason: 'customer_request' } },
    simulate(
      'account.suspended',
      'merchant_account',
      "The reviewer suspends the merchant's account",
    ),
    simulate('account.reactivated', 'merchant_account', 'And gives it back'),
    simulate('account.closed', 'payer_account', 'The payout settles and the account closes'),
    {
      operation: 'listAccounts',
      name: 'The account is closed',
      query: { customer_id: '{{payer}}' },
      expect: { 'data.0.status': 'closed' },
    },
    {
      operation: 'removeLinkedAccount',
      path: { id: '{{merchant}}', linked_account_id: '{{merchant_link}}' },
      expect: { status: 'removed' },
    },
  ],
};

/** Steps that move money, and reads afterwards. */
export const moneyFolders: readonly Folder[] = [loads, requests, back, records, reads, closing];
