import { Text } from '@mantine/core';
import type { Column } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { When } from '../../staff/parts/when.tsx';
import { DeliveryState, type PortalEvent } from '../traffic/detail/event_detail.tsx';
import { EventList } from '../traffic/event_list.tsx';

const columns: readonly Column<PortalEvent>[] = [
  { name: 'Type', show: ({ type }) => type },
  { name: 'Record', show: ({ data }) => <RecordId id={data.object.id} /> },
  { name: 'Delivery', show: ({ delivery }) => <DeliveryState status={delivery.status} /> },
  { name: 'Attempts', show: ({ delivery }) => delivery.attempts, align: 'right' },
  { name: 'Sample', show: ({ sample }) => sample && <Mark tone="plain" text="sample" /> },
  { name: 'Created', show: ({ created_at }) => <When at={created_at} isExact />, width: '10rem' },
];

const RecordId = ({ id }: { readonly id: unknown }) => (
  <Text component="span" size="sm" ff="monospace">
    {typeof id === 'string' ? id : ''}
  </Text>
);

/** Every event, with what became of its delivery. */
export const Events = () => (
  <>
    <PageTitle title="Events" text="What happened to your records, and whether you were told." />
    <EventList
      label="Events"
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
  </>
);
