import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { closeCustomer as contract } from '@tenant-payments/contract/resources/customers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type AccountRow, accounts } from '../resources/accounts/table.ts';
import { tellCustomer } from '../resources/customers/messages/tell.ts';
import { freedMobile } from '../resources/customers/mobile_number.ts';
import { type CustomerRow, customers } from '../resources/customers/table.ts';
import {
  loadApplication,
  withdrawApplication,
} from '../resources/customers/withdraw_application.ts';
import { closeDownRequest } from '../resources/payment_requests/moves.ts';
import { paymentRequests } from '../resources/payment_requests/table.ts';
import { recordsAtOnce } from '../resources/records_at_once.ts';

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

function closeAccount(
  work: Work,
  account: AccountRow,
  customer: CustomerRow,
  reason: Input['reason'],
): void {
  work.move(account, 'close', { set: { closing_reason: reason } });
  tellCustomer(work, customer, 'closing_begun');
  work.cancelJob('dormancy', account.id);
  work.scheduleJob('account_restricted', account.id, work.now);
  if (account.type === 'merchant') work.scheduleJob('requests_closing', account.id, work.now);
  work.scheduleJob('account_closing', account.id, work.now);
}

/**
 * POST /v1/customers/{id}/close: 202, the account is closing. What waits for its customer and a
 * merchant's open requests end within a second; the job `account_closing` waits for the rest. A
 * customer without an account withdraws the application.
 * @throws ApiError not_found; invalid_state in review, or when the account is closing or closed
 *   (rules/closing#2)
 */
export const closeCustomer = ({ vault }: { readonly vault: Vault }) =>
  command('close_customer', {
    prepare: async (_input: Input, { tenantId }) => tenantId,
    load: async (read, { id }) => {
      const customer = await read.maybe(customers, uuidOf('customer', id));
      if (!customer) throw fail('not_found');
      const [account, application] = await Promise.all([
        // By the customer, so that an approval before this command in the batch is not missed.
        read.by(accounts, 'customer', { customer_id: customer.id }),
        customer.account_id === null ? loadApplication(read, customer) : null,
      ]);
      return { customer, account, application };
    },
    decide: (work, { customer, account, application }, { reason }, tenantId) => {
      if (account) closeAccount(work, account, customer, reason);
      else if (application)
        withdrawApplication(work, application, reason, freedMobile(vault, tenantId, customer));
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
    const open = requests.filter(
      ({ status, claimed_by }) => status === 'open' && claimed_by === null,
    );
    for (const request of open.slice(0, recordsAtOnce)) closeDownRequest(work, request);
    if (open.length <= recordsAtOnce) work.cancelJob('requests_closing', ref);
    else work.scheduleJob('requests_closing', ref, work.now);
    return { value: null };
  },
});
