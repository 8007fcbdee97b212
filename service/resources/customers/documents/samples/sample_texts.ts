import type { DocumentType } from '@tenant-payments/contract/resources/documents.ts';

/** A title, and a text in Markdown, of each document. */
export type SampleTexts = Readonly<
  Record<DocumentType, { readonly title: string; readonly text: string }>
>;
