import type { TenantAccount } from '@tenant-payments/contract/recipes.ts';
import type { Api } from '../kit/api.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import type { CustomerType, Person } from '../kit/person.ts';
import { refusalOf } from '../kit/refusal.ts';
import type { TestServer } from '../kit/server.ts';
import { listAll, readJournal } from './page.ts';
import type { WebhookReceiver } from './receiver.ts';
import { dollars, type Story } from './story.ts';

/** A person of a journey, and the balance in cents that they have before it begins. */
export interface Role {
  readonly type: CustomerType;
  readonly called: string;
  readonly cents: number;
}
export const person = (called: string, cents = 0): Role => ({ type: 'individual', called, cents });
export const shop = (called: string, cents = 0): Role => ({ type: 'business', called, cents });

/** An approved customer with a verified bank. */
export interface Actor extends Person {
  /** `Ana` of Ana Reyes, `Corner Cafe` of Corner Cafe LLC. */
  readonly name: string;
}

type Shown = Readonly<Record<'id', string>>;
type Pockets = Partial<Record<'available' | 'earmarked' | 'pending_outgoing', number>>;

/** A journey as it runs. After each write all jobs that are due have run and all webhooks are delivered. */
export interface Run {
  /** Each step is a minute after the one before. */
  readonly story: Pick<Story, 'step' | 'say' | 'fact'>;
  readonly api: Api;
  readonly server: TestServer;
  readonly receiver: WebhookReceiver;
  /** Moves the sandbox's clock to an instant; jobs that become due on the way run. */
  until(instant: string): Promise<void>;
  /** Moves the machine's clock alone: addresses and signatures expire by it. */
  pass(minutes: number): void;
  /** Reads an address of a reply. */
  download(url: string): Promise<{ status: number; bytes: Uint8Array }>;
  /** A record as it is now. */
  now(record: Shown): Promise<ReplyBody>;
  /** Pays from the balance; a fact: once confirmed the payment is completed. */
  paid(payer: Actor, payee: Actor, cents: number): Promise<ReplyBody>;
  /** Withdraws to the bank; a fact: once the bank has paid it is settled. */
  withdrawn(person: Actor, cents: number): Promise<ReplyBody>;
  /** A fact: all pockets of an account in cents; those that are not named are empty. */
  has(actor: Actor, pockets: Pockets): Promise<void>;
  /** A fact: a record's status, and its failure code. */
  is(record: Shown, status: string, failureCode?: string): Promise<void>;
  /** A fact: the balance of some tenant accounts in cents. */
  books(cents: Partial<Record<TenantAccount, number>>): Promise<void>;
  /** A fact: all events of a record that the Tenant's server received, in the order of their ids. */
  events(record: Shown, ...types: string[]): void;
  /** A fact: a request is refused with this code and these details. */
  refused(
    sentence: string,
    request: Promise<unknown>,
    code: string,
    details: object | null,
  ): Promise<ReplyBody>;
}

const paths: Readonly<Record<string, string>> = {
  load: '/v1/loads',
  pay: '/v1/payments',
  pr: '/v1/payment-requests',
  rf: '/v1/refund-requests',
  wd: '/v1/withdrawals',
};

/** A record as the API shows it now; null for one that is not read by its id. */
export async function readNow(api: Api, { id }: Shown): Promise<ReplyBody | null> {
  const path = paths[id.slice(0, id.indexOf('_'))];
  if (path) return api.get(`${path}/${id}`);
  if (!id.startsWith('dsp_')) return null;
  return (await listAll(api, '/v1/disputes')).find((dispute) => dispute.id === id) ?? null;
}

const nameOf = ({ object, id, order_reference, collection_point }: ReplyBody): string => {
  const known = order_reference ?? collection_point?.reference;
  return object === 'payment_request' && known ? `${known} (${id})` : id;
};

/** Each event once, in the order of ids, and how many requests repeated one that was accepted. */
export function eventsOf({ arrivals }: WebhookReceiver): { events: ReplyBody[]; repeats: number } {
  const accepted = arrivals.filter(({ status }) => status === 200).map(({ event }) => event);
  const byId = new Map(accepted.map((event) => [event.id, event]));
  const events = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { events, repeats: accepted.length - events.length };
}

/** The facts that a journey states and checks. */
type Facts = Pick<
  Run,
  'now' | 'paid' | 'withdrawn' | 'has' | 'is' | 'books' | 'events' | 'refused'
>;

export function openFacts({
  story,
  api,
  receiver,
}: Pick<Run, 'story' | 'api' | 'receiver'>): Facts {
  const now: Run['now'] = async (record) => {
    const found = await readNow(api, record);
    if (found === null) throw new Error(`${record.id} is not read by its id`);
    return found;
  };
  const is: Run['is'] = async (record, status, failureCode) => {
    const found = await now(record);
    const sentence = `${nameOf(found)}: ${status}${failureCode ? `, ${failureCode}` : ''}`;
    const expected = [status, failureCode ?? null];
    story.fact(sentence, [found.status, found.failure_code ?? null], expected);
  };
  return {
    now,
    is,
    async paid(payer, payee, cents) {
      const payment = await api.confirmed(api.pay(payer, payee, cents));
      await is(payment, 'completed');
      return payment;
    },
    async withdrawn(actor, cents) {
      const events = ['session.completed', 'withdrawal.settled'];
      const withdrawal = await api.played(api.withdraw(actor, cents), ...events);
      await is(withdrawal, 'settled');
      return withdrawal;
    },
    async has(actor, { available = 0, earmarked = 0, pending_outgoing = 0 }) {
      const pockets = { available, earmarked, pending_outgoing };
      const ledger = available + earmarked + pending_outgoing;
      const amounts = Object.entries(pockets)
        .filter(([, cents]) => cents > 0)
        .map(([pocket, cents]) => `${dollars(cents)} ${pocket}`);
      const found = await api.balance(actor);
      story.fact(
        `${actor.name} has ${ledger === 0 ? 'nothing' : amounts.join(', ')}`,
        [found.ledger, ...Object.keys(pockets).map((pocket) => found[pocket])],
        [ledger, ...Object.values(pockets)],
      );
    },
    async books(cents) {
      const { books } = await readJournal(api);
      const named = Object.keys(cents) as TenantAccount[];
      const amounts = named.map((book) => `${book} ${dollars(cents[book] ?? 0)}`).join(', ');
      const found = Object.fromEntries(named.map((book) => [book, books[book]]));
      story.fact(`tenant accounts: ${amounts}`, found, cents);
    },
    events({ id }, ...types) {
      const own = eventsOf(receiver).events.filter(({ data }) => data.object.id === id);
      const found = own.map(({ type }) => type.slice(type.indexOf('.') + 1));
      story.fact(`the Tenant's server received of ${id}: ${types.join(', ')}`, found, types);
    },
    async refused(sentence, request, code, expected) {
      const { details, ...refusal } = await refusalOf(request);
      story.fact(`${sentence}: ${code}`, [refusal.code, details], [code, expected]);
      return details;
    },
  };
}
