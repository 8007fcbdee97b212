import { List } from '@tenant-payments/contract/core/page.ts';
import { DocumentInForce } from '@tenant-payments/contract/resources/documents_in_force.ts';
import { portalEndpoint } from '../endpoint.ts';

/** The version in force of each document, and how far its publication has come (rules/documents#20). */

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
