import { command } from '../../../core/command.ts';
import { fail } from '../../../core/fail.ts';
import { addSeconds } from '../../../core/instant.ts';
import type { Read } from '../../../core/reader.ts';
import type { Work } from '../../../core/work.ts';
import { askAboutCustomer, askAboutOwner, awaitsDecision } from '../identity.ts';
import { rejectedOnceMore } from '../rejections.ts';
import { type CustomerRow, customers } from '../table.ts';
import { type OwnerRow, owners } from './table.ts';

/** Who owns so much of a business must be verified (31 CFR 1010.230). */
const beneficialPercent = 25;
/** How long a verification link lives (decisions 1.8, Lifetimes). */
export const linkSeconds = 7 * 24 * 3600;

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

/** A person behind a business, as the merchant names it. */
export interface NamedOwner {
  readonly name: string;
  readonly role: OwnerRow['role'];
  /** Of one who only controls: null. */
  readonly ownershipPercent: number | null;
}

/** A person who is present in the flow and submits at once. */
export interface NewOwner extends NamedOwner {
  /** The uuid under which the provider was told of it; absent: nothing was told. */
  readonly id?: string;
  readonly identityReference?: string;
}

/** What the merchant says of an owner, as it is stored. */
export const namedFacts = ({ name, role, ownershipPercent }: NamedOwner) => ({
  name,
  role,
  ownership_percent: ownershipPercent,
});

/** What a new owner has, however it was named. */
export const ownerValues = (work: Work, customer: CustomerRow, owner: NamedOwner) => ({
  customer_id: customer.id,
  ...namedFacts(owner),
  rejections: 0,
  retry_available_at: null,
  created_at: work.now,
});

/** Adds a person who submits at once. The customer's owners_status follows with the caller's move. */
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
    },
    'add',
  );
  askAboutOwner(work, row);
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

/** Whether the link that was sent last may be used at this time. */
export const isLinkAlive = (work: Work, { status, invited_at }: OwnerRow): boolean =>
  status === 'invited' && invited_at !== null && addSeconds(invited_at, linkSeconds) > work.now;

/**
 * The business's owners_status follows. Once they are complete it can be approved, so that the
 * provider, whose approval counted for nothing before, is asked again (decisions 1.1).
 */
export function ownersChanged(work: Work, customer: CustomerRow, all: readonly OwnerRow[]): void {
  const status = ownersStatusOf(all);
  if (status === customer.owners_status) return;
  work.change(customer, { owners_status: status });
  if (status === 'complete' && awaitsDecision(customer)) askAboutCustomer(work, customer);
}

/** The owner submits: by its link, or as the sandbox plays it. @throws ApiError invalid_state */
export function submit(
  work: Work,
  { owner, customer, all }: LoadedOwner,
  identityReference: string | null,
): void {
  if (owner.status === 'invited' && !isLinkAlive(work, owner))
    throw fail('invalid_state', {
      details: { current_status: owner.status, allowed: ['invited'], reason: 'link_expired' },
    });
  work.move(owner, 'submit', {
    set: { identity_reference: identityReference, link_hash: null, retry_available_at: null },
  });
  askAboutOwner(work, owner);
  ownersChanged(work, customer, all);
}

/** The owner goes through its verification (simulate `owner.pending`). */
export const submitOwner = command('submit_owner', {
  load: loadOwner,
  decide: (work, rows) => {
    submit(work, rows, null);
    return { record: rows.owner };
  },
});

/** A decision about an owner; `more` changes what nobody is shown. */
const decision = (
  name: string,
  move: 'unclear' | 'approve' | 'reject',
  more: (work: Work, owner: OwnerRow) => Partial<OwnerRow> = () => ({}),
) =>
  command(name, {
    load: loadOwner,
    decide: (work, { owner, customer, all }) => {
      work.move(owner, move, { set: more(work, owner) });
      ownersChanged(work, customer, all);
      return { record: owner };
    },
  });

export const holdOwnerForReview = decision('hold_owner_for_review', 'unclear');
export const approveOwner = decision('approve_owner', 'approve');
/** It may be invited again by the customers' ladder (decisions 1.1, Owner). */
export const rejectOwner = decision('reject_owner', 'reject', rejectedOnceMore);
