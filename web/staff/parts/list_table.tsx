import { Anchor, Box, Button, Center, Loader, Skeleton, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { Pages } from '../api/queries.ts';
import { rowHeight, useRows } from './list_rows.ts';
import { Trouble } from './trouble.tsx';

export interface Column<Item> {
  readonly name: string;
  readonly show: (item: Item) => ReactNode;
  /** For numbers. */
  readonly align?: 'right';
  /** At least; as CSS has it. */
  readonly width?: string;
}

/** The address of a page, as the router has it. */
export interface PageOf {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
}

interface ListTableProps<Item> {
  /** What the table lists, for a screen reader. */
  readonly label: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** Opens an item beside the list; one that has a page of its own has `linkOf` instead. */
  readonly onOpen?: ((item: Item) => void) | undefined;
  /** The page of an item: its whole row is a link there. */
  readonly linkOf?: ((item: Item) => PageOf) | undefined;
  /** What to do where there is nothing yet. */
  readonly empty: ReactNode;
  /** Told whether the first rows are seen. */
  readonly onTop?: (isTop: boolean) => void;
  /** It goes to its top whenever this changes. */
  readonly shown?: number;
}

/** A list of any length: only the rows that are seen are in the page, and it reads on by itself. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const { label, pages, columns, keyOf, onOpen, linkOf, empty, onTop, shown } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { items, start, rows, height } = useRows(pages, frame, shown);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;

  if (pages.isPending) return <Loading label={label} />;
  if (pages.isError && items.length === 0)
    return <Trouble error={pages.error} onRetry={() => void pages.refetch()} />;
  // A page of a filter may be empty while there are more.
  if (items.length === 0 && hasNextPage) return <Loading label={label} />;
  if (items.length === 0)
    return (
      <Center py="xl">
        <Stack align="center" gap="xs" maw={420} ta="center">
          {empty}
        </Stack>
      </Center>
    );

  const [first] = rows;
  const above = first?.start ?? 0;
  const below = height - (rows.at(-1)?.end ?? 0);
  return (
    <Box
      ref={frame}
      className="list"
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={({ currentTarget }) =>
        onTop?.(start === 0 && currentTarget.scrollTop < rowHeight / 2)
      }
    >
      <Table className="list-table" aria-rowcount={items.length}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, align, width }) => (
              <Table.Th key={name} ta={align ?? 'left'} scope="col" miw={width}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {above > 0 && <Gap height={above} />}
          {rows.map(({ index }) => {
            const item = items[start + index];
            if (item === undefined) return null;
            const place = start + index + 1;
            return (
              <Row
                key={keyOf(item)}
                item={item}
                place={place}
                columns={columns}
                onOpen={onOpen}
                linkOf={linkOf}
              />
            );
          })}
          {below > 0 && <Gap height={below} />}
        </Table.Tbody>
      </Table>
      {isFetchingNextPage && (
        <Center p="xs">
          <Loader size="sm" aria-label="Loading more" />
        </Center>
      )}
      {pages.isError && <Trouble error={pages.error} onRetry={() => void fetchNextPage()} />}
      {!hasNextPage && (
        <Text size="xs" c="dimmed" ta="center" p="xs">
          {items.length === 1 ? 'That is all: 1 row.' : `That is all: ${items.length} rows.`}
        </Text>
      )}
    </Box>
  );
}

interface RowProps<Item> extends Pick<ListTableProps<Item>, 'columns' | 'onOpen' | 'linkOf'> {
  readonly item: Item;
  /** Among all rows, from 1 on. */
  readonly place: number;
}

const Row = <Item,>({ item, place, columns, onOpen, linkOf }: RowProps<Item>) => (
  <Table.Tr
    aria-rowindex={place}
    className={linkOf ? 'list-row' : undefined}
    style={{ height: rowHeight }}
  >
    {columns.map(({ name, show, align }, at) => (
      <Table.Td key={name} ta={align ?? 'left'}>
        {at > 0 ? (
          show(item)
        ) : linkOf ? (
          <Anchor component={Link} {...(linkOf(item) as object)} size="sm" className="row-link">
            {show(item)}
          </Anchor>
        ) : onOpen ? (
          <Button variant="subtle" size="compact-sm" ff="monospace" onClick={() => onOpen(item)}>
            {show(item)}
          </Button>
        ) : (
          show(item)
        )}
      </Table.Td>
    ))}
  </Table.Tr>
);

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
        <Skeleton key={row} height={rowHeight - 10} />
      ))}
    </Stack>
  );
}
