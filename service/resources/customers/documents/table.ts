import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type DocumentAcceptance,
  documentLifecycle,
  documentTypes,
  type LegalText,
} from '@tenant-payments/contract/resources/documents.ts';
import { flows } from '@tenant-payments/contract/resources/sessions.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { messageLocales } from '../../../rails/messages.ts';

/** The version of a document that a customer accepted, or has to accept. */
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
    /** When it was shown that electronic records can be opened; null: of other documents, and before (rules/documents#33). */
    shown_at: orNull(column.instant),
    /**
     * From when on it holds for this customer, counted from the publication until the notice was given, then from that;
     * null: since it was accepted (rules/documents#32).
     */
    effective_at: orNull(column.instant),
    /** The language of the page on which it was accepted; null: it did not say (rules/documents#35). */
    accepted_in: orNull(words(messageLocales)),
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
 * A document's versions at a Tenant. Every command that uses the version in force loads this row,
 * so that a publication at the same time makes it decide again.
 */
export const documentVersions = table({
  name: 'document_versions',
  key: ['document_type'],
  columns: {
    document_type: words(documentTypes),
    /** The version that a new customer accepts. */
    in_force: column.text,
    /** The newest published version; the sandbox can publish one to a single customer. */
    latest: column.text,
  },
});
export type DocumentVersionRow = RowOf<typeof documentVersions>;

/** The texts of published versions; never changed, and never deleted (rules/documents#14). */
export const legalTexts = table({
  name: 'legal_texts',
  key: ['document_type', 'document_version'],
  // A text never changes, and the role of the service could not lock it.
  proof: 'none',
  frozen: ['title_en', 'title_es', 'text_en', 'text_es', 'published_at'],
  columns: {
    document_type: words(documentTypes),
    document_version: column.text,
    title_en: column.text,
    title_es: column.text,
    text_en: column.text,
    text_es: column.text,
    published_at: column.instant,
  },
});
export type LegalTextRow = RowOf<typeof legalTexts>;

export const legalTextView = (row: LegalTextRow): LegalText => ({
  object: 'legal_text',
  document_type: row.document_type,
  version: row.document_version,
  title: { en: row.title_en, es: row.title_es },
  text: { en: row.text_en, es: row.text_es },
  published_at: row.published_at,
});

/**
 * A new version that a job presents to customers who accepted an earlier one (`publication.ts`).
 */
export const documentPublications = table({
  name: 'document_publications',
  key: ['id'],
  frozen: ['document_type', 'document_version', 'security_reason', 'created_at'],
  columns: {
    id: column.uuid,
    document_type: words(documentTypes),
    document_version: column.text,
    /** Customers have been asked up to this acceptance, in the order of ids. */
    spread_to: orNull(column.uuid),
    created_at: column.instant,
    /** When the last customer was asked. */
    spread_at: orNull(column.instant),
    /** From when on it holds for those who accepted an earlier version; null: of an earlier release. */
    effective_at: orNull(column.instant),
    /** The reason of security for which it holds at once; null: it waits for its day (rules/documents#32). */
    security_reason: orNull(column.text),
  },
});
export type DocumentPublicationRow = RowOf<typeof documentPublications>;
