import type { DocumentVersion } from '@tenant-payments/contract/resources/documents.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { MessageLocale } from '../../rails/messages.ts';
import { accounts } from '../accounts/table.ts';
import { rowNow } from '../row_now.ts';
import { renameHolder } from './contact.ts';
import { firstPin, freshPin, pins } from './credentials/pins.ts';
import { acceptInOnboarding, assertReadInOnboarding, loadVersions } from './documents/moves.ts';
import { documents } from './documents/table.ts';
import { requestCustomerCheck } from './identity.ts';
import { contactOf, tellCustomer } from './messages/tell.ts';
import type { StoredMobile } from './mobile_number.ts';
import { addOwner, type NewOwner, ownersStatusOf } from './owners/moves.ts';
import { owners } from './owners/table.ts';
import { assertRetryable } from './rejections.ts';
import { type CustomerRow, customers } from './table.ts';

/** Every row that a submission reads or changes. */
export async function loadOnboarding(read: Read, customerId: string) {
  const [customer, held, people, pin, versions] = await Promise.all([
    read.one(customers, customerId),
    read.set(documents, 'customer_id', customerId),
    read.set(owners, 'customer_id', customerId),
    read.maybe(pins, customerId),
    loadVersions(read),
  ]);
  const account = await read.maybe(accounts, customer.account_id);
  return { customer, account, held, people, pin, versions };
}
export type Onboarding = Awaited<ReturnType<typeof loadOnboarding>>;

/** The data that the customer entered, without identity data: that went to the provider. */
export interface Submission {
  /** By `hashPin`, before the command; only where no PIN is set. */
  readonly pinHash?: string;
  /** The reference that `collectIdentity` returned; absent: the earlier reference stays. */
  readonly identityReference?: string;
  readonly names: Partial<
    Pick<CustomerRow, 'given_name' | 'family_name' | 'legal_name' | 'trading_name' | 'industry'>
  >;
  /** Owners of a business who are present; ignored where owners were named before. */
  readonly owners: readonly NewOwner[];
  /**
   * The documents as they were shown; null: a simulated customer, who reads whatever is due and has
   * the sandbox's PIN.
   */
  readonly read: readonly DocumentVersion[] | null;
  /** When the sample statement was opened in this session. */
  readonly sampleOpenedAt?: Instant | null;
  /** The language of the page; absent: it does not say. */
  readonly locale?: MessageLocale | null;
  /** The verified number, where it differs from the supplied one. */
  readonly mobile?: StoredMobile;
}

const beforeOnboarding = ['created', 'pending', 'rejected'];

/**
 * Onboarding is open: for a new customer, after a request for more data, for a business whose
 * owners are missing, and after a rejection once retry_available_at is reached
 * (rules/customers#10).
 * @throws ApiError invalid_state {current_status, allowed, reason?}
 */
export function assertMayOnboard(work: Work, customer: CustomerRow): void {
  const { status, more_requested } = customer;
  if (status === 'created') return;
  if (status === 'rejected') {
    assertRetryable(work, customer, beforeOnboarding);
    return;
  }
  const isIncomplete = customer.type === 'business' && customer.owners_status !== 'complete';
  if (status === 'pending' && (more_requested || isIncomplete)) return;
  throw fail('invalid_state', { details: { current_status: status, allowed: beforeOnboarding } });
}

/** The place in a submission of each name that the identity is checked by. */
const nameParams = [
  ['given_name', 'person.first_name'],
  ['family_name', 'person.last_name'],
  ['legal_name', 'business.legal_name'],
] as const;

/**
 * While pending the names of the record stay, so that others are not proven beside them (rules/customers#20).
 * @throws ApiError parameter_invalid {reason: other_name}
 */
export function assertNamesOfRecord(customer: CustomerRow, names: Submission['names']): void {
  if (customer.status !== 'pending') return;
  for (const [name, param] of nameParams) {
    const given = names[name];
    if (given !== undefined && given !== customer[name])
      throw fail('parameter_invalid', { param, details: { reason: 'other_name' } });
  }
}

/** The first submission, or a new application after a rejection. */
function apply(work: Work, { customer, account }: Onboarding, submission: Submission): void {
  const before = { ...contactOf(customer), isProven: customer.status !== 'created' };
  work.move(customer, 'submit', {
    set: {
      ...submission.names,
      ...submission.mobile,
      identity_reference: submission.identityReference ?? customer.identity_reference,
      verification_updated_at: work.now,
      retry_available_at: null,
      pin_set: true,
    },
  });
  const { mobile } = submission;
  // Until the first submission nobody has proven a number: the Tenant supplied it.
  if (mobile && before.isProven && mobile.mobile_hmac !== before.mobile_hmac)
    tellCustomer(work, customer, 'mobile_changed', { last4: mobile.mobile_last4 }, before);
  renameHolder(work, customer, rowNow(customer.account_id, account));
}

/**
 * Onboarding sets the first PIN and never replaces one: a forgotten PIN is reset
 * (rules/customers#17).
 * @throws ApiError parameter_missing, parameter_invalid {reason: already_set}, param `pin`
 */
function setPin(work: Work, { customer, pin }: Onboarding, given: Submission): void {
  const { pinHash: hash, read } = given;
  if (pin && hash !== undefined)
    throw fail('parameter_invalid', { param: 'pin', details: { reason: 'already_set' } });
  if (pin) return;
  if (hash === undefined) throw fail('parameter_missing', { param: 'pin' });
  work.create(pins, {
    customer_id: customer.id,
    reset_failures: 0,
    is_sample: read === null,
    ...freshPin(hash, firstPin),
  });
}

/**
 * The customer finishes onboarding: documents accepted, PIN set, status pending. A second
 * submission while pending changes nothing visible except the owners (rules/customers#20).
 * @throws ApiError invalid_state {current_status, allowed, reason?: documents_changed}; the errors
 * of `setPin`
 */
export function submitOnboarding(work: Work, rows: Onboarding, submission: Submission): void {
  const { customer, people } = rows;
  const { identityReference } = submission;
  assertMayOnboard(work, customer);
  assertReadInOnboarding(customer, rows, submission.read);
  setPin(work, rows, submission);
  if (customer.status === 'pending')
    work.change(customer, {
      identity_reference: identityReference ?? customer.identity_reference,
      more_requested: false,
    });
  else apply(work, rows, submission);
  const named = people.length === 0 ? submission.owners : [];
  const added = named.map((owner) => addOwner(work, customer, owner));
  if (customer.type === 'business')
    work.change(customer, { owners_status: ownersStatusOf([...people, ...added]) });
  const { sampleOpenedAt = null, locale = null } = submission;
  acceptInOnboarding(work, customer, rows, { sampleOpenedAt, locale });
  requestCustomerCheck(work, customer);
}
