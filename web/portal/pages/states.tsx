import { Anchor, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { LifecycleTable } from '@tenant-payments/backoffice/contract/records/lifecycles.ts';
import { capitalized } from '@tenant-payments/contract/core/fields/field.ts';
import { useEffect } from 'react';
import { useRead } from '../../staff/api/queries.ts';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Lifecycle } from '../parts/lifecycle.tsx';

const plain = (name: string) => name.replaceAll('_', ' ');

/** Every state table, as the service runs it. */
export function States() {
  const { data, error, refetch } = useRead('GET /portal/api/lifecycles', {});
  const { hash } = useLocation();
  useEffect(() => {
    if (data && hash) document.getElementById(hash)?.scrollIntoView();
  }, [data, hash]);
  return (
    <>
      <PageTitle
        title="States and moves"
        text="What each record may become, and who decides it: the tables that the service runs."
      />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      <Group component="nav" aria-label="Resources" gap="xs" mb="xl">
        {data?.data.map(({ resource }) => (
          <Anchor key={resource} href={`#${resource}`} size="sm">
            {capitalized(plain(resource))}
          </Anchor>
        ))}
      </Group>
      <Stack gap="xl">
        {data?.data.map((table) => (
          <Resource key={table.resource} table={table} />
        ))}
      </Stack>
    </>
  );
}

const Resource = ({ table }: { readonly table: LifecycleTable }) => (
  <section aria-labelledby={table.resource}>
    <Title order={2} size="h4" id={table.resource} mb="xs" className="anchored">
      {capitalized(plain(table.resource))}
    </Title>
    <Lifecycle table={table} />
    <details className="refused">
      <summary>Every move as a table</summary>
      <PlainTable
        label={`Moves of ${plain(table.resource)}`}
        columns={['Move', 'From', 'To', 'By', 'Event', 'Posts', 'Simulated by']}
      >
        {table.moves.map((move) => (
          <Table.Tr key={move.name}>
            <Table.Td>{plain(move.name)}</Table.Td>
            <Table.Td>{move.from?.map(plain).join(', ') ?? 'New'}</Table.Td>
            <Table.Td>
              {move.to === null ? <Text size="sm">Stays</Text> : <StateBadge state={move.to} />}
            </Table.Td>
            <Table.Td>{move.by.join(', ')}</Table.Td>
            <Table.Td>{move.event && <Code>{move.event}</Code>}</Table.Td>
            <Table.Td>{move.posts.map(plain).join(', ')}</Table.Td>
            <Table.Td>{move.simulate && <Code>{move.simulate}</Code>}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </details>
  </section>
);
