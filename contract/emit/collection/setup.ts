import type { Json } from '../openapi/schemas.ts';
import { type Folder, type Step, simulate } from './step.ts';

const authentication: Folder = {
  name: 'Authentication',
  description: 'The access token of every other request.',
  steps: [
    {
      operation: 'createToken',
      body: {
        grant_type: 'client_credentials',
        client_id: '{{client_id}}',
        client_secret: '{{client_secret}}',
      },
      keep: { access_token: 'access_token' },
      expect: { token_type: 'Bearer' },
    },
  ],
};

const newCustomer = (type: string, who: string, prefill: Json): Step => ({
  operation: 'createCustomer',
  name: `Register ${who}`,
  before: 'new_customer',
  body: {
    type,
    external_ref: '{{external_ref}}',
    email: '{{external_ref}}@example.com',
    mobile_number: '{{mobile_number}}',
    prefill,
  },
  keep: {
    [who]: 'id',
    [`${who}_ref`]: 'external_ref',
    [`${who}_session`]: 'onboarding_session.id',
  },
  expect: { 'verification.status': 'created' },
});

const link = (who: string): Step => ({
  operation: 'createLinkedAccount',
  name: `Link a bank account of the ${who}`,
  path: { id: `{{${who}}}` },
  body: { public_token: 'public-sandbox-standard-{{$guid}}' },
  keep: { [`${who}_link`]: 'id' },
  expect: { status: 'pending' },
});

const people: Folder = {
  name: 'Customers',
  description: 'A payer and a merchant, from registration to approval.',
  steps: [
    newCustomer('individual', 'payer', { first_name: 'Ana', last_name: 'Reyes' }),
    newCustomer('business', 'merchant', { legal_name: 'Corner Cafe LLC' }),
    {
      operation: 'listCustomers',
      query: { external_ref: '{{payer_ref}}' },
      expect: { 'data.0.id': '{{payer}}' },
    },
    simulate('session.completed', 'payer_session', 'The payer goes through the onboarding'),
    simulate('session.completed', 'merchant_session', 'The merchant goes through the onboarding'),
    {
      operation: 'exchangeSession',
      body: { result_token: 'rt_test_{{payer_session}}' },
      expect: { status: 'completed', verification_status: 'pending' },
    },
    {
      operation: 'listDocuments',
      path: { id: '{{payer}}' },
      expect: { 'data.0.status': 'accepted' },
    },
    simulate('customer.approved', 'payer', 'The provider approves the payer'),
    { operation: 'listOwners', path: { id: '{{merchant}}' }, keep: { owner: 'data.0.id' } },
    simulate('owner.approved', 'owner', "The provider approves the merchant's owner"),
    simulate('customer.approved', 'merchant', 'The provider approves the merchant'),
    {
      operation: 'getCustomer',
      name: 'Get the merchant',
      path: { id: '{{merchant}}' },
      keep: { merchant_account: 'account_id' },
      expect: { 'verification.status': 'approved' },
    },
    {
      operation: 'listAccounts',
      query: { customer_id: '{{payer}}' },
      keep: { payer_account: 'data.0.id' },
      expect: { 'data.0.status': 'active' },
    },
  ],
};

const banks: Folder = {
  name: 'Bank linking',
  description: 'A bank account of each of them, checked by the aggregator.',
  steps: [
    { operation: 'createLinkToken', path: { id: '{{payer}}' }, body: { platform: 'ios' } },
    link('payer'),
    simulate('linked_account.verified', 'payer_link', 'The checks succeed'),
    link('merchant'),
    simulate('linked_account.verified', 'merchant_link', 'The checks succeed here too'),
    {
      operation: 'listLinkedAccounts',
      path: { id: '{{payer}}' },
      expect: { 'data.0.status': 'verified' },
    },
  ],
};

/** The customers, before money moves. */
export const setupFolders: readonly Folder[] = [authentication, people, banks];
