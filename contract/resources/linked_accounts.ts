import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { failureCodesOf } from '../core/failure_codes.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata } from '../core/metadata.ts';
import { List } from '../core/page.ts';
import { recordRead } from '../core/reads.ts';
import {
  Closed,
  Extension,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Secret,
  Text,
  Version,
} from '../core/schema.ts';

export const bankAccountTypes = ['checking', 'savings'] as const;
export const linkLocales = ['en', 'es'] as const;
export const linkPlatforms = ['web', 'ios', 'android'] as const;

/**
 * A customer's bank account (rules/linking#11). A customer has at most one that is pending,
 * held_for_review or verified (rules/linking#8).
 */
export const linkedAccountLifecycle = lifecycle(
  'linked_account',
  ['pending', 'held_for_review', 'verified', 'failed', 'removed'],
  {
    create: { from: 'new', to: 'pending', by: 'tenant' },
    verify: {
      from: ['pending'],
      to: 'verified',
      by: 'aggregator',
      simulate: 'linked_account.verified',
    },
    /** The reviewer's is of a link whose check nobody answers (rules/linking#11). */
    fail: {
      from: ['pending'],
      to: 'failed',
      by: ['aggregator', 'reviewer'],
      simulate: 'linked_account.failed',
    },
    hold_for_review: {
      from: ['pending'],
      to: 'held_for_review',
      by: 'aggregator',
      simulate: 'linked_account.held_for_review',
    },
    review_verify: {
      from: ['held_for_review'],
      to: 'verified',
      by: 'reviewer',
      simulate: 'linked_account.verified',
    },
    review_reject: {
      from: ['held_for_review'],
      to: 'failed',
      by: 'reviewer',
      simulate: 'linked_account.failed',
    },
    bank_closed: {
      from: ['verified'],
      to: 'failed',
      by: ['bank', 'aggregator'],
      simulate: 'linked_account.failed',
    },
    release_hold: {
      from: ['verified'],
      to: 'same',
      by: ['service', 'reviewer'],
      event: 'linked_account.updated',
      simulate: 'linked_account.hold_released',
    },
    need_login: {
      from: ['verified'],
      to: 'same',
      by: 'aggregator',
      event: 'linked_account.updated',
      simulate: 'linked_account.needs_login',
    },
    restore_login: {
      from: ['verified'],
      to: 'same',
      by: 'aggregator',
      event: 'linked_account.updated',
      simulate: 'linked_account.login_restored',
    },
    refresh: {
      from: ['verified'],
      to: 'same',
      by: 'aggregator',
      event: 'linked_account.updated',
    },
    remove: { from: ['verified', 'failed', 'held_for_review'], to: 'removed', by: 'tenant' },
  },
);

export const LinkToken = Closed({
  object: Type.Literal('link_token'),
  link_token: Secret("Token that opens the aggregator's linking widget"),
  expiration: Instant('End of the time in which the widget can be opened'),
});
export type LinkToken = Static<typeof LinkToken>;

export const Capabilities = Closed({
  withdrawal: Type.Boolean({ description: 'Bank can receive RTP credit transfers' }),
  load: Type.Boolean({ description: 'Bank can receive a Request for Payment' }),
  pay_by_bank: Type.Boolean({ description: 'Same capability applied to pay by bank' }),
});
export type Capabilities = Static<typeof Capabilities>;

export const LinkedAccount = Closed({
  id: Id('Linked account identifier'),
  object: Type.Literal('linked_account'),
  customer_id: Id('Customer'),
  status: OneOf(linkedAccountLifecycle.states),
  institution_name: Type.String(),
  account_type: OneOf(bankAccountTypes),
  account_mask: Type.String({ description: 'Last four digits' }),
  capabilities: Capabilities,
  withdrawal_hold_until: Nullable(
    Instant('Withdrawals to a newly linked account are held until this time'),
  ),
  failure_code: Nullable(OneOf(failureCodesOf('linked_account'), 'Reason for a failed link')),
  created_at: Instant('Creation time'),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
  needs_login_at: Extension(
    Nullable(
      Instant(
        'The time from which the customer must sign in at the bank again; null: they have; absent: they never had to',
      ),
    ),
  ),
});
export type LinkedAccount = Static<typeof LinkedAccount>;

/** Names that were compared, or are to be. */
export const HolderMatch = Closed({
  customer_name: Type.String({ description: "The customer's name" }),
  holders: Type.Array(Type.String(), {
    description: "The account's holders, as the bank names them",
  }),
  score: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How much they are one; null: not compared',
    }),
  ),
});

/** A link as reviewers see it. */
export const HeldLinkedAccount = Closed({
  ...LinkedAccount.properties,
  institution_id: Nullable(Type.String({ description: "The aggregator's id of the bank" })),
  holder_match: Nullable(HolderMatch),
});
export type HeldLinkedAccount = Static<typeof HeldLinkedAccount>;

const customerPath = Closed({ id: IdInput('Customer identifier') });

export const createLinkToken = endpoint({
  id: 'createLinkToken',
  method: 'POST',
  path: '/v1/customers/:id/link-tokens',
  summary: "Get a token that opens the aggregator's linking widget",
  idempotent: 'required',
  params: customerPath,
  body: Closed({
    platform: OneOf(linkPlatforms),
    redirect_uri: Type.Optional(
      Nullable(Text(2048, "Required for web; the Tenant's registered bank-linking return page")),
    ),
    linked_account_id: Extension(
      IdInput('A verified linked account whose customer signs in at the bank again'),
    ),
    locale: Extension(OneOf(linkLocales, 'Language in which the widget opens')),
    android_package: Extension(
      Text(255, "The application's name on Android, to which the bank returns"),
    ),
  }),
  success: { status: 201, schema: LinkToken },
  errors: [
    'parameter_invalid',
    'parameter_missing',
    'not_found',
    'account_restricted',
    'customer_not_verified',
  ],
});

export const createLinkedAccount = endpoint({
  id: 'createLinkedAccount',
  method: 'POST',
  path: '/v1/customers/:id/linked-accounts',
  summary: 'Link a bank account; its checks run afterwards',
  idempotent: 'required',
  params: customerPath,
  body: Closed({
    public_token: Text(512, 'From the aggregator'),
    aggregator_account_id: Type.Optional(
      Nullable(Text(256, 'Account selected when the customer had several')),
    ),
    metadata: Metadata,
  }),
  success: { status: 201, schema: LinkedAccount },
  errors: ['not_found', 'linked_account_exists', 'customer_not_verified', 'link_token_mismatch'],
});

export const listLinkedAccounts = endpoint({
  id: 'listLinkedAccounts',
  method: 'GET',
  path: '/v1/customers/:id/linked-accounts',
  summary: 'List linked accounts, removed ones too, newest first',
  idempotent: 'none',
  params: customerPath,
  success: { status: 200, schema: List(LinkedAccount) },
  errors: ['not_found'],
});

export const removeLinkedAccount = endpoint({
  id: 'removeLinkedAccount',
  method: 'DELETE',
  path: '/v1/customers/:id/linked-accounts/:linked_account_id',
  summary: 'Remove a linked account',
  idempotent: 'honored',
  params: Closed({
    id: IdInput('Customer identifier'),
    linked_account_id: IdInput('Linked account identifier'),
  }),
  success: { status: 200, schema: LinkedAccount },
  errors: ['not_found', 'invalid_state'],
});

export const getLinkedAccount = recordRead(
  'getLinkedAccount',
  '/v1/linked-accounts/:id',
  'Get a linked account',
  LinkedAccount,
);
