import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import { addSeconds } from '../../core/instant.ts';
import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import { askAboutCustomer, askAboutOwner, awaitsDecision } from './identity.ts';
import { type OwnerRow, owners } from './owners_table.ts';
import { type CustomerRow, customers } from './table.ts';

/** Who owns so much of a business must be verified (31 CFR 1010.230). */
const beneficialPercent = 25;
/** How long a verification link lives (decisions 1.8, Lifetimes). */
const inviteSeconds = 7 * 24 * 3600;

/**
 * Whether a business may be approved (decisions 1.1): exactly one control person and every owner of
 * 25 % or more, all of them approved.
 */
export function ownersComplete(all: readonly OwnerRow[]): boolean {
  const controls = all.filter(({ role }) => role !== 'owner');
  const beneficial = all.filter(
    ({ ownership_percent }) => (ownership_percent ?? 0) >= beneficialPercent,
  );
  return (
    controls.length === 1 &&
    [...controls, ...beneficial].every(({ status }) => status === 'approved')
  );
}

export const ownersStatusOf = (all: readonly OwnerRow[]) => {
  if (all.length === 0) return 'not_started';
  return ownersComplete(all) ? 'complete' : 'pending';
};

/** A person whom the merchant names while present in the flow. */
export interface NewOwner {
  readonly name: string;
  readonly role: OwnerRow['role'];
  readonly ownershipPercent: number | null;
}

/** Adds a person who submits at once. The customer's owners_status follows with the caller's move. */
export function addOwner(work: Work, customer: CustomerRow, owner: NewOwner): OwnerRow {
  const row = work.create(
    owners,
    {
      id: work.newId(),
      customer_id: customer.id,
      name: owner.name,
      role: owner.role,
      ownership_percent: owner.ownershipPercent,
      invited_at: null,
      created_at: work.now,
    },
    'add',
  );
  askAboutOwner(work, row);
  return row;
}

async function loadOwner(read: Read, { id }: { id: string }) {
  const owner = await read.one(owners, id);
  const [customer, all] = await Promise.all([
    read.one(customers, owner.customer_id),
    read.set(owners, 'customer_id', owner.customer_id),
  ]);
  return { owner, customer, all };
}

/** The link that was sent is dead after a week. */
function assertLinkAlive(work: Work, owner: OwnerRow): void {
  const sent = owner.status === 'invited' ? owner.invited_at : null;
  if (sent !== null && addSeconds(sent, inviteSeconds) <= work.now)
    throw fail('invalid_state', {
      details: { current_status: owner.status, allowed: ['invited'], reason: 'link_expired' },
    });
}

/**
 * The business's owners_status follows. Once they are complete it can be approved, so that the
 * provider, whose approval counted for nothing before, is asked again (decisions 1.1).
 */
function ownersChanged(work: Work, customer: CustomerRow, all: readonly OwnerRow[]): void {
  const status = ownersStatusOf(all);
  if (status === customer.owners_status) return;
  work.change(customer, { owners_status: status });
  if (status === 'complete' && awaitsDecision(customer)) askAboutCustomer(work, customer);
}

/** A move of an owner. */
const ownerMove = (name: string, move: 'submit' | 'unclear' | 'approve' | 'reject') =>
  command(name, {
    load: loadOwner,
    decide: (work, { owner, customer, all }) => {
      assertLinkAlive(work, owner);
      work.move(owner, move);
      if (move === 'submit') askAboutOwner(work, owner);
      ownersChanged(work, customer, all);
      return { record: owner };
    },
  });

export const submitOwner = ownerMove('submit_owner', 'submit');
export const holdOwnerForReview = ownerMove('hold_owner_for_review', 'unclear');
export const approveOwner = ownerMove('approve_owner', 'approve');
export const rejectOwner = ownerMove('reject_owner', 'reject');
