import { Text } from '@mantine/core';
import type { Column } from '../../staff/parts/list_table.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { When } from '../../staff/parts/when.tsx';
import { DeliveryState, type PortalEvent } from '../traffic/detail/event_detail.tsx';
import { EventList } from '../traffic/event_list.tsx';

const columns: readonly Column<PortalEvent>[] = [
  { name: 'Type', show: ({ type }) => type },
  { name: 'Record', show: ({ data }) => <RecordOf id={data.object.id} />, width: 200 },
  {
    name: 'Delivery',
    kind: 'state',
    show: ({ delivery }) => <DeliveryState status={delivery.status} />,
  },
  { name: 'Attempts', kind: 'number', show: ({ delivery }) => delivery.attempts, align: 'right' },
  {
    name: 'Sample',
    show: ({ sample }) => sample && <Mark tone="plain" text="sample" />,
    width: 90,
    priority: 3,
  },
  { name: 'Created', kind: 'time', show: ({ created_at }) => <When at={created_at} isExact /> },
];

const RecordOf = ({ id }: { readonly id: unknown }) =>
  typeof id === 'string' ? <RecordLink id={id} isBare /> : '';

/** Every event, with what became of its delivery. */
export const Events = () => (
  <EventList
    label="Events"
    text="What happened to your records, and whether you were told."
    columns={columns}
    empty={
      <>
        <Text fw={600}>No events yet</Text>
        <Text size="sm" c="dimmed">
          Each change of a record writes one.
        </Text>
      </>
    }
  />
);
