import { setTimeout as sleep } from 'node:timers/promises';
import { caller, type Reply, type ReplyBody } from '../kit/http.ts';
import { newKey } from './requests.ts';
import { openPeople, type People, type Person } from './scenario.ts';

/** A record as a case names it: its id, and whose it is where its path says so. */
export interface Held {
  readonly id: string;
  readonly customerId?: string;
}

/**
 * What a Tenant's server, its customers and the sandbox's outside do, all of it over the public
 * surface, so that records in every state can be made on any sandbox.
 */
export interface World extends People {
  readonly token: string;
  /** An individual with a verified bank and money, for whatever one payer can do for all cases. */
  readonly payer: Person;
  /** The link of the payer's bank. */
  readonly payerLink: string;
  /** A business with a verified bank and money of its own. */
  readonly shop: Person;
  /** Sends a request, whatever the reply; a POST has a key of its own. */
  call(method: string, path: string, body?: object): Promise<Reply>;
  /** Changes the Tenant's settings. */
  settings(changes: object): Promise<void>;
  /** Puts the settings back that the Tenant had. */
  restore(): Promise<void>;
  /** Makes a request under a key, so that another request finds it used. */
  useKey(key: string): Promise<void>;
  /** Moves the Tenant's clock, with all that falls due. */
  advance(seconds: number): Promise<void>;
  /** A customer who is not approved. */
  apply(type: 'individual' | 'business'): Promise<ReplyBody>;
  /** An approved customer with a verified bank. */
  banked(type: 'individual' | 'business', bank?: string): Promise<Person>;
  /** Loads an account; its customer has confirmed and the bank has paid. */
  fund(person: Person, cents: number): Promise<void>;
  /** From the payer's balance to the shop, 1.00 unless `more` says else. */
  pay(more?: object): Promise<ReplyBody>;
  payByBank(more?: object): Promise<ReplyBody>;
  load(person?: Person): Promise<ReplyBody>;
  withdraw(person?: Person, amount?: number): Promise<ReplyBody>;
  refund(payment: ReplyBody, amount: number): Promise<ReplyBody>;
  /** A dynamic payment request of the shop's over 1.00. */
  ask(more?: object): Promise<ReplyBody>;
  dispute(payment: ReplyBody, more?: object): Promise<ReplyBody>;
  open(flow: string, person: { readonly customerId: string }): Promise<ReplyBody>;
  /** Its customer confirms a record, or finishes a session. @returns the record */
  confirmed<T extends Held>(record: Promise<T>): Promise<T>;
  close(person: Person): Promise<void>;
  /** Closes an account in which nothing is, whether or not the deployment's workers are quicker. */
  closeDown(person: Person): Promise<void>;
  /** What the Tenant's clock shows, less an hour. */
  hourAgo(): Promise<string>;
}

const hourMs = 3_600_000;
const [looks, lookEveryMs] = [100, 50];

