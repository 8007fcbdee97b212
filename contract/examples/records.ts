import type { RecordOf } from '../catalog.ts';
import type { Resource } from '../lifecycles.ts';
import { amount, type Example, expiresInSeconds, fee, later, type StateOf } from './example.ts';
import { dispute, load, payment, paymentRequest, refund, withdrawal } from './money.ts';
import { reconciliationReport, statement } from './reports.ts';

const day = 24 * 60 * 60;

const customer = (example: Example, status: StateOf<'customer'>): RecordOf<'customer'> => ({
  id: example.id('customer'),
  object: 'customer',
  type: 'individual',
  external_ref: 'user-4711',
  email: 'ana.reyes@example.com',
  mobile_number_last4: '0101',
  business: null,
  verification: {
    status,
    updated_at: status === 'created' ? example.created : example.now,
    retry_available_at: status === 'rejected' ? later(example.now, 30 * day) : null,
  },
  account_id: status === 'approved' ? example.id('account') : null,
  pin_locked: false,
  onboarding_session: null,
  created_at: example.created,
  updated_at: example.now,
  version: example.version,
});

const owner = (example: Example, status: StateOf<'owner'>): RecordOf<'owner'> => ({
  id: example.id('owner'),
  object: 'owner',
  customer_id: example.id('customer', 'merchant'),
  name: 'Sam Park',
  role: 'owner_and_control_person',
  ownership_percent: 100,
  verification_status: status,
  invited_at: example.created,
  updated_at: example.now,
});

const documentAcceptance = (
  example: Example,
  status: StateOf<'document_acceptance'>,
): RecordOf<'document_acceptance'> => ({
  id: example.id('document_acceptance'),
  object: 'document_acceptance',
  customer_id: example.id('customer'),
  document_type: 'digital_account_terms',
  version: '1',
  status,
  accepted_at: status === 'pending_acceptance' ? null : example.created,
  channel: status === 'pending_acceptance' ? null : 'onboarding',
});

const session = (example: Example, status: StateOf<'session'>): RecordOf<'session'> => ({
  id: example.id('session'),
  object: 'session',
  flow: 'payment_confirm',
  customer_id: example.id('customer'),
  target: { type: 'payment', id: example.id('payment') },
  status,
  token: null,
  return_url: null,
  expires_at: later(example.created, expiresInSeconds),
  created_at: example.created,
});

const linkedAccount = (
  example: Example,
  status: StateOf<'linked_account'>,
): RecordOf<'linked_account'> => ({
  id: example.id('linked_account'),
  object: 'linked_account',
  customer_id: example.id('customer'),
  status,
  institution_name: 'Standard Bank',
  account_type: 'checking',
  account_mask: '1234',
  capabilities: {
    withdrawal: status === 'verified',
    load: status === 'verified',
    pay_by_bank: status === 'verified',
  },
  withdrawal_hold_until: null,
  failure_code: status === 'failed' ? 'owner_mismatch' : null,
  created_at: example.created,
  updated_at: example.now,
  version: example.version,
});

const account = (example: Example, status: StateOf<'account'>): RecordOf<'account'> => ({
  id: example.id('account'),
  object: 'account',
  customer_id: example.id('customer'),
  type: 'consumer',
  status,
  currency: 'USD',
  opened_at: example.created,
  closed_at: status === 'closed' ? example.now : null,
  updated_at: example.now,
  version: example.version,
});

/** Only Transactions of withdrawals are pending first (rules/withdrawals#12). */
const transaction = (example: Example, status: StateOf<'transaction'>): RecordOf<'transaction'> => {
  const received = status === 'posted' && example.version === 1;
  const source = received ? 'payment' : 'withdrawal';
  return {
    id: example.id('transaction'),
    object: 'transaction',
    account_id: example.id('account'),
    type: received ? 'payment_received' : 'withdrawal',
    direction: received ? 'credit' : 'debit',
    amount,
    fee_amount: received ? fee : 0,
    net_amount: received ? amount - fee : amount,
    currency: 'USD',
    status,
    counterparty: received
      ? { type: 'consumer', customer_id: example.id('customer'), display_name: 'Ana R.' }
      : { type: 'bank_account', customer_id: null, display_name: 'Standard Bank 1234' },
    source_type: source,
    source_id: example.id(source),
    description: received ? 'Two coffees and a cake' : null,
    created_at: example.created,
    posted_at: status === 'posted' ? example.now : null,
  };
};

/** A complete record of each resource in a status, as the API would show it. */
export const examples: {
  readonly [R in Resource]: (example: Example, status: StateOf<R>) => RecordOf<R>;
} = {
  customer,
  owner,
  document_acceptance: documentAcceptance,
  session,
  linked_account: linkedAccount,
  account,
  transaction,
  load,
  payment_request: paymentRequest,
  payment,
  withdrawal,
  refund,
  dispute,
  statement,
  reconciliation_report: reconciliationReport,
};
