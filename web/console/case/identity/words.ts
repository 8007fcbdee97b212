import type {
  DocumentContentType,
  IdentityDocumentKind,
} from '@tenant-payments/contract/core/identity_documents.ts';

/** The desk's names for the documents of an identity check. */

export const documentNames: Readonly<Record<IdentityDocumentKind, string>> = {
  photo_id: 'Photo ID',
  proof_of_address: 'Proof of address',
  tax_document: 'Proof of the tax number',
  business_document: 'Proof of the business',
};

/** `Photo ID, Proof of address`. */
export const documentsInWords = (kinds: readonly IdentityDocumentKind[]): string =>
  kinds.map((kind) => documentNames[kind]).join(', ');

export const typeNames: Readonly<Record<DocumentContentType, string>> = {
  'image/jpeg': 'JPEG image',
  'image/png': 'PNG image',
  'application/pdf': 'PDF file',
};

/** `412 kB`, `3.1 MB`. */
export const sizeInWords = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1_000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;

const taxNames = { ssn: 'SSN', itin: 'ITIN', ein: 'EIN' } as const;
export type TaxKind = keyof typeof taxNames;

export const taxName = (kind: TaxKind | null): string => (kind ? taxNames[kind] : 'Tax number');

/** The number as people write it: `521-73-9846`, of a business `93-7461825`. */
export const taxNumberInWords = (kind: TaxKind | null, digits: string): string =>
  kind === 'ein'
    ? `${digits.slice(0, 2)}-${digits.slice(2)}`
    : `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`;
