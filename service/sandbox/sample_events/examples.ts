import type { RecordOf } from '@tenant-payments/contract/catalog.ts';
import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import { addSeconds } from '../../core/instant.ts';
import { amount, expiresInSeconds, fee, type Hand, type StateOf } from './example.ts';
import { dispute, load, payment, paymentRequest, refund, withdrawal } from './money_examples.ts';
import { reconciliationReport, statement } from './report_examples.ts';

const day = 24 * 60 * 60;

const customer = (hand: Hand, status: StateOf<'customer'>): RecordOf<'customer'> => ({
  id: hand.id('customer'),
  object: 'customer',
  type: 'individual',
  external_ref: 'customer-1001',
  email: 'ana.reyes@example.com',
  mobile_number_last4: '0101',
  business: null,
  verification: {
    status,
    updated_at: status === 'created' ? hand.created : hand.now,
    retry_available_at: status === 'rejected' ? addSeconds(hand.now, 30 * day) : null,
  },
  account_id: status === 'approved' ? hand.id('account') : null,
  pin_locked: false,
  onboarding_session: null,
  created_at: hand.created,
  updated_at: hand.now,
  version: hand.version,
});

const owner = (hand: Hand, status: StateOf<'owner'>): RecordOf<'owner'> => ({
  id: hand.id('owner'),
  object: 'owner',
  customer_id: hand.id('customer'),
  name: 'Dana Fisher',
  role: 'owner_and_control_person',
  ownership_percent: 60,
  verification_status: status,
  invited_at: hand.created,
  updated_at: hand.now,
});

const documentAcceptance = (
  hand: Hand,
  status: StateOf<'document_acceptance'>,
): RecordOf<'document_acceptance'> => ({
  id: hand.id('document_acceptance'),
  object: 'document_acceptance',
  customer_id: hand.id('customer'),
  document_type: 'digital_account_terms',
  version: '2',
  status,
  accepted_at: status === 'pending_acceptance' ? null : hand.created,
  channel: status === 'pending_acceptance' ? null : 'terms_acceptance',
});

const session = (hand: Hand, status: StateOf<'session'>): RecordOf<'session'> => ({
  id: hand.id('session'),
  object: 'session',
  flow: 'payment_confirm',
  customer_id: hand.id('customer'),
  target: { type: 'payment', id: hand.id('payment') },
  status,
  token: null,
  return_url: null,
  expires_at: addSeconds(hand.created, expiresInSeconds),
  created_at: hand.created,
});

const linkedAccount = (
  hand: Hand,
  status: StateOf<'linked_account'>,
): RecordOf<'linked_account'> => ({
  id: hand.id('linked_account'),
  object: 'linked_account',
  customer_id: hand.id('customer'),
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
  created_at: hand.created,
  updated_at: hand.now,
  version: hand.version,
});

const account = (hand: Hand, status: StateOf<'account'>): RecordOf<'account'> => ({
  id: hand.id('account'),
  object: 'account',
  customer_id: hand.id('customer'),
  type: 'consumer',
  status,
  currency: 'USD',
  opened_at: hand.created,
  closed_at: status === 'closed' ? hand.now : null,
  updated_at: hand.now,
  version: hand.version,
});

/** What is pending first is a withdrawal's (decisions 1.1); others are born posted. */
const transaction = (hand: Hand, status: StateOf<'transaction'>): RecordOf<'transaction'> => {
  const received = status === 'posted' && hand.version === 1;
  const source = received ? 'payment' : 'withdrawal';
  return {
    id: hand.id('transaction'),
    object: 'transaction',
    account_id: hand.id('account'),
    type: received ? 'payment_received' : 'withdrawal',
    direction: received ? 'credit' : 'debit',
    amount,
    fee_amount: received ? fee : 0,
    net_amount: received ? amount - fee : amount,
    currency: 'USD',
    status,
    counterparty: received
      ? { type: 'consumer', customer_id: hand.id('customer'), display_name: 'Ana R.' }
      : { type: 'bank_account', customer_id: null, display_name: 'Standard Bank 1234' },
    source_type: source,
    source_id: hand.id(source),
    description: received ? 'Lunch for two' : null,
    created_at: hand.created,
    posted_at: status === 'posted' ? hand.now : null,
  };
};

/** A complete record of each resource in a state: as the API would show it. */
export const examples: {
  readonly [R in Resource]: (hand: Hand, status: StateOf<R>) => RecordOf<R>;
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
