/** Pages of a list, and what the live feed makes of them. */

interface Row {
  readonly id: string;
}

interface Page<Item> {
  readonly data: Item[];
  readonly next_cursor: string | null;
}

interface Pages<Item> {
  readonly pages: Page<Item>[];
  readonly pageParams: unknown[];
}

export interface Change<Item> {
  readonly id: string;
  readonly apply: (item: Item) => Item;
}

/** Rows that are not listed yet, each once: the feed may tell what the list has read by itself. */
export function unlisted<Item extends Row>(
  list: Pages<Item> | undefined,
  items: readonly Item[],
): Item[] {
  const known = new Set(list?.pages.flatMap(({ data }) => data.map(({ id }) => id)));
  return items.filter(({ id }) => !known.has(id) && known.add(id));
}

/** New rows above the others, the newest first; one that is listed already is left out. */
export function merged<Item extends Row>(list: Pages<Item>, items: readonly Item[]): Pages<Item> {
  const [first, ...others] = list.pages;
  if (!first) return list;
  const fresh = unlisted(list, items);
  if (fresh.length === 0) return list;
  return { ...list, pages: [{ ...first, data: [...fresh, ...first.data] }, ...others] };
}

export const changedItem = <Item extends Row>(item: Item, changes: readonly Change<Item>[]): Item =>
  changes.reduce((is, { id, apply }) => (id === is.id ? apply(is) : is), item);

/** The rows that have changed since they were listed. */
export function changed<Item extends Row>(
  list: Pages<Item>,
  changes: readonly Change<Item>[],
): Pages<Item> {
  const ids = new Set(changes.map(({ id }) => id));
  const pages = list.pages.map((page) =>
    page.data.some(({ id }) => ids.has(id))
      ? { ...page, data: page.data.map((item) => changedItem(item, changes)) }
      : page,
  );
  return { ...list, pages };
}
