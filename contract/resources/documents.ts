import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { InBothLanguages } from '../core/languages.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { List } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf } from '../core/schema.ts';
import { flows } from './sessions.ts';

export const documentTypes = [
  'digital_account_terms',
  'esign_consent',
  'privacy_notice',
  'cip_notice',
  'merchant_services_agreement',
  'acceptable_use_policy',
] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The documents that each type of customer accepts in onboarding (rules/documents#1). */
export const requiredDocuments = {
  individual: ['digital_account_terms', 'esign_consent', 'privacy_notice', 'cip_notice'],
  business: documentTypes,
} as const satisfies Record<string, readonly DocumentType[]>;

/** A record only moves forward; a new version of a document is a record of its own. */
export const documentLifecycle = lifecycle(
  'document_acceptance',
  ['accepted', 'superseded', 'pending_acceptance'],
  {
    accept: { from: 'new', to: 'accepted', by: 'customer', event: 'document_acceptance.accepted' },
    publish: {
      from: 'new',
      to: 'pending_acceptance',
      by: 'reviewer',
      event: 'document_acceptance.pending_acceptance',
      simulate: 'document_acceptance.pending_acceptance',
    },
    accept_version: { from: ['pending_acceptance'], to: 'accepted', by: 'customer' },
    supersede: { from: ['accepted', 'pending_acceptance'], to: 'superseded', by: 'service' },
  },
);

export const DocumentAcceptance = Closed({
  id: Id('Acceptance identifier'),
  object: Type.Literal('document_acceptance'),
  customer_id: Id('Customer'),
  document_type: OneOf(documentTypes),
  version: Type.String({ description: 'Document version accepted' }),
  status: OneOf(
    documentLifecycle.states,
    'pending_acceptance: a new version awaits acceptance in the terms_acceptance flow',
  ),
  accepted_at: Nullable(Instant('Acceptance time')),
  channel: Nullable(OneOf(flows, 'Hosted flow in which it was accepted')),
});
export type DocumentAcceptance = Static<typeof DocumentAcceptance>;

/** Months or days, so that a later version is the greater text. */
export const documentVersionForm = '^[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?$';

/** One version of a document, as a page shows it and as it says what was read. */
export const DocumentVersion = Closed({
  document_type: OneOf(documentTypes),
  version: Type.String({ pattern: documentVersionForm, description: 'Such as 2026-01' }),
});
export type DocumentVersion = Static<typeof DocumentVersion>;

/** Characters of one text. */
const longestText = 150_000;

/** The text of a version of a document (rules/documents#14). */
export const LegalText = Closed({
  object: Type.Literal('legal_text'),
  ...DocumentVersion.properties,
  title: InBothLanguages(200),
  text: InBothLanguages(longestText, 'Markdown; HTML in it is shown as it is written'),
  published_at: Instant('When it was published'),
});
export type LegalText = Static<typeof LegalText>;

export const listDocuments = endpoint({
  id: 'listDocuments',
  method: 'GET',
  path: '/v1/customers/:id/documents',
  summary: 'List the documents accepted or to be accepted',
  idempotent: 'none',
  params: Closed({ id: IdInput('Customer identifier') }),
  success: { status: 200, schema: List(DocumentAcceptance) },
  errors: ['not_found'],
});
