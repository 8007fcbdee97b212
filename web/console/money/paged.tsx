import { Button, Center, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../../staff/api/queries.ts';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';

interface PagedProps<Item> {
  /** The name of the listed things, for a screen reader. */
  readonly label: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly string[];
  readonly right?: readonly string[];
  readonly hasActions?: boolean;
  /** The text for a list that has no rows. */
  readonly empty: string;
  readonly row: (item: Item) => ReactNode;
}

/** A list of staff's, page by page: its rows, and why there are none. */
export function Paged<Item>(props: PagedProps<Item>) {
  const { label, pages, columns, right = [], hasActions = false, empty, row } = props;
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = pages;
  const items = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Stack gap="md">
      {error && <Trouble error={error} onRetry={() => void pages.refetch()} />}
      {isPending && <Skeleton height={240} role="status" aria-label={`Loading: ${label}`} />}
      {data && items.length === 0 && (
        <Center py="xl">
          <Text>{empty}</Text>
        </Center>
      )}
      {items.length > 0 && (
        <PlainTable label={label} columns={columns} right={right} hasActions={hasActions}>
          {items.map(row)}
        </PlainTable>
      )}
      {hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}
