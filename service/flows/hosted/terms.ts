import { command } from '../../core/command.ts';
import { acceptPending } from '../../resources/customers/documents/moves.ts';
import { documents } from '../../resources/customers/documents/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { completeSession } from '../../resources/sessions/open.ts';
import { assertOpen, loadOpenedSession, type OfSession } from './session.ts';

interface Decision extends OfSession {
  readonly decision: 'accepted' | 'declined';
}

/** Accepts what waits; declining completes the flow too and changes nothing (rules/sessions#9). */
export const decideTerms = command('decide_terms', {
  load: async (read, input: Decision) => {
    const opened = await loadOpenedSession(read, input);
    const { customer_id } = opened.session;
    const [customer, all] = await Promise.all([
      read.one(customers, customer_id),
      read.set(documents, 'customer_id', customer_id),
    ]);
    return { opened, customer, all };
  },
  decide: (work, { opened, customer, all }, { decision }) => {
    assertOpen(work, opened.session, ['terms_acceptance']);
    if (decision === 'accepted') acceptPending(work, customer, all);
    completeSession(work, opened.session, customer.status, decision);
    return { value: null };
  },
});
