import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { closeCustomer as contract } from '@tenant-payments/contract/resources/customers.ts';
import { command } from '../core/command.ts';
import { fail } from '../core/fail.ts';
import { closingJobName } from '../resources/accounts/claims.ts';
import { restrictedDue } from '../resources/accounts/moves.ts';
import { type AccountRow, accounts } from '../resources/accounts/table.ts';
import { customers } from '../resources/customers/table.ts';
import { closeDownRequest } from '../resources/payment_requests/moves.ts';
import { paymentRequests } from '../resources/payment_requests/table.ts';

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

/** Due at once when a merchant closes: nobody can pay its open requests any more. */
export const requestsClosingDue = 'requests_closing';

const closable: readonly AccountRow['status'][] = ['active', 'dormant', 'suspended'];

/**
 * POST /v1/customers/{id}/close: 202, the account is closing (decisions 1.9). What waits for its
 * customer, and a merchant's open requests, end within the second; the rest is waited for.
 * @throws ApiError not_found; invalid_state without an account, or when it is closing or closed
 */
export const closeCustomer = command('close_customer', {
  load: async (read, { id }: Input) => {
    const customer = await read.maybe(customers, uuidOf('customer', id));
    if (!customer) throw fail('not_found');
    return { customer, account: await read.maybe(accounts, customer.account_id) };
  },
  decide: (work, { customer, account }, { reason }) => {
    if (!account)
      throw fail('invalid_state', {
        details: { current_status: customer.status, allowed: closable, reason: 'no_account' },
      });
    work.move(account, 'close', { set: { closing_reason: reason } });
    work.cancelJob('dormancy', account.id);
    work.scheduleJob(restrictedDue, account.id, work.now);
    if (account.type === 'merchant') work.scheduleJob(requestsClosingDue, account.id, work.now);
    work.scheduleJob(closingJobName, account.id, work.now);
    return { record: customer };
  },
});

/** Job `requests_closing`: cascade (b). A request that a bank payment has claimed waits for it. */
export const requestsClosingJob = command(requestsClosingDue, {
  load: (read, { ref }: { ref: string }) => read.set(paymentRequests, 'merchant_account_id', ref),
  decide: (work, requests, { ref }) => {
    for (const request of requests)
      if (request.claimed_by === null) closeDownRequest(work, request);
    work.cancelJob(requestsClosingDue, ref);
    return { value: null };
  },
});
