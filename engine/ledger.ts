import type { AmountOf, PartyOf, TransactingOf } from '@tenant-payments/contract/recipe_types.ts';
import {
  type Pocket,
  type PostedRecipe,
  pockets,
  recipeOf,
  type TransactionType,
} from '@tenant-payments/contract/recipes.ts';
import { assert } from './fail.ts';
import { column, type RowOf, table } from './table.ts';
import type { Instant } from './time/instant.ts';

/**
 * The three pockets of a Digital Account (rules/ledger#21). A row of its own beside the account, so
 * that a credit does not change the account. The CHECKs `pocket >= 0` guard it, without a lock.
 */
export const balances = table({
  name: 'balances',
  key: ['account_id'],
  columns: {
    account_id: column.uuid,
    available: column.cents,
    pending_outgoing: column.cents,
    earmarked: column.cents,
    entry_count: column.integer,
  },
  proof: 'none',
  revised: false,
});
export type BalanceRow = RowOf<typeof balances>;

/** The other party of a Transaction, by reference: its name is read when it is shown. */
export interface Counterpart {
  readonly kind: 'account' | 'linked_account';
  readonly id: string;
  /** The counterpart as the Transaction's event shows it now. */
  readonly shown: { type: string; customer_id: string | null; display_name: string };
}

/** The input that a recipe needs to be posted; a missing party or amount does not compile. */
export type Posting<R extends PostedRecipe> = {
  readonly recipe: R;
  /** Digital Account ids by party. */
  readonly parties: Readonly<Record<PartyOf<R>, string>>;
  /** Cents by name. */
  readonly amounts: Readonly<Record<AmountOf<R>, number>>;
} & ([TransactingOf<R>] extends [never]
  ? unknown
  : {
      readonly counterparts: Readonly<Record<TransactingOf<R>, Counterpart | null>>;
      readonly description: string | null;
      /** A party's Transaction that was pending: the entry takes its id and time over. */
      readonly begun?: Readonly<Partial<Record<TransactingOf<R>, Begun>>>;
    });

/** A Transaction that is shown before it is posted (rules/ledger#14). */
export interface Begun {
  readonly id: string;
  readonly created_at: Instant;
}

/** One row of the journal: what one movement does to one pocket or tenant account. */
export interface Entry {
  readonly tenantId: string;
  /** Null until its command is accepted: it follows the ids of the events before it. */
  id: string | null;
  readonly accountId: string | null;
  readonly pocket: string;
  readonly delta: number;
  readonly sourceType: string;
  readonly sourceId: string;
  readonly step: string;
  readonly leg: number;
  readonly type: TransactionType | null;
  readonly amount: number | null;
  readonly fee: number | null;
  readonly counterpart: Counterpart | null;
  readonly description: string | null;
  /** Posted. */
  readonly at: Instant;
  /** When its Transaction began, where that was before; null: it was born posted. */
  readonly begunAt: Instant | null;
}

/** A posting of any recipe. */
export interface AnyPosting {
  readonly recipe: PostedRecipe;
  readonly parties: Readonly<Record<string, string>>;
  readonly amounts: Readonly<Record<string, number>>;
  readonly counterparts?: Readonly<Record<string, Counterpart | null>>;
  readonly description?: string | null;
  readonly begun?: Readonly<Partial<Record<string, Begun>>>;
}

export interface Source {
  readonly tenantId: string;
  readonly type: string;
  readonly id: string;
  readonly at: Instant;
}

const isPocket = (place: string): place is Pocket => (pockets as readonly string[]).includes(place);

/** Sums a recipe's transfers to one entry for each pocket and tenant account. Zeros are left out. */
export function entriesOf(source: Source, posting: AnyPosting): Entry[] {
  const recipe = recipeOf(posting.recipe);
  const deltas = new Map<string, number>();
  for (const [from, to, name] of recipe.transfers) {
    const cents = posting.amounts[name];
    assert(cents !== undefined && Number.isSafeInteger(cents) && cents >= 0, `${name} is cents`);
    deltas.set(from, (deltas.get(from) ?? 0) - cents);
    deltas.set(to, (deltas.get(to) ?? 0) + cents);
  }
  const entries: Entry[] = [];
  for (const [slot, delta] of deltas) {
    const entry = entryOf(source, posting, slot, delta, entries.length + 1);
    // A payment whose fees take all of it is still a Transaction of its payee.
    if (delta !== 0 || entry.type !== null) entries.push(entry);
  }
  return entries;
}

function entryOf(
  source: Source,
  posting: AnyPosting,
  slot: string,
  delta: number,
  leg: number,
): Entry {
  const [party = '', place = ''] = slot.split('.');
  const isCredit = recipeOf(posting.recipe).transfers.some(([, to]) => to === slot);
  const transaction = recipeOf(posting.recipe).transactions?.[party];
  const fee = transaction?.fee === undefined ? 0 : (posting.amounts[transaction.fee] ?? 0);
  const accountId = isPocket(place) ? posting.parties[party] : null;
  assert(accountId !== undefined, `${posting.recipe} names the account of ${party}`);
  const begun = transaction ? posting.begun?.[party] : undefined;
  return {
    tenantId: source.tenantId,
    id: begun?.id ?? null,
    accountId,
    pocket: place,
    delta,
    sourceType: source.type,
    sourceId: source.id,
    step: posting.recipe,
    leg,
    type: transaction?.type ?? null,
    // Credit: net = amount - fee. Debit: net = amount + fee (rules/ledger#9).
    // Its sign is the slot's, not the delta's: a fee that takes all leaves a credit of nothing.
    amount: transaction ? (isCredit ? delta + fee : -delta - fee) : null,
    fee: transaction ? fee : null,
    counterpart: posting.counterparts?.[party] ?? null,
    description: posting.description ?? null,
    at: source.at,
    begunAt: begun?.created_at ?? null,
  };
}
