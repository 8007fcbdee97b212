import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  awaitsDecision,
  type IdentityData,
  requestCustomerCheck,
  requestOwnerCheck,
} from '../identity.ts';
import { nameScore } from '../name_score.ts';
import { afterRejection } from '../rejections.ts';
import { type CustomerRow, customers } from '../table.ts';
import { type OwnerRow, owners } from './table.ts';

/** An owner of this share of a business must be verified (31 CFR 1010.230). */
const beneficialPercent = 25;
/** How long a verification link is valid (rules/owners#8). */
export const linkSeconds = lifetimes.ownerInvite;

/**
 * Whether a business can be approved: exactly one control person and every owner of 25 % or more,
 * all of them approved (rules/owners#2).
 */
export const ownersComplete = (all: readonly OwnerRow[]): boolean =>
  missingOfOwners(all).length === 0;

const controls = ({ role }: OwnerRow): boolean => role !== 'owner';
const mustBeVerified = (owner: OwnerRow): boolean =>
  controls(owner) || (owner.ownership_percent ?? 0) >= beneficialPercent;

/** The step that has to happen before a business can be approved, in words of our own. */
export type MissingOfOwners =
  | { readonly missing: 'control_person' }
  | { readonly missing: 'one_control_person_only'; readonly owner_ids: readonly string[] }
  | {
      readonly missing: 'approval';
      readonly owner_id: string;
      readonly verification_status: OwnerRow['status'];
    };

/** The steps missing until the owners of a business are complete; nothing: they are. */
export function missingOfOwners(all: readonly OwnerRow[]): readonly MissingOfOwners[] {
  const wire = ({ id }: OwnerRow) => publicId('owner', id);
  const controlling = all.filter(controls);
  const people: readonly MissingOfOwners[] =
    controlling.length === 0
      ? [{ missing: 'control_person' }]
      : controlling.length > 1
        ? [{ missing: 'one_control_person_only', owner_ids: controlling.map(wire) }]
        : [];
  const unapproved = all.filter((owner) => mustBeVerified(owner) && owner.status !== 'approved');
  return [
    ...people,
    ...unapproved.map((owner) => ({
      missing: 'approval' as const,
      owner_id: wire(owner),
      verification_status: owner.status,
    })),
  ];
}

export const ownersStatusOf = (all: readonly OwnerRow[]) => {
  if (all.length === 0) return 'not_started';
  return ownersComplete(all) ? 'complete' : 'pending';
};

/** A person behind a business, as the merchant names it. */
export interface NamedOwner {
  readonly name: string;
  readonly role: OwnerRow['role'];
  /** Null for a person who only controls. */
  readonly ownershipPercent: number | null;
}

/** An owner who is present in the flow and submits at once. */
export interface NewOwner extends NamedOwner {
  /** The uuid that the provider knows; absent: no identity data was sent. */
  readonly id?: string;
  readonly identityReference?: string;
  /** The data that was sent; absent with the reference. */
  readonly data?: IdentityData;
}

/**
 * Whether the owner's own data has another name than the business gave, by the measure of a bank account's holder: then
 * nobody is approved as somebody else (rules/owners#14).
 */
function isNamedOtherwise(
  { tenant: { settings } }: Work,
  { name }: Pick<OwnerRow, 'name'>,
  data: IdentityData | undefined,
): boolean {
  if (!data || !('firstName' in data)) return false;
  const own = `${data.firstName} ${data.lastName}`;
  return nameScore(name ?? '', own, 'individual') < settings.holder_match_verified;
}

/** The merchant's statements about an owner, as columns. */
export const namedFacts = ({ name, role, ownershipPercent }: NamedOwner) => ({
  name,
  role,
  ownership_percent: ownershipPercent,
});

/** The values of every new owner. */
export const ownerValues = (work: Work, customer: CustomerRow, owner: NamedOwner) => ({
  customer_id: customer.id,
  ...namedFacts(owner),
  rejections: 0,
  retry_available_at: null,
  collecting_until: null,
  created_at: work.now,
});

/** Adds an owner who submits at once. The caller updates owners_status. */
export function addOwner(work: Work, customer: CustomerRow, owner: NewOwner): OwnerRow {
  const row = work.create(
    owners,
    {
      id: owner.id ?? work.newId(),
      ...ownerValues(work, customer, owner),
      invited_at: null,
      contact_sealed: null,
      link_hash: null,
      identity_reference: owner.identityReference ?? null,
      named_otherwise: isNamedOtherwise(work, owner, owner.data),
    },
    'add',
  );
  requestOwnerCheck(work, row);
  return row;
}

export async function loadOwner(read: Read, { id }: { id: string }) {
  const owner = await read.one(owners, id);
  const [customer, all] = await Promise.all([
    read.one(customers, owner.customer_id),
    read.set(owners, 'customer_id', owner.customer_id),
  ]);
  return { owner, customer, all };
}
type LoadedOwner = Awaited<ReturnType<typeof loadOwner>>;

/** Whether the last link can still be used. */
export const isLinkAlive = (work: Work, { status, invited_at }: OwnerRow): boolean =>
  status === 'invited' && invited_at !== null && addSeconds(invited_at, linkSeconds) > work.now;

/**
 * Updates the business's owners_status. Once the owners are complete the business can be approved,
 * so the provider's check is requested again (rules/owners#12).
 */
export function updateOwnersStatus(
  work: Work,
  customer: CustomerRow,
  all: readonly OwnerRow[],
): void {
  const status = ownersStatusOf(all);
  if (status === customer.owners_status) return;
  work.change(customer, { owners_status: status });
  if (status === 'complete' && awaitsDecision(customer)) requestCustomerCheck(work, customer);
}

/** The owner submits, by the link or by simulate. @throws ApiError invalid_state */
export function submitByOwner(
  work: Work,
  { owner, customer, all }: LoadedOwner,
  identityReference: string | null,
  data?: IdentityData,
): void {
  if (owner.status === 'invited' && !isLinkAlive(work, owner))
    throw fail('invalid_state', {
      details: { current_status: owner.status, allowed: ['invited'], reason: 'link_expired' },
    });
  work.move(owner, 'submit', {
    set: {
      identity_reference: identityReference,
      named_otherwise: isNamedOtherwise(work, owner, data),
      link_hash: null,
      retry_available_at: null,
    },
  });
  requestOwnerCheck(work, owner);
  updateOwnersStatus(work, customer, all);
}

/** The owner submits (simulate `owner.pending`). */
export const submitOwner = command('submit_owner', {
  load: loadOwner,
  decide: (work, rows) => {
    submitByOwner(work, rows, null);
    return { record: rows.owner };
  },
});

/** A decision about an owner. @param more further columns that change */
const decision = (
  name: string,
  move: 'unclear' | 'approve' | 'reject',
  more: (work: Work, owner: OwnerRow) => Partial<OwnerRow> = () => ({}),
) =>
  command(name, {
    load: loadOwner,
    decide: (work, { owner, customer, all }) => {
      work.move(owner, move, { set: more(work, owner) });
      updateOwnersStatus(work, customer, all);
      return { record: owner };
    },
  });

export const holdOwnerForReview = decision('hold_owner_for_review', 'unclear');
export const approveOwner = decision('approve_owner', 'approve');
/** The owner can be invited again, by the same ladder as customers (rules/customers#15). */
export const rejectOwner = decision('reject_owner', 'reject', afterRejection);
