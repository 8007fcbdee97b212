import Type, { type Static } from 'typebox';
import { documentLimits, identityDocumentKinds } from '../core/identity_documents.ts';
import { Closed, OneOf } from '../core/schema.ts';
import { hostedEndpoint } from './endpoint.ts';
import { OwnerView, View } from './view.ts';

/** A file in base64, and what goes with it. */
const mostBody = Math.ceil(documentLimits.bytes / 3) * 4 + 1_000;

const Given = Closed({
  kind: OneOf(identityDocumentKinds),
  file: Type.String({
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    maxLength: Math.ceil(documentLimits.bytes / 3) * 4,
    'x-secret': true,
    description: `In base64, at most ${documentLimits.bytes} bytes`,
  }),
});
export type IdentityDocumentGiven = Static<typeof Given>;

export const giveIdentityDocument = hostedEndpoint({
  id: 'hostedGiveIdentityDocument',
  method: 'POST',
  path: '/hosted/api/identity-documents',
  summary: 'Give a document for the identity check: a JPEG or PNG image, or a PDF file',
  idempotent: 'none',
  key: 'bearer',
  largestBody: mostBody,
  body: Given,
  success: { status: 200, schema: View },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});

export const giveOwnerDocument = hostedEndpoint({
  id: 'hostedGiveOwnerDocument',
  method: 'POST',
  path: '/hosted/api/owner/identity-documents',
  summary: 'Give a document for the identity check of an owner, by the link',
  idempotent: 'none',
  key: 'link',
  largestBody: mostBody,
  body: Given,
  success: { status: 200, schema: OwnerView },
  errors: ['parameter_invalid', 'session_invalid', 'invalid_state'],
});
