import { Button, Center, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { Pages } from '../../staff/api/queries.ts';
import type { Column } from '../../staff/parts/list_table.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';

interface CasesProps<Row> {
  readonly pages: Pages<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Why there may be nothing. */
  readonly empty: string;
}

/** The cases page by page: the desk comes with the first load, so without what very long lists need. */
export function Cases<Row>({ pages, columns, keyOf, empty }: CasesProps<Row>) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = pages;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  if (isPending) return <Skeleton height={320} role="status" aria-label="Loading: What waits" />;
  if (error && rows.length === 0)
    return <Trouble error={error} onRetry={() => void pages.refetch()} />;
  if (rows.length === 0 && !hasNextPage)
    return (
      <Stack align="center" gap="xs" py="xl" ta="center">
        <Text fw={600}>Nothing waits</Text>
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <PlainTable label="What waits" columns={columns.map(({ name }) => name)} right={['Amount']}>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)} className="case-row">
            {columns.map(({ name, show, align }) => (
              <Table.Td key={name} ta={align ?? 'left'}>
                {show(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </PlainTable>
      {error && <Trouble error={error} onRetry={() => void pages.refetch()} />}
      {hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}
