import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { StreamType } from '@tenant-payments/backoffice/contract/traffic/stream.ts';
import type { ReactNode } from 'react';
import { usePages, useRead } from '../../staff/api/queries.ts';
import { Detail } from '../../staff/parts/drawer.tsx';
import type { Column } from '../../staff/parts/list_table.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { EventDetail, type PortalEvent } from './detail/event_detail.tsx';
import type { FilterField } from './filters/fields.ts';
import { FilterBar, useFilters } from './filters/filter_bar.tsx';
import { eventMeets } from './filters/matches.ts';
import { LiveList } from './live/live_list.tsx';

const route = 'GET /portal/api/events';
const attemptsRoute = 'GET /portal/api/events/:id/attempts';

/** An attempt of the live feed: the delivery of its event is another since. */
interface AttemptRow {
  readonly event_id: string;
  readonly delivery: PortalEvent['delivery'];
}

const changeOf = (row: unknown) => {
  const { event_id: id, delivery } = row as AttemptRow;
  return { id, apply: (event: PortalEvent): PortalEvent => ({ ...event, delivery }) };
};

const statuses = [
  { value: 'pending', label: 'pending' },
  { value: 'retrying', label: 'retrying' },
  { value: 'failed', label: 'failed' },
  { value: 'delivered', label: 'delivered' },
  { value: 'none', label: 'not sent' },
];

const fieldsOf = (types: readonly string[]): readonly FilterField[] => [
  {
    name: 'type',
    label: 'Type',
    kind: 'choice',
    choices: types.map((value) => ({ value, label: value })),
  },
  { name: 'delivery_status', label: 'Delivery', kind: 'choice', choices: statuses },
  { name: 'object_id', label: 'Record id', kind: 'text', placeholder: 'pay_…' },
  { name: 'event_id', label: 'Event id', kind: 'text', placeholder: 'evt_…' },
  { name: 'request_id', label: 'Caused by request', kind: 'text', placeholder: 'req_…' },
  { name: 'from', label: 'From', kind: 'time' },
  { name: 'to', label: 'To', kind: 'time' },
];

interface EventListProps {
  readonly label: string;
  readonly columns: readonly Column<PortalEvent>[];
  /** Where there is nothing yet. */
  readonly empty: ReactNode;
  /** The filter that the page itself offers. */
  readonly hides?: string;
}

/** The events, followed live, with their filters and the drawer of each. */
export function EventList({ label, columns, empty, hides }: EventListProps) {
  const queries = useQueryClient();
  const { data: types } = useRead('GET /portal/api/event-types', {});
  const fields = fieldsOf(types?.data.map(({ type }) => type) ?? []);
  const filters = useFilters(fields);
  const { values, set, search } = filters;
  const pages = usePages(route, values, true);
  const close = () => set({ open: '' });
  const open = search.open === undefined ? null : String(search.open);
  const listed = pages.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === open);
  const onMessage = (type: StreamType, row: unknown) => {
    if (type !== 'attempts') return;
    const { event_id: id } = row as AttemptRow;
    if (id !== open) return;
    void queries.invalidateQueries({ queryKey: [attemptsRoute, { id }] });
    void queries.invalidateQueries({ queryKey: [route, { event_id: id, limit: 1 }] });
  };
  return (
    <>
      <FilterBar fields={fields.filter(({ name }) => name !== hides)} filters={filters} />
      <LiveList<PortalEvent>
        label={label}
        noun={['event', 'events']}
        route={route}
        filters={values}
        types={['events', 'attempts']}
        rowType="events"
        isListed={(item) => eventMeets(item, values)}
        changeOf={changeOf}
        onMessage={onMessage}
        pages={pages}
        columns={columns}
        onOpen={({ id }) => set({ open: id })}
        empty={
          Object.keys(values).length > 0 ? (
            <>
              <Text fw={600}>None like that</Text>
              <Text size="sm" c="dimmed">
                Take a filter out to see more.
              </Text>
            </>
          ) : (
            empty
          )
        }
      />
      {open !== null && !pages.isPending && (
        <EventDrawer key={open} id={open} listed={listed} onClose={close} />
      )}
    </>
  );
}

interface EventDrawerProps {
  readonly id: string;
  /** As the list has it; it may leave the list, as when it is sent again. */
  readonly listed: PortalEvent | undefined;
  readonly onClose: () => void;
}

/** The event that the address names, whether or not the list shows it. */
function EventDrawer({ id, listed, onClose }: EventDrawerProps) {
  const { data, error, refetch } = useRead(route, { event_id: id, limit: 1 });
  const event = listed ?? data?.data[0];
  return (
    <Detail title={event?.type ?? id} onClose={onClose}>
      {!event && error && <Trouble error={error} onRetry={() => void refetch()} />}
      {event && <EventDetail event={event} />}
      {data && !event && <Text>There is no such event, or its text is no longer kept.</Text>}
    </Detail>
  );
}
