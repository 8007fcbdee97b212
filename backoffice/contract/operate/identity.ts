import {
  documentLimits,
  documentTypesTaken,
  identityDocumentKinds,
} from '@tenant-payments/contract/core/identity_documents.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The vault's data of a customer or an owner, and who may open it (rules/identity#6). */

export const identityResources = ['customers', 'owners'] as const;

const path = {
  resource: IdInput(`One of ${identityResources.join(', ')}`),
  id: IdInput('The customer or owner'),
};

const Document = Closed({
  id: Type.String({ description: 'A uuid' }),
  kind: OneOf(identityDocumentKinds),
  content_type: OneOf(documentTypesTaken),
  bytes: Type.Integer({ minimum: 1, maximum: documentLimits.bytes * 2 }),
  received_at: Instant('Received'),
});

export const IdentityRecord = Closed({
  object: Type.Literal('identity_record'),
  id: Id('The customer or owner'),
  collected_at: Nullable(Instant('When it was last given; null: nothing is kept here')),
  tax_kind: Nullable(OneOf(['ssn', 'itin', 'ein'])),
  /** The one who may open it now. */
  opens: Nullable(
    OneOf(
      ['case', 'two_people'],
      'case: a reviewer, while it is in review with newer data than its last decision; two_people: by the move open_identity',
    ),
  ),
  open_until: Nullable(
    Instant('Until when it is open to the caller, as people have decided; null: they have not'),
  ),
  asked: Type.Array(OneOf(identityDocumentKinds), {
    description: 'Documents that a reviewer has asked for',
  }),
  missing: Type.Array(OneOf(identityDocumentKinds), {
    description: 'Documents that a case which waits still needs',
  }),
  documents: Type.Array(Document),
  owners: Type.Array(
    Closed({
      id: Id('An owner of the business'),
      name: Nullable(Type.String({ description: 'Null: erased' })),
      status: Type.String({ description: 'Its verification status' }),
      missing: Type.Array(OneOf(identityDocumentKinds), { description: 'Documents not given' }),
    }),
  ),
  same_person: Type.Array(
    Closed({
      resource: OneOf(identityResources),
      id: Id('A customer or owner with the same tax number'),
      customer_id: Id('The customer; of an owner the business'),
      name: Nullable(
        Type.String({ description: 'Of an individual without one the email address' }),
      ),
      status: Type.String({ description: 'Its verification status' }),
    }),
  ),
  checks: Type.Array(
    Closed({
      decision: OneOf(['approved', 'rejected', 'unclear']),
      reasons: Type.Array(Type.String()),
      signals: Type.Array(Type.String()),
      created_at: Instant('Said'),
    }),
    { description: 'What the identity provider said beside its decisions, newest first' },
  ),
});
export type IdentityRecord = Static<typeof IdentityRecord>;

export const getIdentity = portalEndpoint({
  id: 'getIdentity',
  method: 'GET',
  path: '/portal/api/identity/:resource/:id',
  summary: 'Get what is kept for the identity check of a customer or owner, and opens none of it',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  access: 'case',
  params: Closed(path),
  success: { status: 200, schema: IdentityRecord },
  errors: ['not_found'],
});

const Opened = (description: string) => Type.String({ description });

export const OpenedIdentity = Closed({
  object: Type.Literal('opened_identity'),
  id: Id('The customer or owner'),
  name: Nullable(Opened('As given')),
  birth_date: Nullable(Opened('`1990-05-31`; of a business null')),
  tax_number: Nullable(Opened('Nine digits')),
  address: Nullable(Opened('In lines')),
});
export type OpenedIdentity = Static<typeof OpenedIdentity>;

export const openIdentity = portalEndpoint({
  id: 'openIdentity',
  method: 'POST',
  path: '/portal/api/identity/:resource/:id/open',
  summary:
    'Open what the vault keeps of a customer or owner: while its case waits, or as two people have decided',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  stepUp: true,
  params: Closed(path),
  success: { status: 200, schema: OpenedIdentity },
  errors: ['not_found', 'invalid_state'],
});

export const OpenedIdentityDocument = Closed({
  object: Type.Literal('opened_identity_document'),
  id: Type.String({ description: 'A uuid' }),
  kind: OneOf(identityDocumentKinds),
  content_type: OneOf(documentTypesTaken),
  file: Opened('In base64; a PDF file is for download only'),
});
export type OpenedIdentityDocument = Static<typeof OpenedIdentityDocument>;

export const openIdentityDocument = portalEndpoint({
  id: 'openIdentityDocument',
  method: 'POST',
  path: '/portal/api/identity/:resource/:id/documents/:document_id/open',
  summary: 'Open a document of a customer or owner, by the same rule',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  stepUp: true,
  params: Closed({ ...path, document_id: IdInput('The document') }),
  success: { status: 200, schema: OpenedIdentityDocument },
  errors: ['not_found', 'invalid_state'],
});
