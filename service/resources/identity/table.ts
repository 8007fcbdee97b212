import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** Persons and businesses whose identity data the vault keeps (rules/identity#1). */
export const identityRecords = table({
  name: 'identity_records',
  key: ['id'],
  sets: ['tax_hash', 'customer_id'],
  frozen: ['subject', 'customer_id'],
  columns: {
    /** The uuid of the customer or owner. */
    id: column.uuid,
    subject: words(['customer', 'owner']),
    customer_id: column.uuid,
    tax_kind: words(['ssn', 'itin', 'ein']),
    /** Finds one person twice; the number itself is sealed. */
    tax_hash: column.text,
    collected_at: column.instant,
    /** Documents that the reviewer has asked for, by kind. */
    asked: column.texts,
    /** Null: nobody has asked for any. */
    asked_at: orNull(column.instant),
    /** How often people have decided that it may be read. */
    openings: column.integer,
  },
  audited: ({ id, subject, asked, openings }) => ({ id: publicId(subject, id), asked, openings }),
});
export type IdentityRecordRow = RowOf<typeof identityRecords>;

export const identityFieldNames = ['name', 'birth_date', 'tax_number', 'address'] as const;
export type IdentityFieldName = (typeof identityFieldNames)[number];

/** The vault's data of a person, one field and one seal a row (rules/identity#2). */
export const identityFields = table({
  name: 'identity_fields',
  key: ['id'],
  unique: { field: ['record_id', 'name'] },
  sets: ['record_id'],
  frozen: ['record_id', 'name'],
  columns: {
    id: column.uuid,
    record_id: column.uuid,
    name: words(identityFieldNames),
    value_sealed: column.text,
    updated_at: column.instant,
  },
  audited: ({ name }) => ({ name }),
});

/** The place that a field is sealed for. @param named record and name */
export const identityFieldSeal = (named: string): string => `identity field ${named}`;
