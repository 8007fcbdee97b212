import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type DocumentAcceptance,
  documentLifecycle,
  documentTypes,
} from '@tenant-payments/contract/resources/documents.ts';
import { flows } from '@tenant-payments/contract/resources/sessions.ts';
import { column, orNull, type RowOf, table, words } from '../../../core/table.ts';

/** Which version of which document a customer accepted, or is to accept. */
export const documents = table({
  name: 'documents',
  key: ['id'],
  sets: ['customer_id'],
  frozen: ['customer_id', 'document_type', 'document_version', 'created_at'],
  lifecycle: documentLifecycle,
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    document_type: words(documentTypes),
    document_version: column.text,
    status: words(documentLifecycle.states),
    accepted_at: orNull(column.instant),
    channel: orNull(words(flows)),
    created_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): DocumentAcceptance => ({
    id: publicId('document_acceptance', row.id),
    object: 'document_acceptance',
    customer_id: publicId('customer', row.customer_id),
    document_type: row.document_type,
    version: row.document_version,
    status: row.status,
    accepted_at: row.accepted_at,
    channel: row.channel,
  }),
});
export type DocumentRow = RowOf<typeof documents>;

/**
 * A document's versions at a tenant. The row begins with the first customer who meets the document,
 * so that every verdict on what is in force is proven against a publication.
 */
export const documentVersions = table({
  name: 'document_versions',
  key: ['document_type'],
  columns: {
    document_type: words(documentTypes),
    /** What a new customer accepts. */
    in_force: column.text,
    /** The newest that anybody was shown; the sandbox also publishes to one customer alone. */
    latest: column.text,
  },
});
export type DocumentVersionRow = RowOf<typeof documentVersions>;

/** A new version on its way to all who accepted an earlier one (`publication.ts`). */
export const documentPublications = table({
  name: 'document_publications',
  key: ['id'],
  frozen: ['document_type', 'document_version', 'created_at'],
  columns: {
    id: column.uuid,
    document_type: words(documentTypes),
    document_version: column.text,
    /** Up to which acceptance, in the order of their ids, its customers have been asked. */
    spread_to: orNull(column.uuid),
    created_at: column.instant,
    /** When the last of them was asked. */
    spread_at: orNull(column.instant),
  },
});
export type DocumentPublicationRow = RowOf<typeof documentPublications>;
