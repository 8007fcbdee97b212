import { type Book, books } from '@tenant-payments/contract/recipes.ts';
import type { ReplyBody } from '../kit/http.ts';
import type { Wire } from '../kit/wire.ts';

/** An entry of GET /portal/api/ledger/entries, as far as a page shows it. */
export interface Entry {
  readonly id: string;
  readonly account_id: string | null;
  readonly pocket: string;
  /** In cents; what a book of the Tenant or a pocket gained or gave. */
  readonly delta: number;
  readonly source_id: string;
  readonly step: string;
  readonly created_at: string;
}

/** All that one step of one record moved. */
export interface Movement {
  readonly step: string;
  readonly sourceId: string;
  readonly at: string;
  readonly entries: readonly Entry[];
}

const pageSize = 100;

async function allEntries(wire: Wire): Promise<Entry[]> {
  const found: Entry[] = [];
  let after = '';
  for (;;) {
    const page: ReplyBody = await wire.get(
      `/portal/api/ledger/entries?limit=${pageSize}${after && `&cursor=${after}`}`,
    );
    found.push(...page.data);
    if (!page.has_more) return found.reverse();
    after = encodeURIComponent(page.next_cursor);
  }
}

const lastOf = (entries: readonly Entry[], field: 'id' | 'created_at'): string =>
  entries
    .map((entry) => entry[field])
    .sort()
    .at(-1) ?? '';

/** A withdrawal's entry has the id and the time of its pending Transaction, so the latest counts. */
function movementsOf(entries: readonly Entry[]): Movement[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = `${entry.source_id} ${entry.step}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const order = (group: readonly Entry[]) =>
    `${lastOf(group, 'created_at')} ${lastOf(group, 'id')}`;
  return [...groups.values()]
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map((group) => ({
      step: group[0]?.step ?? '',
      sourceId: group[0]?.source_id ?? '',
      at: lastOf(group, 'created_at'),
      entries: group,
    }));
}

/** The whole journal of a tenant, and what it comes to. */
export interface Journal {
  readonly movements: readonly Movement[];
  /** In cents. Cash is an asset: what came in from banks. The others are owed (decisions 2.1). */
  readonly books: Readonly<Record<Book, number>>;
}

export async function readJournal(wire: Wire): Promise<Journal> {
  const entries = await allEntries(wire);
  const sumOf = (book: Book) => {
    const own = entries.filter(({ account_id, pocket }) => account_id === null && pocket === book);
    const sum = own.reduce((cents, { delta }) => cents + delta, 0);
    return book === 'cash' ? 0 - sum : sum;
  };
  const sums = Object.fromEntries(books.map((book) => [book, sumOf(book)]));
  return { movements: movementsOf(entries), books: sums as Record<Book, number> };
}
