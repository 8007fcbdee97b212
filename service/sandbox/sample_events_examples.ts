import type { RecordOf } from '@tenant-payments/contract/catalog.ts';
import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { feeCents } from '@tenant-payments/contract/core/money.ts';
import type { Lifecycles, Resource } from '@tenant-payments/contract/lifecycles.ts';
import { addSeconds, type Instant } from '../core/instant.ts';
import type { QrSigner } from '../resources/payment_requests/qr.ts';

type StateOf<R extends Resource> = Lifecycles[R]['states'][number];

/** What an example is made of. One hand makes the record before and after, so both agree. */
export interface Hand {
  /** The id of someone or something in the example: the same for the same name. */
  id(kind: IdKind, name?: string): string;
  /** The uuid behind the id of that name. */
  uuidOf(name: string): string;
  readonly now: Instant;
  /** When the record began: now, where it begins. */
  readonly created: Instant;
  /** 1 where the record begins. */
  readonly version: number;
  readonly qr: QrSigner;
}

/** How long before the event the record began. */
interface Past {
  readonly version: number;
  readonly ageSeconds: number;
}

export function openHand(
  around: { readonly newId: () => string; readonly now: Instant },
  { version, ageSeconds }: Past,
  qr: QrSigner,
): Hand {
  const uuids = new Map<string, string>();
  const uuidOf = (name: string): string => {
    const known = uuids.get(name);
    if (known !== undefined) return known;
    const made = around.newId();
    uuids.set(name, made);
    return made;
  };
  return {
    id: (kind, name = kind) => publicId(kind, uuidOf(name)),
    uuidOf,
    now: around.now,
    created: addSeconds(around.now, -ageSeconds),
    version,
    qr,
  };
}

/** How long something waits that expires. */
export const expiresInSeconds = 15 * 60;
const day = 24 * 60 * 60;
const oneOf = <S extends string>(status: S, ...states: S[]) => states.includes(status);

/** A payment of $42.00 with the platform's 50 basis points (decisions 1.11). */
const amount = 42_00;
const fee = feeCents(amount, 50, 0);

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

const load = (hand: Hand, status: StateOf<'load'>): RecordOf<'load'> => ({
  id: hand.id('load'),
  object: 'load',
  customer_id: hand.id('customer'),
  account_id: hand.id('account'),
  linked_account_id: hand.id('linked_account'),
  amount: 100_00,
  currency: 'USD',
  status,
  failure_code: status === 'failed' ? 'customer_refused' : null,
  confirmation_session: null,
  created_at: hand.created,
  confirmed_at: status === 'requires_confirmation' ? null : hand.now,
  settled_at: status === 'settled' ? hand.now : null,
  updated_at: hand.now,
  version: hand.version,
});

const paymentRequest = (
  hand: Hand,
  status: StateOf<'payment_request'>,
): RecordOf<'payment_request'> => {
  const id = hand.id('payment_request');
  const merchant = hand.id('customer', 'merchant');
  const expires = addSeconds(hand.created, expiresInSeconds);
  return {
    id,
    object: 'payment_request',
    type: 'dynamic',
    merchant_customer_id: merchant,
    amount,
    currency: 'USD',
    order_reference: 'order-1001',
    collection_point: null,
    status,
    qr_payload: hand.qr.write({
      id,
      t: 'dynamic',
      mer: merchant,
      amt: amount,
      exp: Math.floor(Date.parse(expires) / 1000),
    }),
    expires_at: expires,
    paid_payment_id: status === 'paid' ? hand.id('payment') : null,
    created_at: hand.created,
    updated_at: hand.now,
    version: hand.version,
  };
};

const payment = (hand: Hand, status: StateOf<'payment'>): RecordOf<'payment'> => ({
  id: hand.id('payment'),
  object: 'payment',
  type: 'consumer_to_merchant',
  source: 'balance',
  payer_customer_id: hand.id('customer', 'payer'),
  payee_customer_id: hand.id('customer', 'merchant'),
  payment_request_id: hand.id('payment_request'),
  amount,
  currency: 'USD',
  fees: [{ type: 'platform', amount: fee, paid_by: 'payee' }],
  net_amount: amount - fee,
  refunded_amount: status === 'refunded' ? amount : status === 'partially_refunded' ? 10_00 : 0,
  status,
  failure_code: status === 'failed' ? 'payee_not_eligible' : null,
  order_reference: 'order-1001',
  invoice_reference: null,
  description: 'Lunch for two',
  confirmation_session: null,
  created_at: hand.created,
  confirmed_at: oneOf(status, 'requires_confirmation', 'canceled') ? null : hand.now,
  completed_at: oneOf(status, 'completed', 'refunded', 'partially_refunded') ? hand.now : null,
  updated_at: hand.now,
  version: hand.version,
});

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
};
