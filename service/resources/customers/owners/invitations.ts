import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { tokenHash, type Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../database.ts';
import type { Identity } from '../../../rails/identity.ts';
import { collectIdentity, type IdentityData } from '../identity.ts';
import { assertMayOnboard } from '../onboarding.ts';
import { assertRetryable } from '../rejections.ts';
import { type CustomerRow, customers } from '../table.ts';
import {
  addOwner,
  isLinkAlive,
  loadOwner,
  type NamedOwner,
  type NewOwner,
  namedFacts,
  ownersStatusOf,
  ownerValues,
  submitByOwner,
  updateOwnersStatus,
} from './moves.ts';
import { type OwnerRow, owners } from './table.ts';

/** Where the link is sent: an email address or a number in E.164. Stored sealed. */
export type OwnerContact = { readonly email: string } | { readonly mobile_number: string };

/** What an owner's sealed contact is bound to. */
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
        { ...values, ...link.set, contact_sealed, identity_reference: null },
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

interface LinkUse {
  /** The link's token. */
  readonly token: string;
  readonly data: IdentityData;
}

const linkInvalid = (reason: 'unknown' | 'expired') =>
  fail('session_invalid', { param: 'token', details: { reason } });

/** The owner of a link, valid or expired. */
async function readOwnerOf(db: Kysely<Database>, tenantId: string, token: string) {
  const { rows } = await sql<{ id: string; customerId: string }>`
    select o.id, o.customer_id as "customerId" from owners o join customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id
    where o.tenant_id = ${tenantId} and o.link_hash = ${tokenHash(token)}
      and c.withdrawn_reason is null`.execute(db);
  const [found] = rows;
  if (!found) throw linkInvalid('unknown');
  return found;
}

/**
 * The owner submits by the link. The data goes to the provider; only the reference is stored.
 * @throws ApiError session_invalid {reason}: the link is unknown, was used or replaced, or has
 *   expired
 */
export const submitByLink = ({
  db,
  identity,
}: {
  readonly db: Kysely<Database>;
  readonly identity: Pick<Identity, 'collect'>;
}) =>
  command('submit_by_link', {
    prepare: async ({ token, data }: LinkUse, { tenantId }) => {
      const { id, customerId } = await readOwnerOf(db, tenantId, token);
      const subject = { subject: 'owner', id, customerId } as const;
      return {
        id,
        reference: await collectIdentity(identity, tenantId, subject, data),
      };
    },
    load: (read, _input, { id }) => loadOwner(read, { id }),
    decide: (work, rows, { token }, { reference }) => {
      const { owner, customer } = rows;
      if (owner.link_hash !== tokenHash(token) || customer.withdrawn_reason !== null)
        throw linkInvalid('unknown');
      if (!isLinkAlive(work, owner)) throw linkInvalid('expired');
      submitByOwner(work, rows, reference);
      return { record: owner };
    },
  });
