import type { Wire } from '../kit/wire.ts';

/** Who plays in a journey, and what they have before it begins. */
export interface Role {
  readonly type: 'individual' | 'business';
  readonly called: string;
  /** Loaded from the linked bank before the story. */
  readonly cents: number;
}

/** A consumer. */
export const person = (called: string, cents = 0): Role => ({ type: 'individual', called, cents });
/** A merchant. */
export const shop = (called: string, cents = 0): Role => ({ type: 'business', called, cents });

/** An approved customer with a verified bank, as sentences call it. */
export interface Actor {
  /** `Ana` of Ana Reyes, `Corner Cafe` of Corner Cafe LLC. */
  readonly name: string;
  readonly customerId: string;
  readonly accountId: string;
  readonly linkedAccountId: string;
}

const nameOf = ({ type, called }: Role): string =>
  (type === 'individual' ? called.split(' ')[0] : called.replace(/ LLC$/, '')) ?? called;

function applicationOf({ type, called }: Role, index: number): object {
  const [first_name, last_name] = called.split(' ');
  return {
    type,
    external_ref: called.toLowerCase().replaceAll(' ', '-'),
    email: 'someone@example.com',
    mobile_number: `+1202${5_550_100 + index}`,
    prefill: type === 'individual' ? { first_name, last_name } : { legal_name: called },
  };
}

/** Loads as a customer would: asked for, confirmed, paid by the bank. */
export async function load({ post, simulate }: Wire, customer_id: string, amount: number) {
  const asked = await post('/v1/loads', { customer_id, amount });
  await simulate('session.completed', asked.id);
  await simulate('load.settled', asked.id);
}

/** Links and verifies an account of the sandbox's aggregator. @returns its id */
export async function link({ post, simulate }: Wire, customerId: string, bank: string) {
  const public_token = `public-sandbox-${bank}`;
  const linked = await post(`/v1/customers/${customerId}/linked-accounts`, { public_token });
  await simulate('linked_account.verified', linked.id);
  return String(linked.id);
}

/** Takes a role through onboarding, the identity check, its bank and its first load. */
export async function enter(wire: Wire, role: Role, index: number): Promise<Actor> {
  const { post, get, simulate } = wire;
  const { id } = await post('/v1/customers', applicationOf(role, index));
  await simulate('customer.pending', id);
  if (role.type === 'business')
    for (const owner of (await get(`/v1/customers/${id}/owners`)).data)
      await simulate('owner.approved', owner.id);
  await simulate('customer.approved', id);
  const { account_id } = await get(`/v1/customers/${id}`);
  const linkedAccountId = await link(wire, id, 'standard');
  if (role.cents > 0) await load(wire, id, role.cents);
  return { name: nameOf(role), customerId: id, accountId: account_id, linkedAccountId };
}
