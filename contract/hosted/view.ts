import Type, { type Static } from 'typebox';
import { feeBearers, feeTypes } from '../core/fees.ts';
import { identityDocumentKinds } from '../core/identity_documents.ts';
import { Industry } from '../core/industries.ts';
import { Cents } from '../core/money.ts';
import { Closed, Day, Id, Instant, Nullable, OneOf, Readable, Text } from '../core/schema.ts';
import { Settings } from '../core/settings.ts';
import { customerTypes } from '../resources/customers.ts';
import { DocumentVersion } from '../resources/documents.ts';
import { Owner } from '../resources/owners.ts';
import { flows, sessionLifecycle, targetTypes } from '../resources/sessions.ts';
import { verificationStatuses } from '../resources/verification.ts';

/** The JSON that a hosted page shows: what the customer must see to decide, and nothing else. */

/** The source or destination of money, in words: `Digital Account`, or institution and mask. */
const Place = Closed({
  type: OneOf(['balance', 'bank_account']),
  institution_name: Nullable(Type.String()),
  account_mask: Nullable(Type.String({ description: 'Last four digits' })),
});
export type Place = Static<typeof Place>;

/** The record of a payment_confirm session. */
export const Confirmation = Closed({
  type: OneOf(targetTypes),
  id: Id('The record'),
  status: Type.String({ description: "The record's status" }),
  failure_code: Nullable(Type.String()),
  amount: Cents,
  /** Only payments have fees. */
  fees: Type.Array(Closed({ type: OneOf(feeTypes), amount: Cents, paid_by: OneOf(feeBearers) })),
  total: Type.Integer({ description: 'Amount and payer fees, in cents' }),
  counterparty: Nullable(
    Type.String({
      description: 'Trading name of the payee; for a refund, the payer as the merchant sees it',
    }),
  ),
  /** Somebody else asked for it, by a payment request: the customer declines, and does not cancel. */
  is_requested: Type.Boolean(),
  collection_point: Nullable(Type.String()),
  description: Nullable(Type.String()),
  order_reference: Nullable(Type.String()),
  invoice_reference: Nullable(Type.String()),
  from: Place,
  to: Nullable(Place),
});
export type Confirmation = Static<typeof Confirmation>;

const Terms = Closed({
  ...DocumentVersion.properties,
  is_waiting: Type.Boolean({ description: 'False: in force, shown because no document waits' }),
});

/** Papers for the identity check; null: its provider takes none here. */
const Papers = Nullable(
  Closed({
    wanted: Type.Array(OneOf(identityDocumentKinds)),
    given: Type.Array(OneOf(identityDocumentKinds)),
  }),
);

/** The view of an onboarding session. */
const Onboarding = Closed({
  status: OneOf(verificationStatuses),
  retry_available_at: Nullable(Instant('When a rejected customer may apply again')),
  is_more_requested: Type.Boolean({ description: 'A reviewer asked for the data again' }),
  /** From the Tenant's prefill, or from an earlier application. */
  names: Closed({
    first_name: Nullable(Type.String()),
    last_name: Nullable(Type.String()),
    legal_name: Nullable(Type.String()),
    trading_name: Nullable(Type.String()),
    industry: Nullable(Type.String()),
  }),
  documents: Type.Array(DocumentVersion),
  identity_documents: Papers,
  /** Whoever has applied may have to do something at the identity provider itself. */
  has_identity_step: Type.Boolean(),
  owners: Type.Array(Owner),
  /** The industries that a business chooses from; empty for an individual. */
  industries: Type.Array(Industry),
});

/** The kinds of device that keep a passkey, as far as it says so (rules/hosted#38). */
export const passkeyKinds = ['device', 'phone', 'security_key', 'unknown'] as const;

const Passkey = Closed({
  id: Id('Passkey'),
  name: Nullable(Type.String({ description: 'Name of its keeper: iCloud Keychain' })),
  kind: OneOf(passkeyKinds),
  created_at: Instant('Added'),
  last_used_at: Nullable(Instant('Last used here')),
});
export type Passkey = Static<typeof Passkey>;

