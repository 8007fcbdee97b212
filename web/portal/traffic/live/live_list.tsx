import type { ReactNode } from 'react';
import type { ListRoute, Pages } from '../../../staff/api/queries.ts';
import {
  type Choice,
  type Column,
  type ListOrder,
  ListTable,
} from '../../../staff/parts/list_table.tsx';
import { LiveBar } from './live_bar.tsx';
import { type LiveListOptions, useLiveList } from './use_live_list.ts';

interface LiveListProps<Item extends { readonly id: string }> extends LiveListOptions<Item> {
  readonly route: ListRoute;
  readonly label: string;
  readonly noun: readonly [string, string];
  readonly pages: Pages<Item>;
  readonly columns: readonly Column<Item>[];
  readonly empty: ReactNode;
  readonly choice?: Choice<Item>;
  readonly order?: ListOrder | undefined;
  readonly isFiltered?: boolean;
}

/** A list that follows what is new, while the reader stays where they are. */
export function LiveList<Item extends { readonly id: string }>(props: LiveListProps<Item>) {
  const { label, noun, pages, columns, empty, choice, order, isFiltered, isListed } = props;
  // A new item belongs at the end of a list that is turned around: it is read when the reader comes there.
  const isNew = (item: Item) => !order?.isOldest && isListed(item);
  const live = useLiveList<Item>({ ...props, isListed: isNew });
  return (
    <>
      <LiveBar live={live} noun={noun} />
      <ListTable
        label={label}
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '.', search: (now: object) => ({ ...now, open: id }) })}
        empty={empty}
        choice={choice}
        order={order}
        isFiltered={isFiltered}
        onTop={live.onTop}
        shown={live.shown}
      />
    </>
  );
}
