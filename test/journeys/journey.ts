import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { caller, ReplyBody } from '../harness/http.ts';
import type { Wire } from '../harness/wire.ts';
import type { Actor, Role } from './cast.ts';
import { dollars, type Story } from './story.ts';

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
  /** A record as it is now. */
  now(record: Shown): Promise<ReplyBody>;
  /** A fact: all pockets of an account. */
  has(actor: Actor, pockets: Pockets): Promise<void>;
  /** A fact: a record's status, and why it came to a bad end. */
  is(record: Shown, status: string, failureCode?: string): Promise<void>;
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

export function openStage({ story, wire, call }: Pick<Stage, 'story' | 'wire' | 'call'>): Stage {
  const now: Stage['now'] = ({ id }) => wire.get(pathOf(id) ?? `/v1/${id}`);
  return {
    story,
    wire,
    call,
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
    refused(sentence, { code, details }, expected, expectedDetails) {
      story.fact(`${sentence}: ${expected}`, [code, details], [expected, expectedDetails]);
    },
  };
}
