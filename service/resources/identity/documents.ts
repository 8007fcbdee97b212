import {
  documentsWanted,
  documentTypesTaken,
  type IdentityDocumentKind,
  identityDocumentKinds,
  ownerDocumentsWanted,
} from '@tenant-payments/contract/core/identity_documents.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { type AnyTable, column, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { OwnerRow, owners } from '../customers/owners/table.ts';
import type { CustomerRow, customers } from '../customers/table.ts';
import { type IdentityRecordRow, identityRecords } from './table.ts';

/** Documents that the vault keeps, each under a key of its own (rules/identity#13). */
export const identityDocuments = table({
  name: 'identity_documents',
  key: ['id'],
  sets: ['record_id'],
  frozen: ['record_id', 'customer_id', 'kind', 'content_type', 'bytes', 'received_at'],
  columns: {
    id: column.uuid,
    /** The customer or owner. */
    record_id: column.uuid,
    customer_id: column.uuid,
    kind: words(identityDocumentKinds),
    content_type: words(documentTypesTaken),
    bytes: column.integer,
    key_sealed: column.text,
    received_at: column.instant,
  },
});
export type IdentityDocumentRow = RowOf<typeof identityDocuments>;

/** Their contents, encrypted. */
export const identityContents = table({
  name: 'identity_contents',
  key: ['id'],
  frozen: ['content'],
  columns: { id: column.uuid, content: column.bytes },
});

/** The place that the key of a document is sealed for. */
export const identityDocumentSeal = (id: string): string => `identity document ${id}`;

/** A customer gives so many in a lifetime, over all applications. */
const mostDocuments = 40;

export interface DocumentRows {
  /** Null: no application has been kept yet. */
  readonly record: IdentityRecordRow | null;
  readonly documents: readonly IdentityDocumentRow[];
}

export async function loadDocuments(read: Read, recordId: string): Promise<DocumentRows> {
  const [record, documents] = await Promise.all([
    read.maybe(identityRecords, recordId),
    read.set(identityDocuments, 'record_id', recordId),
  ]);
  return { record, documents };
}

type Asking = Pick<CustomerRow, 'type' | 'more_requested'>;

/** The documents that an application must have: those that were asked for, else the usual ones (rules/identity#13). */
export const wantedOf = (
  { type, more_requested }: Asking,
  record: Pick<IdentityRecordRow, 'asked'> | null,
): readonly IdentityDocumentKind[] =>
  more_requested && record && record.asked.length > 0
    ? (record.asked as IdentityDocumentKind[])
    : documentsWanted[type];

/** The kinds of document that were given; once a reviewer has asked for more, only those given after that count. */
export function givenOf(
  customer: Asking,
  record: Pick<IdentityRecordRow, 'asked_at'> | null,
  documents: readonly Pick<IdentityDocumentRow, 'kind' | 'received_at'>[],
): readonly IdentityDocumentKind[] {
  const since = customer.more_requested ? (record?.asked_at ?? null) : null;
  const counted = documents.filter(({ received_at }) => since === null || received_at >= since);
  return [...new Set(counted.map(({ kind }) => kind))];
}

function assertNoneMissing(current_status: string, missing: readonly IdentityDocumentKind[]): void {
  if (missing.length > 0)
    throw fail('invalid_state', {
      details: { current_status, allowed: [], reason: 'identity_documents_missing', missing },
    });
}

/** @throws ApiError invalid_state {reason: identity_documents_missing, missing} */
export function assertDocumentsGiven(customer: CustomerRow, rows: DocumentRows): void {
  const given = givenOf(customer, rows.record, rows.documents);
  const missing = wantedOf(customer, rows.record).filter((kind) => !given.includes(kind));
  assertNoneMissing(customer.status, missing);
}

/** @throws ApiError invalid_state {reason: identity_documents_missing, missing} */
export function assertOwnerDocumentsGiven(
  { status }: Pick<OwnerRow, 'status'>,
  documents: readonly Pick<IdentityDocumentRow, 'kind'>[],
): void {
  const given = documents.map(({ kind }) => kind);
  assertNoneMissing(
    status,
    ownerDocumentsWanted.filter((kind) => !given.includes(kind)),
  );
}

/** @throws ApiError invalid_state {reason: too_many_documents} */
export function assertRoom(
  { status }: { readonly status: string },
  { documents }: DocumentRows,
): void {
  if (documents.length >= mostDocuments)
    throw fail('invalid_state', {
      details: { current_status: status, allowed: [], reason: 'too_many_documents' },
    });
}

export interface NewDocument
  extends Omit<IdentityDocumentRow, 'received_at' | 'id' | 'key_sealed'> {
  readonly id: string;
  readonly key_sealed: string;
  /** Encrypted. */
  readonly content: Buffer;
}

export function keepDocument(work: Work, { content, ...facts }: NewDocument): void {
  work.create(identityDocuments, { ...facts, received_at: work.now });
  work.create(identityContents, { id: facts.id, content });
}

const noIdentityData = (current_status: string) =>
  fail('invalid_state', {
    details: { current_status, allowed: [], reason: 'no_identity_data' },
    message: 'nothing is kept of this record: its identity provider has the data',
  });

/** Asks for the documents that the reviewer wants to see, in place of those wanted before. */
export function askForDocuments(
  work: Work,
  { status }: CustomerRow,
  record: IdentityRecordRow | null,
  asked: readonly IdentityDocumentKind[],
): void {
  if (!record) throw noIdentityData(status);
  work.change(record, { asked, asked_at: work.now });
}

/**
 * People have decided that what is kept of somebody may be read (rules/identity#6).
 * @throws ApiError invalid_state {reason: no_identity_data}
 */
export const openByPeople = (of: typeof customers | typeof owners) =>
  command('open_identity_data', {
    load: async (read, { id }: { readonly id: string }) => {
      const [row, record] = await Promise.all([
        read.one<AnyTable>(of, id),
        read.maybe(identityRecords, id),
      ]);
      return { row, record };
    },
    decide: (work, { row, record }) => {
      if (!record) throw noIdentityData(String(row.status));
      work.change(record, { openings: record.openings + 1 });
      return { record: row };
    },
  });
