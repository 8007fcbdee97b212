import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type DocumentAcceptance,
  documentLifecycle,
  documentTypes,
} from '@tenant-payments/contract/resources/documents.ts';
import { flows } from '@tenant-payments/contract/resources/sessions.ts';
import { column, orNull, type RowOf, table, words } from '../../core/table.ts';

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
