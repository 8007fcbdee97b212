import { Box, Center, Loader, Skeleton, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Pages } from '../api/queries.ts';
import { cardOf, cardsBelow, heightOf, placed } from './list_columns.ts';
import { Card, type Choice, type Column, type Opens, Row } from './list_row.tsx';
import { useRows } from './list_rows.ts';
import { Trouble } from './trouble.tsx';

export type { Choice, Column, PageOf } from './list_row.tsx';

export interface ListOrder {
  readonly isOldest: boolean;
  readonly onTurn: () => void;
}

interface TurnProps {
  readonly name: string;
  readonly order: ListOrder;
}

const Turn = ({ name, order: { isOldest, onTurn } }: TurnProps) => (
  <UnstyledButton fz="sm" fw="bold" onClick={onTurn}>
    {name} <span aria-hidden>{isOldest ? '↑' : '↓'}</span>
    <span className="unseen">{isOldest ? ', oldest first' : ', newest first'}</span>
  </UnstyledButton>
);

interface ListTableProps<Item> extends Opens<Item> {
  /** The name of the listed things, for a screen reader. */
  readonly label: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** The advice for a list that has no rows yet. */
  readonly empty: ReactNode;
  /** Told whether the first rows are seen. */
  readonly onTop?: (isTop: boolean) => void;
  readonly choice?: Choice<Item> | undefined;
  /** The order by the time of the rows, where the list can be turned around. */
  readonly order?: ListOrder | undefined;
  /** Whether a filter holds, so that the list may have more rows. */
  readonly isFiltered?: boolean | undefined;
  /** A number: whenever it changes, the list goes to its top. */
  readonly shown?: number;
}

/** How wide the place of a list is, before the list is drawn there. */
function useWidth(place: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [place]);
  return width;
}

/** A list of any length, in the place that it has: columns fold, and rows become cards, before anything is cut. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  return <div ref={place}>{width > 0 && <Listed {...props} width={width} />}</div>;
}

/** The last words of a list that is read to its end. */
function endWords(label: string, count: number, isFiltered = false): string {
  if (count === 1) return isFiltered ? 'Nothing else matches' : 'There is only this one';
  const all = `All ${count.toLocaleString('en-US')}`;
  return isFiltered ? `${all} that match are shown` : `${all} ${label.toLowerCase()} are shown`;
}

/** The frame's own lines, and the place of its scrollbar. */
const frameLines = 2;
const scrollbar = 16;
/** The width of the boxes by which rows are chosen. */
const boxWidth = 44;

/**
 * The list itself: only the rows in sight are in the page, and further ones are read as they come
 * into sight.
 */
function Listed<Item>(props: ListTableProps<Item> & { readonly width: number }) {
  const { label, pages, columns, choice, empty, onTop, shown, width, isFiltered } = props;
  const frame = useRef<HTMLDivElement>(null);
  const inner = width - frameLines - scrollbar - (choice ? boxWidth : 0);
  const height = useMemo(() => heightOf(columns, inner), [columns, inner]);
  const seen = useRows(pages, frame, height, shown);
  const { items, start } = seen;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;

  if (pages.isPending) return <Loading label={label} />;
  if (pages.isError && items.length === 0)
    return <Trouble error={pages.error} onRetry={() => void pages.refetch()} />;
  // The first pages of a filtered list may be empty while later ones have rows.
  if (items.length === 0 && hasNextPage) return <Loading label={label} />;
  if (items.length === 0)
    return (
      <Center py="xl">
        <Stack align="center" gap="xs" maw={420} ta="center">
          {empty}
        </Stack>
      </Center>
    );
  const Rows = inner < cardsBelow ? Cards : Rowed;
  return (
    <Box
      ref={frame}
      className="list"
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={({ currentTarget }) => onTop?.(start === 0 && currentTarget.scrollTop < height / 2)}
    >
      <Rows {...props} {...seen} inner={inner} rowHeight={height} />
      {isFetchingNextPage && (
        <Center p="xs">
          <Loader size="sm" aria-label="Loading more" />
        </Center>
      )}
      {pages.isError && <Trouble error={pages.error} onRetry={() => void fetchNextPage()} />}
      {!hasNextPage && (
        <Text size="xs" c="dimmed" ta="center" p="xs">
          {endWords(label, items.length, isFiltered)}
        </Text>
      )}
    </Box>
  );
}

interface SeenProps<Item> extends ListTableProps<Item>, ReturnType<typeof useRows<Item>> {
  /** Pixels inside the frame. */
  readonly inner: number;
  readonly rowHeight: number;
}

/** The rows that are drawn, each with its item, and the place of those above and below. */
function drawn<Item>({ items, start, rows, height }: SeenProps<Item>) {
  const shown = rows.flatMap(({ index }) => {
    const item = items[start + index];
    return item === undefined ? [] : [{ item, place: start + index + 1 }];
  });
  return { shown, above: rows[0]?.start ?? 0, below: height - (rows.at(-1)?.end ?? 0) };
}

function Rowed<Item>(props: SeenProps<Item>) {
  const { columns, items, keyOf, choice, order, onOpen, linkOf, inner, rowHeight } = props;
  const placing = useMemo(() => placed(columns, inner), [columns, inner]);
  const { shown, above, below } = drawn(props);
  return (
    <Table className="list-table" aria-rowcount={items.length}>
      <colgroup>
        {choice && <col style={{ width: boxWidth }} />}
        {placing.shown.map(({ name }, at) => (
          <col key={name} style={{ width: placing.widths[at] }} />
        ))}
      </colgroup>
      <Table.Thead>
        <Table.Tr>
          {choice && (
            <Table.Th>
              <span className="unseen">Choose</span>
            </Table.Th>
          )}
          {placing.shown.map(({ name, align, kind }) => (
            <Table.Th key={name} ta={align ?? 'left'} scope="col">
              {order && kind === 'time' ? <Turn name={name} order={order} /> : name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {above > 0 && <Gap height={above} />}
        {shown.map(({ item, place }) => (
          <Row
            key={keyOf(item)}
            item={item}
            place={place}
            height={rowHeight}
            columns={placing}
            choice={choice}
            onOpen={onOpen}
            linkOf={linkOf}
          />
        ))}
        {below > 0 && <Gap height={below} />}
      </Table.Tbody>
    </Table>
  );
}

function Cards<Item>(props: SeenProps<Item>) {
  const { columns, items, keyOf, choice, onOpen, linkOf, rowHeight } = props;
  const card = useMemo(() => cardOf(columns), [columns]);
  const { shown, above, below } = drawn(props);
  return (
    <Table className="list-cards" role="table" aria-rowcount={items.length}>
      <Table.Tbody role="rowgroup">
        {above > 0 && <Gap height={above} />}
        {shown.map(({ item, place }) => (
          <Card
            key={keyOf(item)}
            item={item}
            place={place}
            height={rowHeight}
            card={card}
            choice={choice}
            onOpen={onOpen}
            linkOf={linkOf}
          />
        ))}
        {below > 0 && <Gap height={below} />}
      </Table.Tbody>
    </Table>
  );
}

/** Stands for the rows that are not in the page. */
const Gap = ({ height }: { readonly height: number }) => (
  <tr style={{ height }}>
    <td />
  </tr>
);

function Loading({ label }: { readonly label: string }) {
  return (
    <Stack gap="xs" role="status" aria-label={`Loading: ${label}`}>
      {[...Array(8).keys()].map((row) => (
        <Skeleton key={row} height={34} />
      ))}
    </Stack>
  );
}
