import { randomBytes, randomInt } from 'node:crypto';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { createCustomer } from '@tenant-payments/contract/resources/customers.ts';
import { caller, type ReplyBody } from '../kit/http.ts';
import { newKey } from './requests.ts';

/**
 * A Tenant's small world, made through the public surface alone, so that it can be made on any
 * sandbox: people of both types with banks and money, and at least one record of each kind.
 */
export interface Person {
  readonly customerId: string;
  readonly accountId: string;
}

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

export interface Scenario {
  readonly token: string;
  /** The Tenant's own; null where they are nobody's to try. */
  readonly credentials: Credentials | null;
  /** An individual with a verified bank and money. */
  readonly payer: Person;
  /** A business with a verified bank and what it was paid. */
  readonly shop: Person;
  /** The link of the payer's bank. */
  readonly linkId: string;
  readonly loadId: string;
  readonly paymentId: string;
  readonly completedPaymentId: string;
  readonly request: { readonly id: string; readonly qr: string };
  readonly eventId: string;
  /** A moment that has passed on the tenant's clock. */
  readonly now: string;
  get(path: string): Promise<ReplyBody>;
  post(path: string, body?: object): Promise<ReplyBody>;
  simulate(event: string, objectId: string, failureCode?: string): Promise<void>;
  application(type: Application['type']): Application;
  approve(type: Application['type']): Promise<Person>;
  /** Links and verifies an account at a bank of the sandbox, `standard` unless another is named. */
  link(person: Person, bank?: string): Promise<string>;
}

type Application = BodyOf<typeof createCustomer>;

const prefills: Readonly<Record<Application['type'], Application['prefill']>> = {
  individual: { first_name: 'Ana', last_name: 'Reyes' },
  business: { legal_name: 'Corner Cafe LLC' },
};

const areas = ['202', '212', '213', '305', '312', '404', '415', '503', '617', '702'];
/** A number of the United States that no other customer of this run has. */
const newMobile = () => `+1${areas[randomInt(areas.length)]}${randomInt(2_000_000, 9_110_000)}`;

function openCalls(baseUrl: string, token: string) {
  const call = caller(baseUrl, token);
  async function ask(method: string, path: string, body?: object): Promise<ReplyBody> {
    const key = method === 'POST' ? { key: newKey() } : {};
    const reply = await call(method, path, { ...key, ...(body ? { body } : {}) });
    if (reply.status < 300) return reply.body;
    throw new Error(`${method} ${path} was refused: ${JSON.stringify(reply.body)}`);
  }
  return {
    get: (path: string) => ask('GET', path),
    post: (path: string, body?: object) => ask('POST', path, body),
  };
}

export type People = Pick<
  Scenario,
  'get' | 'post' | 'simulate' | 'application' | 'approve' | 'link'
>;

/** Who makes customers and what they do, over the public surface. */
export function openPeople(baseUrl: string, token: string): People {
  const { get, post } = openCalls(baseUrl, token);
  const simulate: People['simulate'] = async (event, object_id, failure_code) =>
    void (await post(`/v1/sandbox/simulate/${event}`, {
      object_id,
      ...(failure_code ? { failure_code } : {}),
    }));

  const application: People['application'] = (type) => {
    const ref = `contract-${randomBytes(8).toString('hex')}`;
    const email = `${ref}@example.com`;
    return {
      type,
      external_ref: ref,
      email,
      mobile_number: newMobile(),
      prefill: prefills[type],
    };
  };

  async function approve(type: Application['type']): Promise<Person> {
    const created = await post('/v1/customers', application(type));
    await simulate('session.completed', created.onboarding_session.id);
    if (type === 'business')
      for (const { id } of (await get(`/v1/customers/${created.id}/owners`)).data)
        await simulate('owner.approved', id);
    await simulate('customer.approved', created.id);
    const { account_id } = await get(`/v1/customers/${created.id}`);
    return { customerId: created.id, accountId: account_id };
  }

  async function link({ customerId }: Person, bank = 'standard'): Promise<string> {
    const linked = await post(`/v1/customers/${customerId}/linked-accounts`, {
      public_token: `public-sandbox-${bank}-${newKey()}`,
    });
    await simulate('linked_account.verified', linked.id);
    return linked.id;
  }
  return { get, post, simulate, application, approve, link };
}

/** Plays it from the first customer to a completed payment, some thirty requests. */
export async function playScenario(
  baseUrl: string,
  token: string,
  credentials: Credentials | null = null,
): Promise<Scenario> {
  const people = openPeople(baseUrl, token);
  const { get, post, simulate } = people;
  const [payer, shop] = await Promise.all([
    people.approve('individual'),
    people.approve('business'),
  ]);
  const [linkId] = await Promise.all([people.link(payer), people.link(shop)]);
  const load = await post('/v1/loads', { customer_id: payer.customerId, amount: 3_000_00 });
  await simulate('session.completed', load.id);
  await simulate('load.settled', load.id);
  const pay = (amount: number) =>
    post('/v1/payments', {
      payer_customer_id: payer.customerId,
      payee_customer_id: shop.customerId,
      amount,
      source: 'balance',
    });
  const completed = await pay(200_00);
  await simulate('session.completed', completed.id);
  const open = await pay(1_00);
  const request = await post('/v1/payment-requests', {
    type: 'dynamic',
    merchant_customer_id: shop.customerId,
    amount: 5_00,
    expires_in: 604_800,
  });
  const [event] = (await get('/v1/webhook-events?limit=1')).data;
  return {
    ...people,
    token,
    credentials,
    payer,
    shop,
    linkId,
    loadId: load.id,
    paymentId: open.id,
    completedPaymentId: completed.id,
    request: { id: request.id, qr: request.qr_payload },
    eventId: event.id,
    now: open.created_at,
  };
}
