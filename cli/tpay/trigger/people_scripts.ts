import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import type { Cast } from './cast.ts';

/** Makes what an event is about, to the moment at which the service sends it. */
export type Script = (cast: Cast) => Promise<unknown>;

const afterApplying =
  (event: SimulateName): Script =>
  async ({ applied, simulate }) =>
    simulate(event, (await applied()).id);

const ofOwner =
  (event: SimulateName): Script =>
  async ({ applied, api, simulate }) => {
    const [owner] = (await api.customers.listOwners((await applied('business')).id)).data;
    if (owner) await simulate(event, owner.id);
  };

const ofAccount =
  (...events: SimulateName[]): Script =>
  async ({ approved, simulate }) => {
    const { account_id } = await approved();
    for (const event of events) await simulate(event, String(account_id));
  };

async function closing({ approved, api }: Cast) {
  const made = await approved();
  await api.customers.close(made.id, { reason: 'customer_request' });
  return made;
}

const afterLinking =
  (...events: SimulateName[]): Script =>
  async ({ approved, link, simulate }) => {
    const linked = await link((await approved()).id);
    for (const event of events) await simulate(event, linked.id);
  };

const ofSession =
  (event: SimulateName): Script =>
  async ({ customer, simulate }) =>
    simulate(event, (await customer()).id);

/** A new version of a document waits for its customer. */
async function newTerms({ approved, api, simulate }: Cast): Promise<string> {
  const { id } = await approved();
  const { data } = await api.customers.listDocuments(id);
  await simulate('document_acceptance.pending_acceptance', String(data[0]?.id));
  return id;
}

/** Events of customers and what belongs to them. */
export const peopleScripts = {
  'customer.created': ({ customer }) => customer(),
  'customer.pending': ({ applied }) => applied(),
  'customer.approved': ({ approved }) => approved(),
  'customer.rejected': afterApplying('customer.rejected'),
  'customer.in_review': afterApplying('customer.in_review'),
  'customer.updated': async ({ approved, simulate }) =>
    simulate('customer.pin_locked', (await approved()).id),
  'owner.invited': ({ invitedOwner }) => invitedOwner(),
  'owner.pending': ({ applied }) => applied('business'),
  'owner.in_review': ofOwner('owner.in_review'),
  'owner.approved': ofOwner('owner.approved'),
  'owner.rejected': ofOwner('owner.rejected'),
  'document_acceptance.accepted': ({ applied }) => applied(),
  'document_acceptance.pending_acceptance': newTerms,
  'document_acceptance.superseded': async (cast) => {
    const customer_id = await newTerms(cast);
    await cast.api.sessions.create({ flow: 'terms_acceptance', customer_id });
    await cast.confirm(customer_id);
  },
  'session.completed': ofSession('session.completed'),
  'session.canceled': ofSession('session.canceled'),
  'session.expired': ofSession('session.expired'),
  'linked_account.created': afterLinking(),
  'linked_account.verified': afterLinking('linked_account.verified'),
  'linked_account.failed': afterLinking('linked_account.failed'),
  'linked_account.held_for_review': afterLinking('linked_account.held_for_review'),
  'linked_account.updated': async ({ banked, api, link, simulate }) => {
    const { id, linkedAccountId } = await banked();
    await api.linkedAccounts.remove(id, linkedAccountId);
    // Only a later link has a hold (rules/linking#14).
    const later = await link(id, '-another');
    await simulate('linked_account.verified', later.id);
    await simulate('linked_account.hold_released', later.id);
  },
  'linked_account.removed': async ({ banked, api }) => {
    const { id, linkedAccountId } = await banked();
    await api.linkedAccounts.remove(id, linkedAccountId);
  },
  'account.created': ({ approved }) => approved(),
  'account.suspended': ofAccount('account.suspended'),
  'account.reactivated': ofAccount('account.suspended', 'account.reactivated'),
  'account.dormant': ofAccount('account.dormant'),
  'account.closing': closing,
  'account.closed': async (cast) => {
    const { account_id } = await closing(cast);
    await cast.simulate('account.closed', String(account_id));
  },
} as const satisfies Readonly<Record<string, Script>>;
