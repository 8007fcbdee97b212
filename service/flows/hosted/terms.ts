import type { DocumentVersion } from '@tenant-payments/contract/resources/documents.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { MessageLocale } from '../../rails/messages.ts';
import { acceptPending } from '../../resources/customers/documents/moves.ts';
import { documents } from '../../resources/customers/documents/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { completeSession } from '../../resources/sessions/open.ts';
import { assertOpen, loadOpenedSession, type OfSession } from './session.ts';

interface Decision extends OfSession {
  readonly decision: 'accepted' | 'declined';
  /** The documents that the page showed. */
  readonly documents: readonly DocumentVersion[] | null;
  /** The language of the page. */
  readonly locale: MessageLocale | null;
}

/**
 * Accepts what waits; declining completes the flow too and changes nothing (rules/sessions#9).
 * @throws ApiError parameter_missing, invalid_state {reason?: documents_changed}
 */
export const decideTerms = command('decide_terms', {
  load: async (read, input: Decision) => {
    const opened = await loadOpenedSession(read, input);
    const { customer_id } = opened.session;
    const [customer, held] = await Promise.all([
      read.one(customers, customer_id),
      read.set(documents, 'customer_id', customer_id),
    ]);
    return { opened, customer, held };
  },
  decide: (work, { opened, customer, held }, { decision, documents: read, locale }) => {
    assertOpen(work, opened.session, ['terms_acceptance']);
    if (decision === 'accepted') {
      if (!read) throw fail('parameter_missing', { param: 'documents' });
      acceptPending(work, customer, held, { read, locale });
    }
    completeSession(work, opened.session, customer.status, decision);
    return { value: null };
  },
});
