import { Table } from '@mantine/core';
import { useState } from 'react';
import { PlainTable, RowButton } from '../../../staff/parts/plain_table.tsx';
import { Attempts, DeliveryState, type PortalEvent, Resend } from './event_detail.tsx';
import { Section } from './section.tsx';

/** The deliveries of an event to the endpoints beside the first one. */
export function FurtherDeliveries({ event }: { readonly event: PortalEvent }) {
  const [open, setOpen] = useState<string | null>(null);
  const { id, further_deliveries: all } = event;
  if (all.length === 0) return null;
  const shown = all.find(({ endpoint_id }) => endpoint_id === open);
  return (
    <>
      <Section title="Further endpoints">
        <PlainTable
          label="Deliveries to further endpoints"
          columns={['Endpoint', 'Delivery', 'Attempts']}
          right={['Attempts']}
          hasActions
        >
          {all.map(({ endpoint_id, endpoint_name, status, attempts }) => (
            <Table.Tr key={endpoint_id}>
              <Table.Td>{endpoint_name}</Table.Td>
              <Table.Td>
                <DeliveryState status={status} />
              </Table.Td>
              <Table.Td ta="right">{attempts}</Table.Td>
              <Table.Td ta="right">
                <RowButton
                  text="Attempts"
                  label={`Attempts at ${endpoint_name}`}
                  isBusy={false}
                  onClick={() => setOpen(open === endpoint_id ? null : endpoint_id)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      </Section>
      {shown && (
        <>
          <Resend key={shown.endpoint_id} id={id} endpointId={shown.endpoint_id} />
          <Attempts id={id} endpointId={shown.endpoint_id} at={shown.endpoint_name} />
        </>
      )}
    </>
  );
}
