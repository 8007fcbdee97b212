import { ofCustomer, recordList, withReference } from '../core/reads.ts';
import { LinkedAccount, linkedAccountLifecycle } from './linked_accounts.ts';
import { Load, loadLifecycle } from './loads.ts';
import { PaymentRequest, paymentRequestLifecycle } from './payment_requests.ts';
import { Payment, paymentLifecycle } from './payments.ts';
import { Refund, refundLifecycle } from './refunds.ts';
import { Withdrawal, withdrawalLifecycle } from './withdrawals.ts';

/** Lists of all records of a resource (rules/reads#4). */

export const listAllLinkedAccounts = recordList(
  'listAllLinkedAccounts',
  '/v1/linked-accounts',
  'List the linked accounts of all customers, newest first',
  { item: LinkedAccount, states: linkedAccountLifecycle.states, filters: ofCustomer },
);

export const listLoads = recordList('listLoads', '/v1/loads', 'List loads, newest first', {
  item: Load,
  states: loadLifecycle.states,
  filters: ofCustomer,
});

export const listPaymentRequests = recordList(
  'listPaymentRequests',
  '/v1/payment-requests',
  'List payment requests, newest first',
  {
    item: PaymentRequest,
    states: paymentRequestLifecycle.states,
    filters: {
      ...ofCustomer,
      order_reference: withReference('Only with this order_reference'),
      collection_point_reference: withReference('Only of the collection point with this reference'),
    },
  },
);

export const listPayments = recordList(
  'listPayments',
  '/v1/payments',
  'List payments, newest first',
  {
    item: Payment,
    states: paymentLifecycle.states,
    filters: {
      ...ofCustomer,
      order_reference: withReference('Only with this order_reference'),
      invoice_reference: withReference('Only with this invoice_reference'),
    },
  },
);

export const listWithdrawals = recordList(
  'listWithdrawals',
  '/v1/withdrawals',
  'List withdrawals, newest first',
  {
    item: Withdrawal,
    states: withdrawalLifecycle.states,
    filters: ofCustomer,
  },
);

export const listRefunds = recordList(
  'listRefunds',
  '/v1/refund-requests',
  'List refunds, newest first',
  {
    item: Refund,
    states: refundLifecycle.states,
    filters: ofCustomer,
  },
);
