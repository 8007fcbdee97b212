import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, Instant, Nullable, OneOf } from '@tenant-payments/contract/core/schema.ts';
import { documentTypes, LegalText } from '@tenant-payments/contract/resources/documents.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The version in force of each document, and how far its publication has come (rules/documents#20). */

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const { version, title, published_at } = LegalText.properties;

export const DocumentInForce = Closed({
  object: Type.Literal('document_in_force'),
  document_type: OneOf(documentTypes),
  version,
  title,
  published_at,
  latest: Type.String({ description: 'A new version must be later than this one' }),
  must_accept: Count('Customers whom a new version would ask'),
  accepted: Count('Of them, those who accepted this version or a later one'),
  to_accept: Count('Of them, those who accepted an earlier one only'),
  not_asked: Count('Of those, whom the publication has still to ask'),
  spread_at: Nullable(Instant('When all had been asked; null: not yet, or no one had to be')),
});
export type DocumentInForce = Static<typeof DocumentInForce>;

export const listDocumentVersions = portalEndpoint({
  id: 'listDocumentVersions',
  method: 'GET',
  path: '/portal/api/document-versions',
  summary: 'List the documents with the version in force, and who is still to accept it',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  success: { status: 200, schema: List(DocumentInForce) },
  errors: [],
});
