import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { StreamType } from '@tenant-payments/backoffice/contract/traffic/stream.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListRoute } from '../../../staff/api/queries.ts';
import { type FeedState, openFeed } from './feed.ts';
import { type Change, changed, changedItem, merged, unlisted } from './merge.ts';

interface Row {
  readonly id: string;
}

export interface LiveListOptions<Item extends Row> {
  /** The list as it is asked for: its key among the queries. */
  readonly route: ListRoute;
  readonly filters: object;
  readonly types: readonly StreamType[];
  /** The type of message that is a row of this list. */
  readonly rowType: StreamType;
  /** The item that such a message shows; null: none of this list. Absent: the message is the item. */
  readonly itemOf?: (row: unknown) => Item | null;
  /** Whether a new row is of those that the filters ask for. */
  readonly isListed: (item: Item) => boolean;
  /** The change that a message of another type makes to the rows; null: none. */
  readonly changeOf?: (row: unknown) => Change<Item> | null;
  /** Hears every message, for other parts of the page. */
  readonly onMessage?: (type: StreamType, row: unknown) => void;
}

type Pages<Item> = InfiniteData<{ readonly data: Item[]; readonly next_cursor: string | null }>;

export interface LiveList {
  readonly state: FeedState;
  /** New rows that wait until the reader wants them. */
  readonly waiting: number;
  /** Shows the rows that wait. */
  readonly show: () => void;
  /** The number of times that waiting rows were asked for: the list goes to its top each time. */
  readonly shown: number;
  /** Hears from the list whether it stands at its top, where new rows appear by themselves. */
  readonly onTop: (isTop: boolean) => void;
}

/** A list that takes new rows from the live feed, without moving what is being read. */
export function useLiveList<Item extends Row>(options: LiveListOptions<Item>): LiveList {
  const queries = useQueryClient();
  const [state, setState] = useState<FeedState>('waiting');
  const [held, setHeld] = useState<readonly Item[]>([]);
  const [shown, setShown] = useState(0);
  const isTop = useRef(true);
  const waiting = useRef<readonly Item[]>([]);
  const { route, filters, types } = options;
  const asked = JSON.stringify([route, filters]);
  const latest = useRef(options);
  latest.current = options;

  const keep = useCallback((items: readonly Item[]) => {
    waiting.current = items;
    setHeld(items);
  }, []);

  const show = useCallback(() => {
    const { route, filters } = latest.current;
    const items = waiting.current;
    keep([]);
    if (items.length === 0) return;
    queries.setQueryData<Pages<Item>>([route, filters], (pages) => pages && merged(pages, items));
  }, [queries, keep]);

  const onTop = useCallback(
    (isAtTop: boolean) => {
      isTop.current = isAtTop;
      if (isAtTop) show();
    },
    [show],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is another feed
  useEffect(() => {
    keep([]);
    const key = [route, filters];
    return openFeed(types, {
      onState: setState,
      onFresh: () => void queries.invalidateQueries({ queryKey: key }),
      onMessages(messages) {
        const { rowType, itemOf, isListed, changeOf, onMessage } = latest.current;
        const fresh: Item[] = [];
        const changes: Change<Item>[] = [];
        for (const { type, row } of messages) {
          onMessage?.(type as StreamType, row);
          const item = itemOf ? type === rowType && itemOf(row) : (row as Item);
          if (type === rowType && item) fresh.unshift(item);
          const change = type === rowType ? null : changeOf?.(row);
          if (change) changes.push(change);
        }
        if (changes.length > 0) {
          queries.setQueryData<Pages<Item>>(key, (pages) => pages && changed(pages, changes));
          keep(waiting.current.map((item) => changedItem(item, changes)));
        }
        const listed = fresh.filter(isListed);
        if (listed.length === 0) return;
        keep([...listed, ...waiting.current]);
        if (isTop.current) show();
      },
    });
  }, [asked, queries, keep, show]);

  const showAll = useCallback(() => {
    show();
    setShown((count) => count + 1);
  }, [show]);

  const listed = queries.getQueryData<Pages<Item>>([route, filters]);
  const waits = unlisted(listed, held).length;
  return { state, waiting: waits, show: showAll, shown, onTop };
}
