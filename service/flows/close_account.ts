import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { closeCustomer as contract } from '@tenant-payments/contract/resources/customers.ts';
import { command } from '../core/command.ts';
import { fail } from '../core/fail.ts';
import { type AccountRow, accounts } from '../resources/accounts/table.ts';
import { tellCustomer } from '../resources/customers/messages/tell.ts';
import { customers } from '../resources/customers/table.ts';
import { closeDownRequest } from '../resources/payment_requests/moves.ts';
import { paymentRequests } from '../resources/payment_requests/table.ts';

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

const closable: readonly AccountRow['status'][] = ['active', 'dormant', 'suspended'];

/**
 * POST /v1/customers/{id}/close: 202, the account is closing. What waits for its customer and a
 * merchant's open requests end within a second; the job `account_closing` waits for the rest.
 * @throws ApiError not_found; invalid_state without an account, or when it is closing or closed
 *   (rules/closing#2)
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
    tellCustomer(work, customer, 'closing_begun');
    work.cancelJob('dormancy', account.id);
    work.scheduleJob('account_restricted', account.id, work.now);
    if (account.type === 'merchant') work.scheduleJob('requests_closing', account.id, work.now);
    work.scheduleJob('account_closing', account.id, work.now);
    return { record: customer };
  },
});

/**
 * Job `requests_closing`: a closing merchant's open requests end (rules/closing#4). One that a
 * payment by bank has claimed waits for it (rules/payment-requests#17).
 */
export const requestsClosingJob = command('requests_closing', {
  load: (read, { ref }: { ref: string }) => read.set(paymentRequests, 'merchant_account_id', ref),
  decide: (work, requests, { ref }) => {
    for (const request of requests)
      if (request.claimed_by === null) closeDownRequest(work, request);
    work.cancelJob('requests_closing', ref);
    return { value: null };
  },
});