/** The verbs of a Tenant, around its payer and its shop. */
function verbsOf(people: People, payer: Person, shop: Person) {
  const { post, simulate } = people;
  const create = (more: object): Promise<ReplyBody> =>
    post('/v1/payments', {
      payer_customer_id: payer.customerId,
      ...('qr_payload' in more ? {} : { payee_customer_id: shop.customerId, amount: 1_00 }),
      source: 'balance',
      ...more,
    });
  return {
    pay: (more = {}) => create(more),
    payByBank: (more = {}) => create({ source: 'bank_account', ...more }),
    load: (person = payer) =>
      post('/v1/loads', { customer_id: person.customerId, amount: 1_00 }) as Promise<ReplyBody>,
    withdraw: (person = payer, amount = 1_00) =>
      post('/v1/withdrawals', { customer_id: person.customerId, amount }),
    refund: (payment: ReplyBody, amount: number) =>
      post('/v1/refund-requests', { payment_id: payment.id, amount, reason: 'other' }),
    ask: (more = {}) =>
      post('/v1/payment-requests', {
        type: 'dynamic',
        merchant_customer_id: shop.customerId,
        amount: 1_00,
        ...more,
      }),
    open: (flow: string, { customerId }: { readonly customerId: string }) =>
      post('/v1/sessions', { flow, customer_id: customerId }),
    async confirmed<T extends Held>(record: Promise<T>): Promise<T> {
      const made = await record;
      await simulate('session.completed', made.id);
      return made;
    },
    close: async ({ customerId }: Person) =>
      void (await post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' })),
  };
}

/** What is due runs with a simulation; a worker that has taken it up already needs a moment. */
async function closedDown({ get, simulate }: People, { customerId, accountId }: Person) {
  await simulate('customer.pin_locked', customerId);
  for (let look = 0; look < looks; look += 1) {
    const { data } = await get(`/v1/accounts?customer_id=${customerId}`);
    if (data[0].status === 'closed') return;
    await sleep(lookEveryMs);
  }
  throw new Error(`${accountId} does not close`);
}

/** Settings in which each case can be played; whoever opens a world may put others back. */
const playable = {
  flows: {
    customers_individual: true,
    customers_business: true,
    loads: true,
    payment_requests: true,
    payments_balance: true,
    payments_bank: true,
    merchant_to_merchant: true,
  },
  fees: [],
  confirmation_grace_seconds: 0,
  sandbox_mode: 'manual',
};

/** Opens a Tenant's world: its settings, its payer and its shop. @throws when a reply is no success */
export async function openWorld(baseUrl: string, token: string): Promise<World> {
  const people = openPeople(baseUrl, token);
  const { get, post, simulate } = people;
  const send = caller(baseUrl, token);
  const call: World['call'] = (method, path, body) =>
    send(method, path, {
      ...(method === 'POST' ? { key: newKey() } : {}),
      ...(body ? { body } : {}),
    });
  async function settings(changes: object): Promise<void> {
    const { status, body } = await call('PUT', '/portal/api/settings', changes);
    if (status !== 200) throw new Error(`settings were refused: ${JSON.stringify(body)}`);
  }
  const { body: own } = await call('GET', '/portal/api/settings');
  await settings(playable);
  async function banked(type: 'individual' | 'business', bank?: string): Promise<Person> {
    const person = await people.approve(type);
    await people.link(person, bank);
    return person;
  }
  async function fund({ customerId }: Person, amount: number): Promise<void> {
    const load = await post('/v1/loads', { customer_id: customerId, amount });
    await simulate('session.completed', load.id);
    await simulate('load.settled', load.id);
  }
  const [payer, shop] = await Promise.all([people.approve('individual'), banked('business')]);
  const [payerLink] = await Promise.all([people.link(payer), fund(shop, 1_000_00)]);
  await fund(payer, 3_000_00);
  const verbs = verbsOf(people, payer, shop);
  const hourAgo = async () => {
    const { now } = await get('/portal/api/clock');
    return new Date(Date.parse(now) - hourMs).toISOString();
  };
  return {
    ...people,
    ...verbs,
    async closeDown(person) {
      await verbs.close(person);
      await closedDown(people, person);
    },
    token,
    payer,
    payerLink,
    shop,
    call,
    settings,
    restore: () => settings(own),
    async useKey(key) {
      const body = { type: 'dynamic', merchant_customer_id: shop.customerId, amount: 1 };
      await send('POST', '/v1/payment-requests', { key, body });
    },
    advance: async (seconds) => void (await post('/portal/api/clock/advance', { seconds })),
    apply: (type) => post('/v1/customers', people.application(type)),
    banked,
    fund,
    hourAgo,
    dispute: async (payment, more = {}) =>
      post('/v1/disputes', {
        customer_id: payer.customerId,
        type: 'unauthorized_transfer',
        payment_id: payment.id,
        description: 'It was not me',
        notice_received_at: await hourAgo(),
        ...more,
      }),
  };
}
