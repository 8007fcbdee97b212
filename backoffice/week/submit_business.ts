import { command } from '@tenant-payments/engine/command.ts';
import {
  loadOnboarding,
  submitOnboarding,
} from '@tenant-payments/service/resources/customers/onboarding.ts';
import { completeSession } from '@tenant-payments/service/resources/sessions/open.ts';
import { sessions } from '@tenant-payments/service/resources/sessions/table.ts';
import { uuidIn } from './parts.ts';
import type { Business } from './people.ts';

interface Input {
  readonly id: string;
  readonly business: Business;
}

/**
 * A business ends its onboarding with the names, line of business and owners of the week's table;
 * `session.completed` names one owner and no trading name.
 */
export const submitBusiness = (pinHash: () => Promise<string>) =>
  command('submit_business', {
    prepare: (_input: Input) => pinHash(),
    load: async (read, { id }) => {
      const rows = await loadOnboarding(read, uuidIn(id));
      const session = await read.one(sessions, rows.customer.onboarding_session_id ?? '');
      return { rows, session };
    },
    decide: (work, { rows, session }, { business }, hash) => {
      const { legal_name, trading_name, industry, owners } = business;
      const names = { legal_name, trading_name, industry };
      submitOnboarding(work, rows, { pinHash: hash, names, owners, read: null });
      completeSession(work, session, rows.customer.status, null);
      return { record: session };
    },
  });
