import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import { acceptInOnboarding } from './documents.ts';
import { documents } from './documents_table.ts';
import { askAboutCustomer } from './identity.ts';
import { addOwner, type NewOwner } from './owners.ts';
import { owners } from './owners_table.ts';
import { pins } from './pins.ts';
import { type CustomerRow, customers } from './table.ts';

/** Everything that a submission adds to. */
export async function readOnboarding(read: Read, customerId: string) {
  const [customer, accepted, people, pin] = await Promise.all([
    read.one(customers, customerId),
    read.set(documents, 'customer_id', customerId),
    read.set(owners, 'customer_id', customerId),
    read.maybe(pins, customerId),
  ]);
  return { customer, accepted, people, pin };
}
export type Onboarding = Awaited<ReturnType<typeof readOnboarding>>;

/** What the customer entered. Identity data is not here: it goes to the provider (decisions 1.12). */
export interface Submission {
  /** By `hashPin`, made before the command. */
  readonly pinHash: string;
  readonly names: Partial<
    Pick<CustomerRow, 'given_name' | 'family_name' | 'legal_name' | 'trading_name' | 'industry'>
  >;
  /** Of a business; those who are known already stay. */
  readonly owners: readonly NewOwner[];
}

/**
 * The customer finishes onboarding: all documents accepted, PIN set, pending. A second submission,
 * after the reviewer asked for more or while owners are missing, changes nothing that is shown.
 * @throws ApiError invalid_state {current_status, allowed, reason?} as the table of decisions 1.1
 */
export function submitOnboarding(work: Work, rows: Onboarding, submission: Submission): void {
  const { customer, accepted, people, pin } = rows;
  if (customer.status === 'pending') {
    assertAskedAgain(customer);
    work.change(customer, { more_requested: false, pin_set: true });
  } else {
    assertRetryable(work, customer);
    const begun = customer.type === 'business' && people.length + submission.owners.length > 0;
    work.move(customer, 'submit', {
      set: {
        ...submission.names,
        ...(begun && customer.owners_status === 'not_started' ? { owners_status: 'pending' } : {}),
        verification_updated_at: work.now,
        retry_available_at: null,
        pin_set: true,
      },
    });
  }
  if (people.length === 0) for (const owner of submission.owners) addOwner(work, customer, owner);
  acceptInOnboarding(work, customer, accepted);
  if (pin) work.change(pin, { hash: submission.pinHash });
  else work.create(pins, { customer_id: customer.id, hash: submission.pinHash, attempts: 0 });
  askAboutCustomer(work, customer);
}

function assertAskedAgain(customer: CustomerRow): void {
  const incomplete = customer.type === 'business' && customer.owners_status !== 'complete';
  if (!customer.more_requested && !incomplete)
    throw fail('invalid_state', {
      details: { current_status: customer.status, allowed: ['created', 'rejected'] },
    });
}

/** A rejected customer waits, and after the third time for ever. */
function assertRetryable(work: Work, customer: CustomerRow): void {
  if (customer.status !== 'rejected') return;
  const { status, retry_available_at } = customer;
  if (retry_available_at !== null && retry_available_at <= work.now) return;
  const reason = retry_available_at === null ? 'final' : 'retry_available_at';
  throw fail('invalid_state', {
    details: { current_status: status, allowed: ['created', 'rejected'], reason },
  });
}
