import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata, MetadataFilter } from '../core/metadata.ts';
import { List, pageQuery } from '../core/page.ts';
import { madeBetween } from '../core/reads.ts';
import {
  Closed,
  Extension,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  ReadableAsGiven,
  Text,
  Version,
} from '../core/schema.ts';
import { ConfirmationSession } from './sessions.ts';
import { verificationStatuses } from './verification.ts';

export const customerTypes = ['individual', 'business'] as const;
export const ownersStatuses = ['not_started', 'pending', 'complete'] as const;

/**
 * A customer's verification (rules/customers#8). A change without a status move (email, PIN lock,
 * business fields, owners_status) is `customer.updated`.
 */
export const customerLifecycle = lifecycle('customer', verificationStatuses, {
  create: { from: 'new', to: 'created', by: 'tenant' },
  submit: {
    from: ['created', 'rejected'],
    to: 'pending',
    by: 'customer',
    simulate: 'customer.pending',
  },
  approve: {
    from: ['pending', 'in_review'],
    to: 'approved',
    by: ['identity', 'reviewer'],
    simulate: 'customer.approved',
  },
  reject: {
    from: ['pending', 'in_review'],
    to: 'rejected',
    by: ['identity', 'reviewer'],
    simulate: 'customer.rejected',
  },
  unclear: { from: ['pending'], to: 'in_review', by: 'identity', simulate: 'customer.in_review' },
  request_more: {
    from: ['in_review'],
    to: 'pending',
    by: 'reviewer',
    simulate: 'customer.pending',
  },
  // The application is withdrawn before any approval (rules/closing#2): rejected for good.
  withdraw: { from: ['created', 'pending', 'rejected'], to: 'rejected', by: 'tenant' },
  review: {
    from: ['approved'],
    to: 'in_review',
    by: ['identity', 'reviewer'],
    simulate: 'customer.in_review',
  },
});

export const Verification = Closed({
  status: OneOf(customerLifecycle.states),
  updated_at: Instant('Last change of the verification'),
  retry_available_at: Nullable(Instant('For rejected customers, when a new application may start')),
});
export type Verification = Static<typeof Verification>;

export const BusinessProfile = Closed({
  legal_name: Nullable(Type.String({ description: 'Present once captured on the hosted screen' })),
  trading_name: Nullable(Type.String({ description: 'Shown to payers' })),
  industry: Nullable(Type.String({ description: "From the program's industry list, by its key" })),
  owners_status: OneOf(ownersStatuses),
});
export type BusinessProfile = Static<typeof BusinessProfile>;

export const Customer = Closed({
  id: Id('Customer identifier'),
  object: Type.Literal('customer'),
  type: OneOf(customerTypes),
  external_ref: Type.String({ description: "The Tenant's reference, unique within the Tenant" }),
  email: Type.String({
    description: 'The address as supplied or as changed in the contact_change flow',
  }),
  mobile_number_last4: Type.String({
    description: 'Last four digits of the verified mobile number',
  }),
  business: Nullable(BusinessProfile),
  verification: Verification,
  account_id: Nullable(Id('Present once the customer is approved')),
  pin_locked: Type.Boolean({ description: 'True while the PIN is locked after failed attempts' }),
  onboarding_session: Nullable(ConfirmationSession),
  created_at: Instant('Creation time'),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
});
export type Customer = Static<typeof Customer>;

const customerPath = Closed({ id: IdInput('Customer identifier') });

const Prefill = Closed(
  {
    first_name: Type.Optional(ReadableAsGiven(100)),
    last_name: Type.Optional(ReadableAsGiven(100)),
    legal_name: Type.Optional(ReadableAsGiven(100)),
  },
  'first_name and last_name for an individual, legal_name for a business',
);

export const createCustomer = endpoint({
  id: 'createCustomer',
  method: 'POST',
  path: '/v1/customers',
  summary: 'Register a customer and start onboarding',
  idempotent: 'required',
  body: Closed({
    type: OneOf(customerTypes),
    external_ref: Text(64, "The Tenant's reference, unique within the Tenant"),
    email: Type.String({ format: 'email', maxLength: 254 }),
    mobile_number: Type.String({
      pattern: '^\\+1[2-9][0-9]{9}$',
      description: 'US number in E.164',
    }),
    prefill: Type.Optional(Nullable(Prefill)),
    metadata: Metadata,
  }),
  success: { status: 201, schema: Customer },
  errors: [
    'parameter_invalid',
    'parameter_missing',
    'flow_not_enabled',
    'duplicate_external_ref',
    'duplicate_mobile_number',
  ],
});

/** The contract has `external_ref` alone, and asks for it; any other makes it a list of all (rules/reads#5). */
export const listCustomers = endpoint({
  id: 'listCustomers',
  method: 'GET',
  path: '/v1/customers',
  summary: "Find a customer by the Tenant's reference, or list them, newest first",
  idempotent: 'none',
  query: Closed({
    external_ref: Type.Optional(
      Text(64, "The Tenant's reference; required where nothing else is given"),
    ),
    status: Extension(OneOf(customerLifecycle.states)),
    from: Extension(madeBetween.from),
    to: Extension(madeBetween.to),
    metadata: MetadataFilter,
    limit: Extension(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Extension(pageQuery.cursor),
  }),
  success: { status: 200, schema: List(Customer) },
  errors: ['parameter_missing', 'parameter_invalid'],
});

export const getCustomer = endpoint({
  id: 'getCustomer',
  method: 'GET',
  path: '/v1/customers/:id',
  summary: 'Get a customer',
  idempotent: 'none',
  params: customerPath,
  success: { status: 200, schema: Customer },
  errors: ['not_found'],
});

export const closingReasons = ['customer_request', 'tenant_request'] as const;

export const closeCustomer = endpoint({
  id: 'closeCustomer',
  method: 'POST',
  path: '/v1/customers/:id/close',
  summary: "Close the customer's Digital Account, or withdraw its application",
  idempotent: 'required',
  params: customerPath,
  body: Closed({ reason: OneOf(closingReasons) }),
  success: { status: 202, schema: Customer },
  errors: ['not_found', 'invalid_state'],
});
