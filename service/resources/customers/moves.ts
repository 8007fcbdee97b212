import type { IdentityDocumentKind } from '@tenant-payments/contract/core/identity_documents.ts';
import { customerLifecycle } from '@tenant-payments/contract/resources/customers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { liftSuspension, openAccount, suspend } from '../accounts/moves.ts';
import { accounts } from '../accounts/table.ts';
import { assertStatus } from '../assert_status.ts';
import { askForDocuments } from '../identity/documents.ts';
import { identityRecords } from '../identity/table.ts';
import { rowNow } from '../row_now.ts';
import { comingNow, loadComing } from '../terms/hold.ts';
import { tellDocument, tellTerms } from '../terms/tell.ts';
import { documents } from './documents/table.ts';
import { type MissingOfOwners, missingOfOwners } from './owners/moves.ts';
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
  const [rows, people, held, coming] = await Promise.all([
    loadWithAccount(read, input),
    read.set(owners, 'customer_id', input.id),
    read.set(documents, 'customer_id', input.id),
    loadComing(read),
  ]);
  return { ...rows, people, held, coming };
}

/**
 * Tells a new consumer at once of terms that are announced already, and of versions of documents that were published
 * since the application (rules/documents#30, #36).
 */
function tellJoiner(
  work: Work,
  customer: CustomerRow,
  { held, coming }: Pick<Awaited<ReturnType<typeof loadApplicant>>, 'held' | 'coming'>,
): void {
  if (customer.type !== 'individual') return;
  for (const change of comingNow(coming)) tellTerms(work, customer, change);
  for (const row of held) if (row.status === 'pending_acceptance') tellDocument(work, row);
}

const approvable: readonly CustomerRow['status'][] = customerLifecycle.moves.approve.from;

/** The first step to take, for the message. */
const first: Readonly<Record<MissingOfOwners['missing'], string>> = {
  control_person: 'name a control person in onboarding',
  one_control_person_only: 'leave one control person only',
  approval: 'approve each owner who controls the business or owns 25 % or more',
};

/**
 * The owners of a business whose status allows an approval.
 * @throws ApiError invalid_state {reason: owners_incomplete, missing}
 */
function assertOwners({ type, status }: CustomerRow, people: readonly OwnerRow[]): void {
  if (type !== 'business' || !approvable.includes(status)) return;
  const missing = missingOfOwners(people);
  if (missing.length === 0) return;
  const steps = [...new Set(missing.map((one) => first[one.missing]))].join('; ');
  throw fail('invalid_state', {
    details: { current_status: status, allowed: approvable, reason: 'owners_incomplete', missing },
    message: `the owners of the business are not complete. First ${steps}`,
  });
}

/**
 * The provider or the reviewer approves. The first time the account opens; later the suspension by
 * verification ends (rules/customers#11).
 * @throws ApiError invalid_state; also for a business whose owners are not complete
 */
export const approveCustomer = command('approve_customer', {
  load: loadApplicant,
  decide: (work, { customer, account: loaded, people, ...announced }) => {
    const account = rowNow(customer.account_id, loaded);
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
    else {
      openAccount(work, accountId, customer);
      tellJoiner(work, customer, announced);
    }
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
  decide: (work, { customer, account: loaded }) => {
    const account = rowNow(customer.account_id, loaded);
    assertStatus(customerLifecycle, customer.status, ['unclear', 'review']);
    const move = customer.status === 'approved' ? 'review' : 'unclear';
    work.move(customer, move, { set: { verification_updated_at: work.now } });
    if (move === 'review' && account) suspend(work, account, 'verification');
    return { record: customer };
  },
});

interface Asks extends Input {
  /** Documents that are wanted; absent or null: the data again. */
  readonly asks?: readonly IdentityDocumentKind[] | null;
}

/**
 * The reviewer requests more data: onboarding is open again, and says what is wanted (rules/identity#15).
 * @throws ApiError invalid_state {reason: no_identity_data}: documents are wanted where none are kept
 */
export const requestMore = command('request_more', {
  load: async (read, { id }: Asks) => {
    const [customer, record] = await Promise.all([
      read.one(customers, id),
      read.maybe(identityRecords, id),
    ]);
    return { customer, record };
  },
  decide: (work, { customer, record }, { asks = null }) => {
    work.move(customer, 'request_more', {
      set: { more_requested: true, verification_updated_at: work.now },
    });
    if (asks !== null) askForDocuments(work, customer, record, asks);
    else if (record) work.change(record, { asked: [], asked_at: null });
    return { record: customer };
  },
});
