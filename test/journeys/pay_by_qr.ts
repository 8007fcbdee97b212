import type { Token } from '@tenant-payments/contract/resources/tokens.ts';
import {
  type Account,
  type Balance,
  type Client,
  type Customer,
  isCode,
  type Payment,
  type Transaction,
  WebhookVerificationError,
  webhooks,
} from '@tenant-payments/sdk-server';
import type { TenantFacts } from '../../backoffice/tenants/create.ts';
import { type Calls, openCalls } from '../kit/http/http.ts';
import { until } from '../kit/wait.ts';
import type { WebhookReceiver } from './receiver.ts';
import { dollars, type Story, short } from './story.ts';

/** The parts that the demo has at hand. */
export interface Demo {
  readonly story: Story;
  readonly facts: TenantFacts;
  readonly client: Client;
  readonly receiver: WebhookReceiver;
}

/** A customer of the story, as a sentence calls it. */
export interface Person {
  readonly name: string;
  readonly customer: Customer;
  readonly accountId: string;
}

/** The Tenant's server gets an access token and registers its webhook address. @returns the portal's API */
export async function signIn({ story, facts, client, receiver }: Demo): Promise<Calls> {
  story.step('The Tenant signs in and says where its webhooks go');
  const token = await client.request<Token>({
    method: 'POST',
    path: '/oauth/token',
    body: {
      grant_type: 'client_credentials',
      client_id: facts.client_id,
      client_secret: facts.client_secret,
    },
    bodyType: 'form',
    idempotent: false,
    authenticated: false,
  });
  story.fact('an access token for an hour', [token.token_type, token.expires_in], ['Bearer', 3600]);
  const portal = openCalls(facts.base_url, token.access_token);
  const endpoint = { url: receiver.url, enabled: true };
  const kept = await portal.put('/portal/api/webhook-endpoint', endpoint);
  story.fact('the portal knows the address of its webhook receiver', kept, endpoint);
  return portal;
}

/** Registers a customer and simulates the hosted onboarding and the identity check. */
async function onboard(
  { story, client }: Demo,
  name: string,
  application: Parameters<Client['customers']['create']>[0],
): Promise<Person> {
  const created = await client.customers.create(application);
  const { id } = created;
  story.say(`Registered as ${short(id)}. The hosted page asks for identity, consent and a PIN.`);
  const begun = [created.verification.status, created.account_id];
  story.fact('created, without an account', begun, ['created', null]);
  await client.sandbox.simulate('session.completed', {
    object_id: created.onboarding_session?.id ?? '',
  });
  const pending = await client.customers.get(id);
  story.fact('goes through it: pending', pending.verification.status, 'pending');
  if (created.type === 'business') await approveOwners(story, client, id);
  await client.sandbox.simulate('customer.approved', { object_id: id });
  const customer = await client.customers.get(id);
  story.fact('the identity check agrees: approved', customer.verification.status, 'approved');
  const [account] = (await client.accounts.list({ customer_id: id })).data;
  const { id: accountId, status } = account as Account;
  story.fact(
    `account ${short(accountId)} is open`,
    [accountId, status],
    [customer.account_id, 'active'],
  );
  return { name, customer, accountId };
}

async function approveOwners(story: Story, client: Client, customerId: string): Promise<void> {
  const { data: owners } = await client.customers.listOwners(customerId);
  for (const owner of owners) {
    await client.sandbox.simulate('owner.approved', { object_id: owner.id });
    story.say(`Its ${owner.role.replaceAll('_', ' ')} ${owner.name} is checked as well.`);
  }
  const { business } = await client.customers.get(customerId);
  story.fact('every owner of the shop is approved', business?.owners_status, 'complete');
}

