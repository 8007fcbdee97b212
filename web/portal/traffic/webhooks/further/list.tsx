import { Button, Code, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../../staff/api/queries.ts';
import { holds, useSession } from '../../../../staff/api/session.tsx';
import { PlainTable, RowButton } from '../../../../staff/parts/plain_table.tsx';
import { Trouble } from '../../../../staff/parts/trouble.tsx';
import { Section } from '../../detail/section.tsx';
import { FurtherDetail } from './detail.tsx';
import { EndpointForm } from './form.tsx';
import { EndpointState, furtherRoute, typesOf } from './state.tsx';

/** Besides the first one. */
const most = 9;

/** Endpoints beside the first one, each with types and secrets of its own. */
export function FurtherEndpoints() {
  const { data, error, refetch } = useRead(furtherRoute, {});
  const mayChange = holds(useSession(), ['developer']);
  const [open, setOpen] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const all = data?.data ?? [];
  return (
    <Section title="Further endpoints" order={2}>
      <Text size="sm" c="dimmed">
        Up to nine more, such as for accounting: each gets the types that it needs, signed with
        secrets of its own. One that does not answer delays no other.
      </Text>
      {all.length > 0 && (
        <PlainTable
          label="Further endpoints and their states"
          columns={['Name', 'Address', 'Events', 'State']}
          hasActions
        >
          {all.map((endpoint) => (
            <Table.Tr key={endpoint.id}>
              <Table.Td>{endpoint.name}</Table.Td>
              <Table.Td>
                <Code>{endpoint.url}</Code>
              </Table.Td>
              <Table.Td>{typesOf(endpoint)}</Table.Td>
              <Table.Td>
                <EndpointState endpoint={endpoint} />
              </Table.Td>
              <Table.Td ta="right">
                <RowButton
                  text="Open"
                  label={`Open ${endpoint.name}`}
                  isBusy={false}
                  onClick={() => setOpen(endpoint.id)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
      <Group>
        <Button
          variant="default"
          disabled={!mayChange || !data || all.length >= most}
          onClick={() => setAdding(true)}
        >
          Add an endpoint
        </Button>
      </Group>
      <EndpointForm isOpen={isAdding} endpoint={null} onClose={() => setAdding(false)} />
      <FurtherDetail
        endpoint={all.find(({ id }) => id === open) ?? null}
        onClose={() => setOpen(null)}
      />
    </Section>
  );
}
