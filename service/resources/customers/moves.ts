import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/load/reader.ts';
import { liftSuspension, openAccount, suspend } from '../accounts/moves.ts';
import { accounts } from '../accounts/table.ts';
import { ownersComplete } from './owners/moves.ts';
import { type OwnerRow, owners } from './owners/table.ts';
import { afterRejection } from './rejections.ts';
import { type CustomerRow, customers } from './table.ts';

interface Input {
  readonly id: string;
}

async function loadWithAccount(read: Read, { id }: Input) {
  const customer = await read.one(customers, id);
  return { customer, account: await read.maybe(accounts, customer.account_id) };
}

async function loadApplicant(read: Read, input: Input) {
  const [rows, people] = await Promise.all([
    loadWithAccount(read, input),
    read.set(owners, 'customer_id', input.id),
  ]);
  return { ...rows, people };
}

function assertOwners(customer: CustomerRow, people: readonly OwnerRow[]): void {
  if (customer.type === 'business' && !ownersComplete(people))
    throw fail('invalid_state', {
      details: { current_status: customer.status, allowed: [], reason: 'owners_incomplete' },
    });
}

/**
 * The provider or the reviewer approves. The first time the account opens; later the suspension by
 * verification ends (rules/customers#11).
 * @throws ApiError invalid_state; also for a business whose owners are not complete
 */
export const approveCustomer = command('approve_customer', {
  load: loadApplicant,
  decide: (work, { customer, account, people }) => {
    assertOwners(customer, people);
    const accountId = account?.id ?? work.newId();
    work.move(customer, 'approve', {
      set: {
        account_id: accountId,
        more_requested: false,
        retry_available_at: null,
        verification_updated_at: work.now,
      },
    });
    if (account) liftSuspension(work, account, 'verification');
    else openAccount(work, accountId, customer);
    return { record: customer };
  },
});

/** The provider or the reviewer rejects. A suspended account stays suspended. */
export const rejectCustomer = command('reject_customer', {
  load: (read, { id }: Input) => read.one(customers, id),
  decide: (work, customer) => {
    work.move(customer, 'reject', {
      set: {
        ...afterRejection(work, customer),
        more_requested: false,
        verification_updated_at: work.now,
      },
    });
    return { record: customer };
  },
});

/** The result is unclear, or a doubt came up after approval, which suspends the account. */
export const holdCustomerForReview = command('hold_customer_for_review', {
  load: loadWithAccount,
  decide: (work, { customer, account }) => {
    const move = customer.status === 'approved' ? 'review' : 'unclear';
    work.move(customer, move, { set: { verification_updated_at: work.now } });
    if (move === 'review' && account) suspend(work, account, 'verification');
    return { record: customer };
  },
});

/** The reviewer requests more data: onboarding is open again. */
export const requestMore = command('request_more', {
  load: (read, { id }: Input) => read.one(customers, id),
  decide: (work, customer) => {
    work.move(customer, 'request_more', {
      set: { more_requested: true, verification_updated_at: work.now },
    });
    return { record: customer };
  },
});
