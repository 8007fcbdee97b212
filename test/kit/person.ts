import { randomBytes, randomInt } from 'node:crypto';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { createCustomer } from '@tenant-payments/contract/resources/customers.ts';
import type { Calls, ReplyBody } from './http/http.ts';

export type CustomerType = 'individual' | 'business';
export type Application = BodyOf<typeof createCustomer>;

/** An approved customer with an open account; the ids are public ones. */
export interface Person {
  readonly type: CustomerType;
  readonly customerId: string;
  readonly accountId: string;
  /** The verified link that it was given first; null: it has none. */
  readonly linkedAccountId: string | null;
}

/** The ways to a customer, each further than the one before it. */
export interface People {
  /** A customer whose onboarding is open, as the reply to its creation shows it. */
  customer(type: CustomerType, more?: Partial<Application>): Promise<ReplyBody>;
  /** A customer who has finished onboarding: the identity provider has not answered. */
  applied(type: CustomerType, more?: Partial<Application>): Promise<ReplyBody>;
  /** An approved customer with an empty account; a business with all its owners. */
  approved(type: CustomerType, more?: Partial<Application>): Promise<Person>;
  /** An approved customer with a verified account at a bank of the sandbox. */
  banked(type: CustomerType, bank?: string): Promise<Person>;
  /** A banked customer with this balance in cents. */
  funded(type: CustomerType, cents: number): Promise<Person>;
  /** Links and verifies a further account. @returns its id */
  link(person: Pick<Person, 'customerId'>, bank?: string): Promise<string>;
  /** Loads the account from its linked bank, which pays. */
  fund(person: Pick<Person, 'customerId'>, cents: number): Promise<void>;
}

const prefills = {
  individual: { first_name: 'Ana', last_name: 'Reyes' },
  business: { legal_name: 'Corner Cafe LLC' },
};

const areas = ['202', '212', '213', '305', '312', '404', '415', '503', '617', '702'];
/** A number of the United States that no other customer of this run has. */
const newMobile = () => `+1${areas[randomInt(areas.length)]}${randomInt(2_000_000, 9_110_000)}`;

/** The body with which a Tenant creates a customer; reference and number are nobody else's. */
export function application(type: CustomerType, more: Partial<Application> = {}): Application {
  const ref = `ref-${randomBytes(8).toString('hex')}`;
  const mobile_number = newMobile();
  const email = 'someone@example.com';
  return { type, external_ref: ref, email, mobile_number, prefill: prefills[type], ...more };
}

/** The ways to a customer of this Tenant. */
export function openPeople({ get, post, simulate }: Calls): People {
  const customer: People['customer'] = (type, more) =>
    post('/v1/customers', application(type, more));

  const applied: People['applied'] = async (type, more) => {
    const created = await customer(type, more);
    await simulate('session.completed', created.onboarding_session.id);
    return created;
  };

  const approved: People['approved'] = async (type, more) => {
    const { id } = await applied(type, more);
    if (type === 'business')
      for (const owner of (await get(`/v1/customers/${id}/owners`)).data)
        await simulate('owner.approved', owner.id);
    await simulate('customer.approved', id);
    const { account_id } = await get(`/v1/customers/${id}`);
    return { type, customerId: id, accountId: account_id, linkedAccountId: null };
  };

  const link: People['link'] = async ({ customerId }, bank = 'standard') => {
    const linked = await post(`/v1/customers/${customerId}/linked-accounts`, {
      public_token: `public-sandbox-${bank}`,
    });
    await simulate('linked_account.verified', linked.id);
    return linked.id;
  };

  const banked: People['banked'] = async (type, bank) => {
    const person = await approved(type);
    return { ...person, linkedAccountId: await link(person, bank) };
  };

  const fund: People['fund'] = async ({ customerId }, amount) => {
    const load = await post('/v1/loads', { customer_id: customerId, amount });
    await simulate('session.completed', load.id);
    await simulate('load.settled', load.id);
  };

  async function funded(type: CustomerType, cents: number): Promise<Person> {
    const person = await banked(type);
    await fund(person, cents);
    return person;
  }
  return { customer, applied, approved, banked, funded, link, fund };
}
