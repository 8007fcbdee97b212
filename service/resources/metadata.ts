import { Metadata } from '@tenant-payments/contract/core/metadata.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull } from '@tenant-payments/engine/table.ts';

/** Own references of a Tenant on what it creates: kept as they came, and shown only where they are (rules/reads#7). */

/** Null: the record was created without. */
export const metadataColumn = orNull(column.text);

/** Tables whose records may have it. */
export const tablesWithMetadata = [
  'customers',
  'loads',
  'payment_requests',
  'payments',
  'withdrawals',
  'refunds',
  'disputes',
  'linked_accounts',
] as const;

export const metadataColumns = tablesWithMetadata.map((table) =>
  jsonColumn(`${table}.metadata`, 'text', Metadata),
);

/** The stored form of a request's metadata. */
export const storedMetadata = (metadata: Metadata | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

/** The field of a record as it is shown; none where it has none. */
export const shownMetadata = (stored: string | null): { metadata?: Metadata } =>
  stored === null ? {} : { metadata: JSON.parse(stored) as Metadata };
