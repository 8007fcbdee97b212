import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Book } from '@tenant-payments/contract/recipes.ts';
import type { caller, ReplyBody } from '../kit/http.ts';
import type { Wire } from '../kit/wire.ts';
import { readJournal } from './books.ts';
import type { Actor, Role } from './cast.ts';
import { heardBy } from './heard.ts';
import { dollars, type Story } from './story.ts';
import type { WebhookReceiver } from './webhook_receiver.ts';

/** A balance as a story states it, in cents; a pocket that is not named is empty. */
export interface Pockets {
  readonly available?: number;
  readonly earmarked?: number;
  readonly pending_outgoing?: number;
}

/** A record as a reply showed it. */
type Shown = Readonly<Record<'id', string>>;

/** What a journey is played on. */
export interface Stage {
  /** Each step is a minute after the one before. */
  readonly story: Story;
  /** The Tenant's server. What falls due has run, and every webhook has arrived, before it goes on. */
  readonly wire: Wire;
  readonly call: ReturnType<typeof caller>;
  /** Where the service is reached. */
  readonly baseUrl: string;
  /** With which webhooks are signed as the story begins. */
  readonly secret: string;
  /** Where the webhooks arrive. */
  readonly receiver: WebhookReceiver;
  /** Moves the sandbox's clock to an instant, through all that falls due on the way. */
  until(instant: string): Promise<void>;
  /** Time that nothing but the clock on the wall knows of: addresses and signatures grow old by it. */
  pass(minutes: number): void;
  /** What an address gives that a reply showed. */
  download(url: string): Promise<{ status: number; bytes: Uint8Array }>;
  /** A record as it is now. */
  now(record: Shown): Promise<ReplyBody>;
  /** A fact: all pockets of an account. */
  has(actor: Actor, pockets: Pockets): Promise<void>;
  /** A fact: a record's status, and why it came to a bad end. */
  is(record: Shown, status: string, failureCode?: string): Promise<void>;
  /** A fact: what some of the Tenant's books hold, in cents. */
  books(cents: Partial<Record<Book, number>>): Promise<void>;
  /** A fact: all that the Tenant's server has been told of a record, in the order of the changes. */
  heard(record: Shown, ...steps: string[]): void;
  /** A fact: what was asked is refused, with this code and these details. */
  refused(sentence: string, reply: ReplyBody, code: string, details: object | null): void;
}

/** A story of the platform, played on the real service. */
export interface Tale {
  /** Of its page: `<name>.out.md`. */
  readonly name: string;
  readonly title: string;
  /** One sentence, for the page and for the guide. */
  readonly lead: string;
  /** The instant at which it begins, where its dates matter; no earlier than those before it. */
  readonly begins?: string;
  /** Where they differ from the sample tenant's. */
  readonly settings: Partial<Settings>;
  readonly cast: Readonly<Record<string, Role>>;
  play(stage: Stage, actors: Readonly<Record<string, Actor>>): Promise<void>;
}

/** Ties a play to its own cast; outside it is one tale of many. */
export const tale = <Name extends string>(
  told: Omit<Tale, 'settings' | 'cast' | 'play'> & {
    readonly settings?: Partial<Settings>;
    readonly cast: Readonly<Record<Name, Role>>;
    play(stage: Stage, actors: Readonly<Record<Name, Actor>>): Promise<void>;
  },
): Tale => ({ settings: {}, ...told }) as Tale;

const collections: Readonly<Record<string, string>> = {
  load: 'loads',
  pay: 'payments',
  pr: 'payment-requests',
  rf: 'refund-requests',
  wd: 'withdrawals',
};

/** Where a record is read; null for one that the contract shows in lists alone. */
export const pathOf = (id: string): string | null => {
  const collection = collections[id.slice(0, id.indexOf('_'))];
  return collection ? `/v1/${collection}/${id}` : null;
};

/** A record as the API shows it now; null for one that no program reads by its id. */
export async function readNow({ get }: Wire, { id }: Shown): Promise<ReplyBody | null> {
  const path = pathOf(id);
  if (path !== null) return get(path);
  if (!id.startsWith('dsp_')) return null;
  const { data } = await get('/v1/disputes?limit=100');
  return data.find((dispute: Shown) => dispute.id === id) ?? null;
}

/** A request is known by what it is for. */
const nameOf = ({ object, id, order_reference, collection_point }: ReplyBody): string => {
  const known = order_reference ?? collection_point?.reference;
  return object === 'payment_request' && known ? `${known} (${id})` : id;
};

const pocketsSaid = (pockets: Required<Pockets>): string =>
  Object.entries(pockets)
    .filter(([, cents]) => cents > 0)
    .map(([name, cents]) => `${dollars(cents)} ${name}`)
    .join(', ');

type Given = Pick<
  Stage,
  'story' | 'wire' | 'call' | 'baseUrl' | 'secret' | 'receiver' | 'until' | 'pass' | 'download'
>;

export function openStage(given: Given): Stage {
  const { story, wire, receiver } = given;
  const now: Stage['now'] = async (record) =>
    (await readNow(wire, record)) ?? wire.get(`/v1/${record.id}`);
  return {
    ...given,
    now,
    async has(actor, { available = 0, earmarked = 0, pending_outgoing = 0 }) {
      const ledger = available + earmarked + pending_outgoing;
      const said = pocketsSaid({ available, earmarked, pending_outgoing });
      const found = await wire.balanceOf(actor);
      story.fact(
        ledger === 0 ? `${actor.name} has nothing` : `${actor.name} has ${said}`,
        [found.ledger, found.available, found.earmarked, found.pending_outgoing],
        [ledger, available, earmarked, pending_outgoing],
      );
    },
    async is(record, status, failureCode) {
      const found = await now(record);
      const expected = [status, failureCode ?? null];
      const sentence = `${nameOf(found)}: ${status}${failureCode ? `, ${failureCode}` : ''}`;
      story.fact(sentence, [found.status, found.failure_code ?? null], expected);
    },
    async books(cents) {
      const { books } = await readJournal(wire);
      const named = Object.keys(cents) as Book[];
      const said = named.map((book) => `${book} ${dollars(cents[book] ?? 0)}`).join(', ');
      const found = Object.fromEntries(named.map((book) => [book, books[book]]));
      story.fact(`the Tenant's books: ${said}`, found, cents);
    },
    heard({ id }, ...steps) {
      const own = heardBy(receiver).events.filter(({ data }) => data.object.id === id);
      const told = own.map(({ type }) => type.slice(type.indexOf('.') + 1));
      story.fact(`the Tenant's server has heard of ${id}: ${steps.join(', ')}`, told, steps);
    },
    refused(sentence, { code, details }, expected, expectedDetails) {
      story.fact(`${sentence}: ${expected}`, [code, details], [expected, expectedDetails]);
    },
  };
}
