import type { ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { removeLinkedAccount as contract } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { scheduleConsentEnd } from './consent_end.ts';
import { withoutCapabilities } from './moves.ts';
import { linkedAccounts } from './table.ts';

/**
 * DELETE /v1/customers/{id}/linked-accounts/{linked_account_id}. Withdrawals to it go on; a load
 * that is confirmed afterwards fails (rules/linking#16).
 * @throws ApiError not_found; invalid_state when it is pending or removed
 */
export const removeLinkedAccount = command('remove_linked_account', {
  load: async (read, input: ParamsOf<typeof contract>) => {
    const link = await read.maybe(
      linkedAccounts,
      uuidOf('linked_account', input.linked_account_id),
    );
    if (!link || link.customer_id !== uuidOf('customer', input.id)) throw fail('not_found');
    return link;
  },
  decide: (work, link) => {
    work.move(link, 'remove', { set: { ...withoutCapabilities, holder_match: null } });
    work.cancelJob('withdrawal_hold', link.id);
    scheduleConsentEnd(work, link);
    return { record: link };
  },
});
