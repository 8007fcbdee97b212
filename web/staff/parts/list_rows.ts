import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Pages } from '../api/queries.ts';
import { stepOf, windowStart } from './list_window.ts';

/** How many rows before the end the next page is read. */
const ahead = 30;

type Frame = RefObject<HTMLDivElement | null>;

/**
 * The rows of a list that are seen, and a few beside them; it reads on by itself.
 * @param rowHeight of every row, in pixels
 * @param shown the list goes to its top whenever this changes
 */
export function useRows<Item>(
  pages: Pages<Item>,
  frame: Frame,
  rowHeight: number,
  shown: number | undefined,
) {
  const { data: read, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const items = useMemo(() => read?.pages.flatMap(({ data }) => data) ?? [], [read]);
  const [start, setStart] = useState(0);
  const virtual = useVirtualizer({
    count: Math.max(0, items.length - start),
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: all rows have become higher or lower
  useLayoutEffect(() => virtual.measure(), [rowHeight]);
  const rows = virtual.getVirtualItems();
  const last = start + (rows.at(-1)?.index ?? 0);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last > items.length - ahead) void fetchNextPage();
  }, [last, items.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const top = virtual.scrollOffset ?? 0;
  useWindow(frame, { first: start + (rows[0]?.index ?? 0), start, top, rowHeight }, setStart);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by its change
  useEffect(() => {
    setStart(0);
    frame.current?.scrollTo({ top: 0 });
  }, [shown]);
  return { items, start, rows, height: virtual.getTotalSize() };
}

interface Seen {
  /** The first row that is drawn. */
  readonly first: number;
  /** The row at which the window begins. */
  readonly start: number;
  /** Pixels above what is seen, when the rows were drawn. */
  readonly top: number;
  readonly rowHeight: number;
}

/** Moves the window of a very long list along; the rows that are seen stay where they are. */
function useWindow(
  frame: Frame,
  { first, start, top: knownTop, rowHeight }: Seen,
  onMove: (start: number) => void,
): void {
  const wanted = useRef<number | null>(null);
  const begins = windowStart(first, start, stepOf(rowHeight));
  useLayoutEffect(() => {
    const top = frame.current?.scrollTop ?? 0;
    // The rows are those of where the list stood before, until it is told that it has been scrolled.
    if (begins === start || Math.abs(top - knownTop) > rowHeight) return;
    wanted.current = top + (start - begins) * rowHeight;
    onMove(begins);
  }, [frame, begins, start, knownTop, rowHeight, onMove]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the moved window is laid out
  useLayoutEffect(() => {
    if (frame.current && wanted.current !== null) frame.current.scrollTop = wanted.current;
    wanted.current = null;
  }, [frame, start]);
}
