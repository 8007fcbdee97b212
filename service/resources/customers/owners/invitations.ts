import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { type Kysely, sql } from 'kysely';
import { command } from '../../../core/command.ts';
import { fail } from '../../../core/fail.ts';
import type { Read } from '../../../core/reader.ts';
import { tokenHash, type Vault } from '../../../core/vault.ts';
import type { Work } from '../../../core/work.ts';
import type { Identity } from '../../../rails/identity.ts';
import type { Database } from '../../database.ts';
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
  ownersChanged,
  ownersStatusOf,
  ownerValues,
  submit,
} from './moves.ts';
import { type OwnerRow, owners } from './table.ts';

/** Where the link is sent: an address, or a number in E.164. Stored sealed (decisions 1.12). */
export type OwnerContact = { readonly email: string } | { readonly mobile_number: string };

/** The row by which an owner's contact is sealed. */
const contactSeal = (customerId: string): string => `owner_contact ${customerId}`;

async function loadBusiness(read: Read, { id }: { readonly id: string }) {
  const [customer, all] = await Promise.all([
    read.one(customers, id),
    read.set(owners, 'customer_id', id),
  ]);
  return { customer, all };
}

/** @throws ApiError invalid_state: no business, or its onboarding is over */
function assertNaming(work: Work, customer: CustomerRow): void {
  if (customer.type !== 'business')
    throw fail('invalid_state', {
      details: { current_status: customer.status, allowed: [], reason: 'individual' },
    });
  assertMayOnboard(work, customer);
}

/**
 * One more owner. The business's row changes whatever its owners_status: an approval that did not
 * see the newcomer is decided again.
 */
function named(work: Work, customer: CustomerRow, all: readonly OwnerRow[]): void {
  work.change(customer, { owners_status: ownersStatusOf(all) });
}

/** The link's token: in this reply alone, and stored as its hash. A later one makes it worthless. */
function newLink(work: Work) {
  const token = work.newSecret('ol');
  return { token, set: { link_hash: tokenHash(token), invited_at: work.now } };
}

/** @returns {id, link_token}, for whoever sends the link */
const sent = ({ id }: OwnerRow, link_token: string) => ({
  value: { id: publicId('owner', id), link_token },
  sealed: true,
});

/** The merchant names an owner who is present in the flow, and submits at once. @throws ApiError */
export const nameOwner = command('name_owner', {
  load: (read, { id }: { readonly id: string; readonly owner: NewOwner }) =>
    loadBusiness(read, { id }),
  decide: (work, { customer, all }, { owner }) => {
    assertNaming(work, customer);
    const row = addOwner(work, customer, owner);
    named(work, customer, [...all, row]);
    return { record: row };
  },
});

interface Invitation {
  /** The business, by uuid. */
  readonly id: string;
  readonly owner: NamedOwner;
  readonly contact: OwnerContact;
}

/** The merchant names an owner, who is sent a link that lives for seven days. @throws ApiError */
export const inviteOwner = (vault: Vault) =>
  command('invite_owner', {
    prepare: async ({ id, contact }: Invitation, { tenantId }) =>
      vault.seal(tenantId, contactSeal(id), contact),
    load: loadBusiness,
    decide: (work, { customer, all }, { owner }, contact_sealed) => {
      assertNaming(work, customer);
      const link = newLink(work);
      const values = { id: work.newId(), ...ownerValues(work, customer, owner) };
      const row = work.create(
        owners,
        { ...values, ...link.set, contact_sealed, identity_reference: null },
        'invite',
      );
      named(work, customer, [...all, row]);
      return sent(row, link.token);
    },
  });

interface Reminder {
  /** The owner, by uuid. */
  readonly id: string;
  /** The business that asks, by uuid. */
  readonly customer_id: string;
  /** Where the link goes from now on; absent: where the last one went. */
  readonly contact?: OwnerContact;
  /** What the merchant corrects; absent: the owner stays as it was named. */
  readonly owner?: NamedOwner;
}

/**
 * The link again, to somebody invited or, once its time has come, to somebody rejected. The one sent
 * before opens nothing any more. What is corrected joins the move: who has submitted is not changed.
 * @throws ApiError not_found: another business's; invalid_state {reason?}; parameter_missing
 *   `contact` where none is known
 */
export const inviteOwnerAgain = (vault: Vault) =>
  command('invite_owner_again', {
    prepare: async ({ customer_id, contact }: Reminder, { tenantId }) =>
      contact && vault.seal(tenantId, contactSeal(customer_id), contact),
    load: loadOwner,
    decide: (work, { owner, customer, all }, { customer_id, owner: corrected }, sealed) => {
      if (owner.customer_id !== customer_id) throw fail('not_found');
      assertNaming(work, customer);
      const { status } = owner;
      if (status === 'rejected') assertRetryable(work, owner, ['invited', 'rejected']);
      const contact_sealed = sealed ?? owner.contact_sealed;
      if (contact_sealed === null) throw fail('parameter_missing', { param: 'contact' });
      const link = newLink(work);
      const move = status === 'rejected' ? 'invite_again' : 'resend';
      const set = { ...link.set, contact_sealed, retry_available_at: null };
      work.move(owner, move, { set: { ...set, ...(corrected && namedFacts(corrected)) } });
      ownersChanged(work, customer, all);
      return sent(owner, link.token);
    },
  });

interface LinkUse {
  /** The link's token. */
  readonly token: string;
  readonly data: IdentityData;
}

const useless = (reason: 'unknown' | 'expired') =>
  fail('session_invalid', { param: 'token', details: { reason } });

/** Whom a link names, whether it still lives or not. */
async function ownerOf(db: Kysely<Database>, tenantId: string, token: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from owners where tenant_id = ${tenantId} and link_hash = ${tokenHash(token)}`.execute(
    db,
  );
  const [found] = rows;
  if (!found) throw useless('unknown');
  return found.id;
}

/**
 * The owner submits by its link. What it entered goes to the provider, and only its reference stays.
 * @throws ApiError session_invalid {reason}: the link is unknown, was used or replaced, or has expired
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
      const id = await ownerOf(db, tenantId, token);
      return {
        id,
        reference: await collectIdentity(identity, tenantId, { subject: 'owner', id }, data),
      };
    },
    load: (read, _input, { id }) => loadOwner(read, { id }),
    decide: (work, rows, { token }, { reference }) => {
      const { owner } = rows;
      if (owner.link_hash !== tokenHash(token)) throw useless('unknown');
      if (!isLinkAlive(work, owner)) throw useless('expired');
      submit(work, rows, reference);
      return { record: owner };
    },
  });
