import { termWords } from '@tenant-payments/contract/core/term_words.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { tellCustomer } from '../customers/messages/tell.ts';
import type { CustomerRow } from '../customers/table.ts';
import { type TermChangeRow, termPieces } from './table.ts';

/** What a notice of changed terms says, in both languages [12 CFR 1005.8(a)(1)]. */
export function termNotice(tenantId: string, { pieces }: TermChangeRow) {
  const words = termPieces.read(tenantId, JSON.parse(pieces)).map(termWords);
  return {
    en: words.map(({ en }) => en).join(' '),
    es: words.map(({ es }) => es).join(' '),
  };
}

/** The one place from which a consumer is told of terms that get worse. */
export function tellTerms(work: Work, customer: CustomerRow, change: TermChangeRow): void {
  const { en, es } = termNotice(work.tenantId, change);
  tellCustomer(work, customer, 'terms_change', {
    until: change.effective_at,
    terms: en,
    condiciones: es,
  });
}
