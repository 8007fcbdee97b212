import { Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../../staff/api/queries.ts';
import { PlainTable, RowButton } from '../../../../staff/parts/plain_table.tsx';
import { Trouble } from '../../../../staff/parts/trouble.tsx';
import { When } from '../../../../staff/parts/when.tsx';
import { Attempts, DeliveryState, Resend } from '../../detail/event_detail.tsx';
import { Section } from '../../detail/section.tsx';

const newest = 20;
const everyMs = 5_000;

/** The newest events that go to an endpoint, and what became of each. */
export function FurtherDeliveries({ endpointId }: { readonly endpointId: string }) {
  const { data, error, refetch } = useRead(
    'GET /portal/api/events',
    { endpoint_id: endpointId, limit: newest },
    everyMs,
  );
  const [open, setOpen] = useState<string | null>(null);
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const all = data?.data ?? [];
  return (
    <>
      <Section title="Newest deliveries">
        {data && all.length === 0 && (
          <Text size="sm" c="dimmed">
            No event has gone there yet.
          </Text>
        )}
        {all.length > 0 && (
          <PlainTable
            label="Newest deliveries to the endpoint"
            columns={['Event', 'Delivery', 'Attempts', 'Created']}
            right={['Attempts']}
            hasActions
          >
            {all.map(({ id, type, delivery, created_at }) => (
              <Table.Tr key={id}>
                <Table.Td>{type}</Table.Td>
                <Table.Td>
                  <DeliveryState status={delivery.status} />
                </Table.Td>
                <Table.Td ta="right">{delivery.attempts}</Table.Td>
                <Table.Td>
                  <When at={created_at} isExact />
                </Table.Td>
                <Table.Td ta="right">
                  <RowButton
                    text="Attempts"
                    label={`Attempts of ${id}`}
                    isBusy={false}
                    onClick={() => setOpen(open === id ? null : id)}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </PlainTable>
        )}
      </Section>
      {open !== null && (
        <Section title={open}>
          <Resend key={open} id={open} endpointId={endpointId} />
          <Attempts id={open} endpointId={endpointId} />
        </Section>
      )}
    </>
  );
}