/** Dana, who pays, and the shop that she pays. */
export async function meetPeople(demo: Demo): Promise<{ dana: Person; shop: Person }> {
  demo.story.step('Dana opens an account');
  const dana = await onboard(demo, 'Dana', {
    type: 'individual',
    external_ref: 'dana',
    email: 'dana@example.com',
    mobile_number: '+14155550123',
    prefill: { first_name: 'Dana', last_name: 'Lake' },
  });
  const documents = await demo.client.customers.listDocuments(dana.customer.id);
  const accepted = documents.data.filter(({ status }) => status === 'accepted');
  demo.story.fact('she has accepted four documents', accepted.length, 4);

  demo.story.step('Lakeside Books opens one too');
  const shop = await onboard(demo, 'Lakeside Books LLC', {
    type: 'business',
    external_ref: 'lakeside-books',
    email: 'books@example.com',
    mobile_number: '+14155550124',
    prefill: { legal_name: 'Lakeside Books LLC' },
  });
  return { dana, shop };
}

/** Links Dana's bank and loads money from it. */
export async function loadMoney({ story, client }: Demo, dana: Person): Promise<void> {
  const { id } = dana.customer;
  story.step('Dana links her bank');
  const { object } = await client.linkTokens.create(id, { platform: 'ios' });
  story.fact("a token opens the aggregator's widget", object, 'link_token');
  const link = await client.linkedAccounts.create(id, { public_token: 'public-sandbox-standard' });
  story.fact('she chooses an account: pending', link.status, 'pending');
  await client.sandbox.simulate('linked_account.verified', { object_id: link.id });
  const [verified] = (await client.linkedAccounts.list(id)).data;
  story.say(`${verified?.institution_name}, ${verified?.account_type} …${verified?.account_mask}`);
  story.fact('it is hers, and it can be debited', verified?.capabilities, {
    withdrawal: true,
    load: true,
    pay_by_bank: true,
  });

  story.step('Dana loads $100.00');
  const load = await client.loads.create({ customer_id: id, amount: 100_00 });
  story.fact('her PIN is asked first', load.status, 'requires_confirmation');
  await client.sandbox.simulate('session.completed', {
    object_id: load.confirmation_session?.id ?? '',
  });
  const asked = await client.loads.get(load.id);
  story.fact('she confirms; her bank is asked to pay', asked.status, 'processing');
  await client.sandbox.simulate('load.settled', { object_id: load.id });
  const settled = await client.loads.get(load.id);
  story.fact('the bank pays: settled', settled.status, 'settled');
  const { available } = await client.accounts.getBalance(dana.accountId);
  story.fact(`Dana has ${dollars(100_00)}`, available, 100_00);
}

/** A payment, and its request. */
export interface Paid {
  readonly payment: Payment;
  readonly body: Parameters<Client['payments']['create']>[0];
  readonly idempotencyKey: string;
}

/** The shop shows a code, and Dana pays it. */
export async function payByCode(demo: Demo, dana: Person, shop: Person): Promise<Paid> {
  const { story, client } = demo;
  story.step('The shop asks for $24.50 with a QR code');
  const request = await client.paymentRequests.create({
    type: 'dynamic',
    merchant_customer_id: shop.customer.id,
    amount: 24_50,
    order_reference: 'order-1001',
  });
  story.say(`The code says ${request.qr_payload.slice(0, 12)}…, signed by the service.`);
  story.fact('the request is open', request.status, 'open');

  story.step('Dana scans it and pays');
  const body = {
    payer_customer_id: dana.customer.id,
    qr_payload: request.qr_payload,
    source: 'balance',
    description: 'Two paperbacks',
  } as const;
  const { data: payment, response } = await client.payments.create(body).withResponse();
  story.fact('the amount comes from the code', payment.amount, 24_50);
  const held = await client.accounts.getBalance(dana.accountId);
  story.fact('$24.50 is set aside until she confirms', held.pending_outgoing, 24_50);
  await client.sandbox.simulate('session.completed', {
    object_id: payment.confirmation_session?.id ?? '',
  });
  const completed = await client.payments.get(payment.id);
  story.fact('she confirms with her PIN: completed', completed.status, 'completed');
  const paid = await client.paymentRequests.get(request.id);
  story.fact(
    'the code is paid, and by this payment',
    [paid.status, paid.paid_payment_id],
    ['paid', payment.id],
  );
  return { payment, body, idempotencyKey: response.idempotencyKey ?? '' };
}

