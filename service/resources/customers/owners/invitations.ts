import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { tokenHash, type Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { assertMayOnboard } from '../onboarding.ts';
import { assertRetryable } from '../rejections.ts';
import { type CustomerRow, customers } from '../table.ts';
import {
  addOwner,
  loadOwner,
  type NamedOwner,
  type NewOwner,
  namedFacts,
  ownersStatusOf,
  ownerValues,
  updateOwnersStatus,
} from './moves.ts';
import { type OwnerRow, owners } from './table.ts';

/** The recipient of the link: an email address or a number in E.164. Stored sealed. */
export type OwnerContact = { readonly email: string } | { readonly mobile_number: string };

/** The binding of an owner's sealed contact. */
export const contactSeal = (customerId: string): string => `owner_contact ${customerId}`;

async function loadBusiness(read: Read, { id }: { readonly id: string }) {
  const [customer, all] = await Promise.all([
    read.one(customers, id),
    read.set(owners, 'customer_id', id),
  ]);
  return { customer, all };
}

/** @throws ApiError invalid_state: not a business, or onboarding is not open */
function assertMayNameOwners(work: Work, customer: CustomerRow): void {
  if (customer.type !== 'business')
    throw fail('invalid_state', {
      details: { current_status: customer.status, allowed: [], reason: 'individual' },
    });
  assertMayOnboard(work, customer);
}

/**
 * After a new owner. Always changes the business's row, so that an approval at the same time that
 * did not see the new owner is decided again.
 */
function ownerAdded(work: Work, customer: CustomerRow, all: readonly OwnerRow[]): void {
  work.change(customer, { owners_status: ownersStatusOf(all) });
}

/** A link's token: shown in this reply only, stored as a hash, replaced by a later one. */
function newLink(work: Work) {
  const token = work.newSecret('ol');
  return { token, set: { link_hash: tokenHash(token), invited_at: work.now } };
}

/** @returns {id, link_token}, for the page that sends the link */
const linkReply = ({ id }: OwnerRow, link_token: string) => ({
  value: { id: publicId('owner', id), link_token },
  sealed: true,
});

/**
 * Checked before the provider is given an owner's data (rules/identity#2).
 * @throws ApiError invalid_state
 */
export const mayNameOwners = command('may_name_owners', {
  load: (read, input: { readonly id: string }) => loadBusiness(read, input),
  decide: (work, { customer }) => {
    assertMayNameOwners(work, customer);
    return { value: null };
  },
});

/**
 * The merchant names an owner who is present and submits at once.
 * @throws ApiError invalid_state
 */
export const nameOwner = command('name_owner', {
  load: (read, { id }: { readonly id: string; readonly owner: NewOwner }) =>
    loadBusiness(read, { id }),
  decide: (work, { customer, all }, { owner }) => {
    assertMayNameOwners(work, customer);
    const row = addOwner(work, customer, owner);
    ownerAdded(work, customer, [...all, row]);
    return { record: row };
  },
});

interface Invitation {
  /** The business, by uuid. */
  readonly id: string;
  readonly owner: NamedOwner;
  readonly contact: OwnerContact;
}

/**
 * The merchant names an owner and sends a link, valid for 7 days.
 * @throws ApiError invalid_state
 */
export const inviteOwner = (vault: Vault) =>
  command('invite_owner', {
    prepare: async ({ id, contact }: Invitation, { tenantId }) =>
      vault.seal(tenantId, contactSeal(id), contact),
    load: (read, input: Invitation) => loadBusiness(read, input),
    decide: (work, { customer, all }, { owner }, contact_sealed) => {
      assertMayNameOwners(work, customer);
      const link = newLink(work);
      const values = { id: work.newId(), ...ownerValues(work, customer, owner) };
      const row = work.create(
        owners,
        {
          ...values,
          ...link.set,
          contact_sealed,
          identity_reference: null,
          named_otherwise: false,
        },
        'invite',
      );
      ownerAdded(work, customer, [...all, row]);
      return linkReply(row, link.token);
    },
  });

interface Reminder {
  /** The owner, by uuid. */
  readonly id: string;
  /** The business, by uuid. */
  readonly customer_id: string;
  /** The new contact; absent: the same as for the last link. */
  readonly contact?: OwnerContact;
  /** Corrected facts of the owner; absent: no correction. */
  readonly owner?: NamedOwner;
}

/**
 * Sends the link again: to an invited owner or, once retry_available_at is reached, to a rejected
 * one. The earlier link ends. Facts can be corrected with it (rules/owners#10).
 * @throws ApiError not_found: an owner of another business; invalid_state {reason?};
 *   parameter_missing `contact` where none is stored
 */
export const inviteOwnerAgain = (vault: Vault) =>
  command('invite_owner_again', {
    prepare: async ({ customer_id, contact }: Reminder, { tenantId }) =>
      contact && vault.seal(tenantId, contactSeal(customer_id), contact),
    load: (read, input: Reminder) => loadOwner(read, input),
    decide: (work, { owner, customer, all }, { customer_id, owner: corrected }, sealed) => {
      if (owner.customer_id !== customer_id) throw fail('not_found');
      assertMayNameOwners(work, customer);
      const { status } = owner;
      if (status === 'rejected') assertRetryable(work, owner, ['invited', 'rejected']);
      const contact_sealed = sealed ?? owner.contact_sealed;
      if (contact_sealed === null) throw fail('parameter_missing', { param: 'contact' });
      const link = newLink(work);
      const move = status === 'rejected' ? 'invite_again' : 'resend';
      const set = { ...link.set, contact_sealed, retry_available_at: null };
      work.move(owner, move, { set: { ...set, ...(corrected && namedFacts(corrected)) } });
      updateOwnersStatus(work, customer, all);
      return linkReply(owner, link.token);
    },
  });