export const View = Closed({
  object: Type.Literal('hosted_view'),
  session_id: Id('Session'),
  flow: OneOf(flows),
  status: OneOf(sessionLifecycle.states),
  environment: OneOf(['sandbox', 'production']),
  branding: Settings.properties.branding,
  return_url: Nullable(Type.String()),
  now: Instant("Time of the Tenant's clock, for every date on the page"),
  /** Null while the session is open. Of a confirmation: when the record was confirmed or declined. */
  ended_at: Nullable(Instant('When the session ended')),
  /** Null once the session has ended. */
  time: Nullable(
    Closed({
      seconds_left: Type.Integer({ description: 'Until it ends if nothing happens' }),
      longest_seconds_left: Type.Integer({ description: 'Until its maximum lifetime ends' }),
    }),
  ),
  customer: Closed({
    type: OneOf(customerTypes),
    display_name: Nullable(Type.String()),
    email: Type.String({ description: 'Masked: a•••@example.com' }),
    mobile_number_last4: Type.String(),
    has_pin: Type.Boolean(),
    /** Sandbox only: the PIN that it gave to this customer, whom it made (rules/hosted#42). */
    sandbox_pin: Nullable(Type.String()),
    is_pin_locked: Type.Boolean(),
    /** Too many resets have failed: only a reviewer can allow another. */
    is_pin_reset_closed: Type.Boolean(),
    has_passkey: Type.Boolean(),
  }),
  /** A message code was verified in this session. */
  is_code_verified: Type.Boolean(),
  /** A correct PIN was given in this session: a passkey may be added. */
  may_add_passkey: Type.Boolean(),
  /** PIN or passkey was given in this session: passkeys may be removed. */
  may_remove_passkeys: Type.Boolean(),
  /** In contact_change and pin_reset, newest first. */
  passkeys: Nullable(Type.Array(Passkey)),
  has_result: Type.Boolean({ description: 'POST /hosted/api/result gives a result token' }),
  confirmation: Nullable(Confirmation),
  onboarding: Nullable(Onboarding),
  terms: Nullable(Type.Array(Terms)),
  terms_decision: Nullable(OneOf(['accepted', 'declined'])),
});
export type View = Static<typeof View>;

/** The JSON that the page of an owner shows. */
export const OwnerView = Closed({
  object: Type.Literal('hosted_owner_view'),
  environment: OneOf(['sandbox', 'production']),
  branding: Settings.properties.branding,
  business_name: Type.String(),
  owner_name: Type.String(),
  role: Owner.properties.role,
  ownership_percent: Owner.properties.ownership_percent,
  status: Owner.properties.verification_status,
  identity_documents: Papers,
  now: Instant("Time of the Tenant's clock"),
  expires_at: Instant('When the link ends'),
});
export type OwnerView = Static<typeof OwnerView>;

const Address = Closed({
  line1: Readable(100, 'Street'),
  line2: Nullable(Readable(100, 'Flat, suite')),
  city: Readable(100, 'City'),
  state: Type.String({ pattern: '^[A-Z]{2}$', description: 'Two letters' }),
  postal_code: Type.String({ pattern: '^[0-9]{5}(-[0-9]{4})?$' }),
});

/** Identity data of a person: passed to the provider and not stored (rules/customers#21). */
export const PersonData = Closed({
  first_name: Readable(100, 'Given names'),
  last_name: Readable(100, 'Family name'),
  birth_date: Day('At least 18 years ago'),
  ssn: Type.String({
    pattern: '^[0-9]{9}$',
    'x-secret': true,
    description: 'Social Security number or ITIN',
  }),
  address: Address,
});
export type PersonData = Static<typeof PersonData>;

/** Identity data of a business. */
export const BusinessData = Closed({
  legal_name: Readable(100, 'As registered'),
  trading_name: Nullable(Readable(100, 'Shown to payers')),
  industry: Nullable(Text(100, "Key of the program's list of industries")),
  ein: Type.String({ pattern: '^[0-9]{9}$', 'x-secret': true }),
  address: Address,
});
export type BusinessData = Static<typeof BusinessData>;
