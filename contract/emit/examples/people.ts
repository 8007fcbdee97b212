import type { Json } from '../openapi/schemas.ts';
import { at, ids, tokenOf } from './story.ts';

const verification = {
  status: 'approved',
  updated_at: at('15:02:10'),
  retry_available_at: null,
};

const customer = {
  id: ids.ana,
  object: 'customer',
  type: 'individual',
  external_ref: 'user-4711',
  email: 'ana.reyes@example.com',
  mobile_number_last4: '0101',
  business: null,
  verification,
  account_id: ids.anaAccount,
  pin_locked: false,
  onboarding_session: null,
  created_at: at('15:00:00'),
  updated_at: at('15:02:10'),
  version: 3,
};

export const businessProfile = {
  legal_name: 'Corner Cafe LLC',
  trading_name: 'Corner Cafe',
  industry: null,
  owners_status: 'complete',
};

/** People and their bank accounts, as a GET shows them, by schema name. */
export const peopleExamples: Readonly<Record<string, Json>> = {
  Token: {
    access_token: tokenOf('at'),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'tenant',
  },
  Session: {
    id: ids.session,
    object: 'session',
    flow: 'pin_reset',
    customer_id: ids.ana,
    target: null,
    status: 'created',
    token: tokenOf('st'),
    return_url: null,
    expires_at: at('15:25:00'),
    created_at: at('15:10:00'),
  },
  SessionOutcome: {
    object: 'session_outcome',
    session_id: ids.session,
    flow: 'payment_confirm',
    status: 'completed',
    customer_id: ids.ana,
    verification_status: null,
    target: { type: 'payment', id: ids.payment },
    target_status: 'completed',
    terms_decision: null,
  },
  Customer: customer,
  Owner: {
    id: ids.owner,
    object: 'owner',
    customer_id: ids.cafe,
    name: 'Sam Park',
    role: 'owner_and_control_person',
    ownership_percent: 100,
    verification_status: 'approved',
    invited_at: null,
    updated_at: at('15:02:00'),
  },
  DocumentAcceptance: {
    id: ids.document,
    object: 'document_acceptance',
    customer_id: ids.ana,
    document_type: 'digital_account_terms',
    version: '1',
    status: 'accepted',
    accepted_at: at('15:01:30'),
    channel: 'onboarding',
  },
  LinkToken: {
    object: 'link_token',
    link_token: tokenOf('link-sandbox'),
    expiration: at('19:03:00'),
  },
  LinkedAccount: {
    id: ids.linkedAccount,
    object: 'linked_account',
    customer_id: ids.ana,
    status: 'verified',
    institution_name: 'Standard Bank',
    account_type: 'checking',
    account_mask: '1234',
    capabilities: { withdrawal: true, load: true, pay_by_bank: true },
    withdrawal_hold_until: null,
    failure_code: null,
    created_at: at('15:03:00'),
    updated_at: at('15:03:05'),
    version: 2,
  },
  Account: {
    id: ids.anaAccount,
    object: 'account',
    customer_id: ids.ana,
    type: 'consumer',
    status: 'active',
    currency: 'USD',
    opened_at: at('15:02:10'),
    closed_at: null,
    updated_at: at('15:02:10'),
    version: 1,
  },
};
