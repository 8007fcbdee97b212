import { termWords } from '@tenant-payments/contract/core/term_words.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { DocumentRow } from '../customers/documents/table.ts';
import { sendNotice } from '../customers/notices/send.ts';
import type { CustomerRow } from '../customers/table.ts';
import { type TermChangeRow, termPieces } from './table.ts';

/** The text of a notice of changed terms, in both languages [12 CFR 1005.8(a)(1)]. */
export function termNotice(tenantId: string, { pieces }: Pick<TermChangeRow, 'pieces'>) {
  const words = termPieces.read(tenantId, JSON.parse(pieces)).map(termWords);
  return {
    en: words.map(({ en }) => en).join(' '),
    es: words.map(({ es }) => es).join(' '),
  };
}

/** `detail` of a notice of a new version of a document, whose source is the row that waits. */
export const ofDocument = 'document';

/** Tells a consumer of a new version of a document, and from when on it holds (rules/documents#36). */
export function tellDocument(
  work: Work,
  { id, customer_id }: Pick<DocumentRow, 'id' | 'customer_id'>,
): void {
  const of = { customerId: customer_id, sourceId: id };
  sendNotice(work, { ...of, kind: 'terms_changed', detail: ofDocument });
}

/** The one place from which a consumer is told of settings that get worse. */
export function tellTerms(work: Work, customer: CustomerRow, change: TermChangeRow): void {
  sendNotice(work, { customerId: customer.id, kind: 'terms_changed', sourceId: change.id });
}