/** The Tenant receives the event, and refuses a forged one. */
export async function receiveEvent({ story, facts, receiver }: Demo, { payment }: Paid) {
  story.step("The Tenant's webhook proves it");
  const find = () =>
    receiver.handled.find(
      ({ type, data }) => type === 'payment.completed' && data.object.id === payment.id,
    );
  const event = await until(find, { what: 'payment.completed', withinMs: 10_000 });
  const arrival = receiver.arrivals.find(({ rawBody }) => rawBody.includes(event.id));
  story.say(`payment.completed for ${short(payment.id)} arrived as ${short(event.id)}.`);
  story.fact('its signature holds, so the receiver accepted it', arrival?.status, 200);
  const previous = event.data.previous_attributes as Partial<Payment> | null;
  story.fact('it has the status before', previous?.status, 'requires_confirmation');
  const forged = Buffer.from(String(arrival?.rawBody).replace('"amount":2450', '"amount":2451'));
  story.fact(
    'one changed digit, and it is refused',
    refusalOf(() =>
      webhooks.unwrap(forged, arrival?.headers ?? {}, { secrets: facts.webhook_secret }),
    ),
    'signature_mismatch',
  );
}

function refusalOf(unwrap: () => unknown): string | null {
  try {
    unwrap();
    return null;
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : String(error);
  }
}

const lineOf = ({ type, direction, net_amount, fee_amount, counterparty }: Transaction): string => {
  const amount = `${direction === 'credit' ? '+' : '-'}${dollars(net_amount)}`;
  const fee = fee_amount > 0 ? `, after a fee of ${dollars(fee_amount)}` : '';
  return `  ${type.padEnd(17)}${amount.padStart(9)}  ${counterparty?.display_name}${fee}`;
};

/** The balances and Transactions of both. */
export async function countMoney({ story, client }: Demo, people: readonly Person[]) {
  story.step('Where the money is now');
  const balances: Balance[] = [];
  for (const { name, accountId } of people) {
    const balance = await client.accounts.getBalance(accountId);
    const { data } = await client.accounts.listTransactions(accountId);
    balances.push(balance);
    story.say(`${name}: ${dollars(balance.available)}`);
    for (const transaction of [...data].reverse()) story.say(lineOf(transaction));
  }
  const available = balances.map((balance) => balance.available);
  story.fact(
    '$24.50 left Dana, $24.38 reached the shop, $0.12 is the fee',
    available,
    [75_50, 24_38],
  );
  const held = balances.map(({ pending_outgoing, earmarked }) => pending_outgoing + earmarked);
  story.fact('nothing is set aside any more', held, [0, 0]);
}

/** A reply that is lost, and a balance that is too small. */
export async function tryAgain({ story, client }: Demo, dana: Person, paid: Paid): Promise<void> {
  const { payment, body, idempotencyKey } = paid;
  story.step('The reply was lost: the same POST again');
  const again = await client.payments.create(body, { idempotencyKey }).withResponse();
  story.fact('it is marked Idempotent-Replayed', again.response.replayed);
  story.fact('it is the same payment, not a second one', again.data.id, payment.id);
  const { available } = await client.accounts.getBalance(dana.accountId);
  story.fact('and no second money moved', available, 75_50);

  story.step('Dana wants to spend what she does not have');
  const refusal = await client.payments
    .create({
      payer_customer_id: dana.customer.id,
      payee_customer_id: payment.payee_customer_id,
      amount: 80_00,
      source: 'balance',
    })
    .catch((error: unknown) => error);
  const details = isCode(refusal, 'insufficient_funds') ? refusal.details : refusal;
  story.fact('$80.00 is refused: insufficient_funds, with $75.50 available', details, {
    available: 75_50,
    required: 80_00,
  });
}
