import { createHash, timingSafeEqual } from 'node:crypto';
import { fail } from './fail.ts';
import type { Instant } from './time/instant.ts';
import type { Vault } from './vault.ts';

/** The position at which a page ended: lists go by (created_at, id), newest first (rules/errors#39). `id` is a uuid. */
export interface Position {
  readonly created_at: Instant;
  readonly id: string;
}

/** A list as the API returns it (rules/errors#38). */
export interface Page<Item> {
  readonly object: 'list';
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The pages of one list, of one tenant, under the filters of one request. */
export interface Pages {
  /**
   * The position that a query goes on behind; null for the first page.
   * @throws ApiError parameter_invalid, param `cursor`: forged, or of another list, filter or tenant
   */
  after(cursor: string | undefined): Position | null;
  /**
   * @param rows one more than `limit` where there are more, so that this needs no count
   * @param readTo where the query stopped to look before it found so many
   */
  page<Row extends Position, Item>(
    rows: readonly Row[],
    limit: number,
    present: (row: Row) => Item,
    readTo?: Position | null,
  ): Page<Item>;
}

/** A list that is given whole. */
export const wholeList = <Item>(data: Item[]): Page<Item> => ({
  object: 'list',
  data,
  has_more: false,
  next_cursor: null,
});

const markDigits = 32;

/** The list that a cursor belongs to, as a hash: `limit` may change from page to page, filters may not. */
function listOf(path: string, query: object): string {
  const { cursor: _, limit: __, ...filters } = query as Record<string, unknown>;
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([path, sorted]))
    .digest('hex');
}

/** Opens the pages of a request. Cursors are opaque and signed with a key of the vault. */
export function openPages(vault: Vault, tenantId: string, path: string, query: object): Pages {
  const markOf = ({ created_at, id }: Position): string =>
    vault.index(tenantId, `cursor ${listOf(path, query)} ${created_at} ${id}`).slice(0, markDigits);

  const cursorAt = (position: Position): string =>
    Buffer.from(`${position.created_at} ${position.id} ${markOf(position)}`).toString('base64url');

  return {
    after(cursor) {
      if (cursor === undefined) return null;
      const text = Buffer.from(cursor, 'base64url').toString('latin1');
      const [created_at = '', id = ''] = text.split(' ');
      const position = { created_at, id };
      // The whole text, not its mark alone: what decodes to the same is still not what was given.
      const expected = Buffer.from(cursorAt(position));
      const given = Buffer.from(cursor);
      if (given.length === expected.length && timingSafeEqual(given, expected)) return position;
      throw fail('parameter_invalid', {
        param: 'cursor',
        details: { reason: 'cursor' },
        message: 'cursor is not the next_cursor of this list',
      });
    },
    page(rows, limit, present, readTo = null) {
      const shown = rows.slice(0, limit);
      const isFull = rows.length > limit;
      const last = isFull ? shown.at(-1) : readTo;
      const hasMore = isFull || readTo !== null;
      return {
        object: 'list',
        data: shown.map(present),
        has_more: hasMore,
        next_cursor: hasMore && last ? cursorAt(last) : null,
      };
    },
  };
}
