import Type from 'typebox';
import { Closed, IdInput, Instant, Nullable, OneOf, Readable, Text } from '../core/schema.ts';
import { DocumentVersion, documentTypes, LegalText } from '../resources/documents.ts';
import { ownerRoles } from '../resources/owners.ts';
import { Pin } from './confirm.ts';
import { hostedEndpoint } from './endpoint.ts';
import { Verdict } from './session.ts';
import { BusinessData, OwnerView, PersonData, View } from './view.ts';

/** The flows that confirm no record (rules/sessions#1). */

const Mobile = Text(32, 'A US number');
const Email = Type.String({ format: 'email', maxLength: 254 });

/** The versions that the page showed: no other is accepted (rules/documents#19). */
const ReadDocuments = Type.Array(DocumentVersion, { minItems: 1, maxItems: documentTypes.length });

/**
 * Sends a code of six digits, valid for ten minutes and five tries (rules/hosted#22). Onboarding
 * and pin_reset: to the customer's number, or in onboarding to another number that is given;
 * contact_change: to the new address or number, which must be given.
 */
export const sendCode = hostedEndpoint({
  id: 'hostedSendCode',
  method: 'POST',
  path: '/hosted/api/code',
  summary: 'Send a code to verify a number or an address',
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
      /** Sandbox only: the code. */
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
  summary: 'Verify the number or address by the code',
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

/** The whole application at once, after the code was verified. `person` for an individual. */
export const submitOnboarding = hostedEndpoint({
  id: 'hostedSubmitOnboarding',
  method: 'POST',
  path: '/hosted/api/onboarding',
  summary: 'Submit the application; identity data goes to the provider and is not stored',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({
    person: Type.Optional(Nullable(PersonData)),
    business: Type.Optional(Nullable(BusinessData)),
    accepts_documents: ReadDocuments,
    /** Required where the customer has none yet. */
    pin: Type.Optional(Nullable(Pin)),
  }),
  success: { status: 200, schema: View },
  errors: ['parameter_missing', 'parameter_invalid', 'session_invalid', 'invalid_state'],
});

const OwnerInput = Closed({
  name: Readable(100, 'The name as entered by the merchant'),
  role: OneOf(ownerRoles),
  ownership_percent: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
});

/** With `person` the owner is present and submits at once; with `email` the owner gets a link. */
export const nameOwner = hostedEndpoint({
  id: 'hostedNameOwner',
  method: 'POST',
  path: '/hosted/api/owners',
  summary: 'Name an owner of the business: present, or invited by a link valid for seven days',
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
 * Sends the link again to an owner who is invited or may try again. A correction is part of this
 * move, so an owner who has submitted is never changed (rules/owners#10).
 */
export const inviteOwnerAgain = hostedEndpoint({
  id: 'hostedInviteOwnerAgain',
  method: 'POST',
  path: '/hosted/api/owners/:id/invite',
  summary: "Send an owner's link again, with corrections if there are any",
  idempotent: 'none',
  key: 'bearer',
  params: Closed({ id: IdInput('Owner') }),
  body: Closed({
    /** Replaces the owner's data as a whole; absent: unchanged. */
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

/**
 * After the mobile code. The provider checks that the answers are those of the individual, or of the
 * business and its control person (rules/hosted#18).
 */
export const resetPin = hostedEndpoint({
  id: 'hostedResetPin',
  method: 'POST',
  path: '/hosted/api/pin-reset',
  summary: 'Set a new PIN, which unlocks it, after mobile code and identity check',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({
    /** The birth date of the individual, or of the control person of the business. */
    birth_date: Type.String({ format: 'date' }),
    ssn_last4: Type.String({ pattern: '^[0-9]{4}$', 'x-secret': true }),
    /** Required for a business. */
    ein: Type.Optional(Nullable(Type.String({ pattern: '^[0-9]{9}$', 'x-secret': true }))),
    pin: Pin,
  }),
  success: { status: 200, schema: View },
  errors: ['parameter_missing', 'parameter_invalid', 'session_invalid', 'invalid_state'],
});

/** After the code to the new address or number; the PIN proves that the customer asked for it. */
export const changeContact = hostedEndpoint({
  id: 'hostedChangeContact',
  method: 'POST',
  path: '/hosted/api/contact',
  summary: 'Change to the verified address or number, by PIN',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({ pin: Pin }),
  success: { status: 200, schema: Verdict },
  errors: ['duplicate_mobile_number', 'session_invalid', 'invalid_state'],
});

/** Word for word what `decideTerms`, or the submission in onboarding, accepts. */
export const readDocuments = hostedEndpoint({
  id: 'hostedReadDocuments',
  method: 'GET',
  path: '/hosted/api/documents',
  summary: 'Read the documents that the session shows',
  idempotent: 'none',
  key: 'bearer',
  success: {
    status: 200,
    schema: Closed({
      documents: Type.Array(
        Closed({
          ...LegalText.properties,
          effective_at: Nullable(
            Instant('From when on it holds for this customer; null: from the acceptance on'),
          ),
        }),
      ),
      is_waiting: Type.Boolean({ description: 'False: none is to be accepted, all are in force' }),
      sample_statement_url: Type.String({
        description:
          'A sample statement as PDF, with `?language=es` in Spanish: an individual opens it before the application',
      }),
    }),
  },
  errors: [],
});

export const decideTerms = hostedEndpoint({
  id: 'hostedDecideTerms',
  method: 'POST',
  path: '/hosted/api/terms',
  summary: 'Accept the waiting documents, or decline and leave them waiting',
  idempotent: 'none',
  key: 'bearer',
  body: Closed({
    decision: OneOf(['accepted', 'declined']),
    /** Required to accept. */
    documents: Type.Optional(Nullable(ReadDocuments)),
  }),
  success: { status: 200, schema: View },
  errors: ['parameter_missing', 'parameter_invalid', 'session_invalid', 'invalid_state'],
});

export const openOwnerLink = hostedEndpoint({
  id: 'hostedOpenOwnerLink',
  method: 'POST',
  path: '/hosted/api/owner/open',
  summary: "Open an owner's link",
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
  summary: 'Submit the identity data of an owner by the link',
  idempotent: 'none',
  key: 'none',
  body: Closed({ token: Text(256, 'From the fragment'), person: PersonData }),
  success: { status: 200, schema: OwnerView },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});
