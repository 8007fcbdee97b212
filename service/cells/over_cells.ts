import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { type Page, type Pages, type Position, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '../read_context.ts';
import type { Service } from '../service.ts';

type Lists<Query> = (context: ReadContext, query: Query) => Promise<Page<object>>;

interface Placed extends Position {
  readonly item: object;
}

/** Pages that keep the rows of a cell with their places. */
const keepingRows = ({ after }: Pages, kept: Placed[]): Pages => ({
  after,
  page(rows, limit, present) {
    for (const row of rows.slice(0, limit))
      kept.push({ created_at: row.created_at, id: row.id, item: present(row) as object });
    return wholeList([]);
  },
});

const placeOf = ({ created_at, id }: Position): string => `${created_at} ${id}`;

const orders = { first_to_last: 1, newest_first: -1 } as const;

/**
 * A list of staff over all cells that this process serves (rules/cells#12): each cell gives its first rows
 * behind the cursor, and the first of all of them are shown. A cell that is away fails the list.
 * @param order how the list goes by (created_at, id)
 */
export const overCells =
  <Query extends { readonly limit?: number; readonly order?: 'newest' | 'oldest' }>(
    service: Service,
    order: keyof typeof orders,
    listOf: (cell: Service) => Lists<Query>,
  ): Lists<Query> =>
  async (context, query) => {
    const peers = service.peers.all();
    if (peers.length === 1) return listOf(service)(context, query);
    const { limit = defaultLimit } = query;
    const found: Placed[] = [];
    await Promise.all(
      peers.map((cell) => {
        const pages = keepingRows(context.pages, found);
        return listOf(cell)({ ...context, db: cell.db, pages }, { ...query, limit: limit + 1 });
      }),
    );
    // A list that is turned around says so in its query.
    const sign = query.order === 'oldest' ? -orders[order] : orders[order];
    found.sort((a, b) => (placeOf(a) < placeOf(b) ? -sign : sign));
    return context.pages.page(found, limit, ({ item }) => item);
  };
