import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { suspenseLifecycle } from '@tenant-payments/contract/portal/review.ts';
import { moneyStates } from './states_money.ts';
import type { Held, World } from './world.ts';

/** How a record comes to stand in a state; a text says why no public surface brings it there. */
export type Recipe = ((w: World) => Promise<Held>) | string;

/** Every state table that somebody outside can move along; the last two are the reviewer's alone. */
export const tables = {
  ...lifecycles,
  adjustment: suspenseLifecycle,
  bank_message: { resource: 'bank_message', states: ['open', 'closed'], moves: {} },
} as const satisfies Record<string, Lifecycle>;

export type Tabled = keyof typeof tables;
export const tabled = Object.keys(tables) as Tabled[];

/** A state of each table: one without a recipe does not compile. */
type Recipes = {
  readonly [T in Tabled]: Readonly<Record<(typeof tables)[T]['states'][number], Recipe>>;
};

const individual = async (w: World): Promise<Held> => ({ id: (await w.apply('individual')).id });

/** A customer on whom the events of these names were played, after another. */
const customer =
  (...played: readonly string[]) =>
  async (w: World): Promise<Held> => {
    const made = await individual(w);
    for (const name of played) await w.simulate(`customer.${name}`, made.id);
    return made;
  };

/** The owner that a business named in its onboarding. */
const owner =
  (...played: readonly string[]) =>
  async (w: World): Promise<Held> => {
    const { id: customerId } = await w.apply('business');
    await w.simulate('customer.pending', customerId);
    const [named] = (await w.get(`/v1/customers/${customerId}/owners`)).data;
    for (const name of played) await w.simulate(`owner.${name}`, named.id);
    return { id: named.id, customerId };
  };

interface Document {
  readonly id: string;
  readonly status: string;
}

/** A customer's first document, and the row that stands so after what was done with it. */
export async function documentOf(w: World, status: string, versions: number): Promise<Held> {
  const { customerId } = await w.approve('individual');
  const list = async (): Promise<Document[]> =>
    (await w.get(`/v1/customers/${customerId}/documents`)).data;
  const [accepted] = await list();
  for (let version = 0; version < versions; version += 1)
    await w.simulate('document_acceptance.pending_acceptance', accepted?.id ?? '');
  if (status === 'superseded' && versions === 1)
    await w.confirmed(w.open('terms_acceptance', { customerId }));
  const found = (await list()).find((row) => row.status === status);
  return { id: found?.id ?? '', customerId };
}

/** The session in which a payment is confirmed. */
const session =
  (...played: readonly string[]) =>
  async (w: World): Promise<Held> => {
    const { id } = (await w.pay()).confirmation_session;
    for (const name of played) await w.simulate(`session.${name}`, id);
    return { id };
  };

const link =
  (...played: readonly string[]) =>
  async (w: World): Promise<Held> => {
    const { customerId } = await w.approve('individual');
    const path = `/v1/customers/${customerId}/linked-accounts`;
    const { id } = await w.post(path, { public_token: 'public-sandbox-standard' });
    for (const name of played)
      if (name === 'removed') await w.call('DELETE', `${path}/${id}`);
      else await w.simulate(`linked_account.${name}`, id);
    return { id, customerId };
  };

/** A verified link of a customer who had another before: withdrawals to it are held. */
export async function linkOnHold(w: World): Promise<Held> {
  const person = await w.approve('individual');
  const first = await w.link(person);
  await w.call('DELETE', `/v1/customers/${person.customerId}/linked-accounts/${first}`);
  return { id: await w.link(person), customerId: person.customerId };
}

const account =
  (...played: readonly string[]) =>
  async (w: World): Promise<Held> => {
    const { accountId, customerId } = await w.approve('individual');
    for (const name of played) await w.simulate(`account.${name}`, accountId);
    return { id: accountId, customerId };
  };

/** Its last payout is on its way, so that it does not close by itself. */
async function closing(w: World): Promise<Held> {
  const person = await w.banked('individual');
  await w.fund(person, 1_00);
  await w.close(person);
  // What is due runs with a simulation, and here it is the payout.
  await w.simulate('customer.pin_locked', person.customerId);
  return { id: person.accountId, customerId: person.customerId };
}

async function closed(w: World): Promise<Held> {
  const person = await w.approve('individual');
  await w.closeDown(person);
  return { id: person.accountId, customerId: person.customerId };
}

const bornAvailable = 'made and never moved';

/** Everything: how each state of each table is reached. */
export const states: Recipes = {
  customer: {
    created: customer(),
    pending: customer('pending'),
    in_review: customer('pending', 'in_review'),
    approved: customer('pending', 'approved'),
    rejected: customer('pending', 'rejected'),
  },
  owner: {
    invited: 'the pages in which an owner is sent a link are not served yet',
    pending: owner(),
    in_review: owner('in_review'),
    approved: owner('approved'),
    rejected: owner('rejected'),
  },
  document_acceptance: {
    accepted: (w) => documentOf(w, 'accepted', 0),
    pending_acceptance: (w) => documentOf(w, 'pending_acceptance', 1),
    superseded: (w) => documentOf(w, 'superseded', 1),
  },
  session: {
    created: session(),
    completed: session('completed'),
    canceled: session('canceled'),
    expired: session('expired'),
  },
  linked_account: {
    pending: link(),
    held_for_review: link('held_for_review'),
    verified: link('verified'),
    failed: link('failed'),
    removed: link('verified', 'removed'),
  },
  account: {
    active: account(),
    suspended: account('suspended'),
    dormant: account('dormant'),
    closing,
    closed,
  },
  statement: { available: bornAvailable },
  reconciliation_report: { available: bornAvailable },
  ...moneyStates,
};
