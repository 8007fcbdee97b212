import Type from 'typebox';
import { Closed, IdInput, Nullable, OneOf, Text } from '../core/schema.ts';
import { ownerRoles } from '../resources/owners.ts';
import { Pin } from './confirm.ts';
import { hostedEndpoint } from './endpoint.ts';
import { Verdict } from './session.ts';
import { BusinessData, OwnerView, PersonData, View } from './view.ts';

/** The flows that confirm no record (contract: hosted flows; decisions 1.1, 1.8). */

const Mobile = Text(32, 'A number of the United States');
const Email = Type.String({ format: 'email', maxLength: 254 });

/**
 * Sends a code of six digits, good for ten minutes and five tries. Onboarding and pin_reset: to the
 * customer's number, or in onboarding to another that it supplies; contact_change: to the new address
 * or number, which must be given.
 */
export const sendCode = hostedEndpoint({
  id: 'hostedSendCode',
  method: 'POST',
  path: '/hosted/api/code',
  summary: 'Send a code to prove a number or an address',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({
    mobile_number: Type.Optional(Nullable(Mobile)),
    email: Type.Optional(Nullable(Email)),
  }),
  success: {
    status: 200,
    schema: Closed({
      sent_to: Type.String({ description: 'Masked' }),
      /** Sandbox alone: what the code will be. */
      hint: Nullable(Type.String()),
    }),
  },
  errors: [
    'parameter_missing',
    'parameter_invalid',
    'duplicate_mobile_number',
    'session_invalid',
    'invalid_state',
  ],
});

export const checkCode = hostedEndpoint({
  id: 'hostedCheckCode',
  method: 'POST',
  path: '/hosted/api/code/check',
  summary: 'Prove the number or address by the code',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({ code: Type.String({ pattern: '^[0-9]{6}$', 'x-secret': true }) }),
  success: {
    status: 200,
    schema: Closed({
      is_right: Type.Boolean(),
      tries_left: Type.Integer({ minimum: 0, maximum: 5 }),
      view: View,
    }),
  },
  errors: ['session_invalid', 'invalid_state'],
});

/** All of an application at once; the code has been proven before. `person` of an individual. */
export const submitOnboarding = hostedEndpoint({
  id: 'hostedSubmitOnboarding',
  method: 'POST',
  path: '/hosted/api/onboarding',
  summary: 'Submit the application: identity data goes to the provider and is not kept',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({
    person: Type.Optional(Nullable(PersonData)),
    business: Type.Optional(Nullable(BusinessData)),
    accepts_documents: Type.Literal(true),
    /** Only where the customer has none yet may it not be absent. */
    pin: Type.Optional(Nullable(Pin)),
  }),
  success: { status: 200, schema: View },
  errors: ['parameter_missing', 'parameter_invalid', 'session_invalid', 'invalid_state'],
});

const OwnerInput = Closed({
  name: Text(100, 'As entered by the merchant'),
  role: OneOf(ownerRoles),
  ownership_percent: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
});

/** With `person` the owner is present and submits at once; with `email` it is sent a link. */
export const nameOwner = hostedEndpoint({
  id: 'hostedNameOwner',
  method: 'POST',
  path: '/hosted/api/owners',
  summary: 'Name an owner of the business: present, or invited by a link that lives seven days',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({
    owner: OwnerInput,
    person: Type.Optional(Nullable(PersonData)),
    email: Type.Optional(Nullable(Email)),
  }),
  success: { status: 200, schema: View },
  errors: ['parameter_missing', 'parameter_invalid', 'session_invalid', 'invalid_state'],
});

/**
 * The link again, to whoever is invited or may try again. What the merchant corrects goes with it: a
 * change of an owner joins the move `resend` or `invite_again`, so that nobody who has submitted is changed.
 */
export const inviteOwnerAgain = hostedEndpoint({
  id: 'hostedInviteOwnerAgain',
  method: 'POST',
  path: '/hosted/api/owners/:id/invite',
  summary: "Send an owner's link again, corrected where the merchant was mistaken",
  idempotent: 'none',
  key: 'bearer',
  params: Closed({ id: IdInput('Owner') }),
  body: Closed({
    /** Whole, in place of what was named; absent: as it was. */
    owner: Type.Optional(Nullable(OwnerInput)),
    email: Type.Optional(Nullable(Email)),
  }),
  success: { status: 200, schema: View },
  errors: [
    'not_found',
    'parameter_missing',
    'parameter_invalid',
    'session_invalid',
    'invalid_state',
  ],
});

/** After the mobile code; the provider is asked whether these are the customer's. */
export const resetPin = hostedEndpoint({
  id: 'hostedResetPin',
  method: 'POST',
  path: '/hosted/api/pin-reset',
  summary: 'Set a new PIN, which unlocks it: mobile code and identity check come first',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({
    birth_date: Type.Optional(Nullable(Type.String({ format: 'date' }))),
    /** Of an individual the last four of the SSN, of a business those of the EIN. */
    tax_id_last4: Type.String({ pattern: '^[0-9]{4}$', 'x-secret': true }),
    pin: Pin,
  }),
  success: { status: 200, schema: View },
  errors: ['parameter_missing', 'parameter_invalid', 'session_invalid', 'invalid_state'],
});

/** After the code to the new address or number; the PIN proves that it is the customer who asks. */
export const changeContact = hostedEndpoint({
  id: 'hostedChangeContact',
  method: 'POST',
  path: '/hosted/api/contact',
  summary: 'Take the address or number that was proven, by PIN',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({ pin: Pin }),
  success: { status: 200, schema: Verdict },
  errors: ['duplicate_mobile_number', 'session_invalid', 'invalid_state'],
});

export const decideTerms = hostedEndpoint({
  id: 'hostedDecideTerms',
  method: 'POST',
  path: '/hosted/api/terms',
  summary: 'Accept what waits, or decline and leave it as it is',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({ decision: OneOf(['accepted', 'declined']) }),
  success: { status: 200, schema: View },
  errors: ['session_invalid', 'invalid_state'],
});

export const openOwnerLink = hostedEndpoint({
  id: 'hostedOpenOwnerLink',
  method: 'POST',
  path: '/hosted/api/owner/open',
  summary: 'What an owner sees who follows the link',
  idempotent: 'none',
  key: 'none',
  body: Closed({ token: Text(256, 'From the fragment') }),
  success: { status: 200, schema: OwnerView },
  errors: ['session_invalid'],
});

export const submitOwner = hostedEndpoint({
  id: 'hostedSubmitOwner',
  method: 'POST',
  path: '/hosted/api/owner',
  summary: 'The owner submits its identity data by the link',
  idempotent: 'none',
  key: 'none',
  body: Closed({ token: Text(256, 'From the fragment'), person: PersonData }),
  success: { status: 200, schema: OwnerView },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});
