import type { DocumentContentType } from '@tenant-payments/contract/core/identity_documents.ts';

/** How the files begin that are taken. */
const signatures: readonly (readonly [DocumentContentType, Buffer])[] = [
  ['image/jpeg', Buffer.from('ffd8ff', 'hex')],
  ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['application/pdf', Buffer.from('%PDF-', 'latin1')],
];

/** The type of a file by its first bytes, whatever its name says; null: none that is taken. */
export const sniffed = (file: Buffer): DocumentContentType | null =>
  signatures.find(([, start]) => file.subarray(0, start.length).equals(start))?.[0] ?? null;
