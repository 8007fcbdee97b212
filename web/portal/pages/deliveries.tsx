import { Button, Group, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../../staff/api/queries.ts';
import { valuesIn } from '../../staff/parts/filter_fields.ts';
import type { Column } from '../../staff/parts/list_table.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { useDeliveryCounts } from '../traffic/delivery_counts.ts';
import { DeliveryState, type PortalEvent } from '../traffic/detail/event_detail.tsx';
import { HttpStatus } from '../traffic/detail/request_detail.tsx';
import { EventList, eventFilters } from '../traffic/event_list.tsx';
import { furtherRoute } from '../traffic/webhooks/further/state.tsx';

const columns: readonly Column<PortalEvent>[] = [
  { name: 'Event', show: ({ type }) => type },
  {
    name: 'Delivery',
    kind: 'state',
    show: ({ delivery }) => <DeliveryState status={delivery.status} />,
  },
  { name: 'Attempts', kind: 'number', show: ({ delivery }) => delivery.attempts, align: 'right' },
  { name: 'Last answer', show: ({ delivery }) => <LastAnswer delivery={delivery} /> },
  {
    name: 'Last attempt',
    kind: 'time',
    show: ({ delivery }) => <When at={delivery.last_attempt_at} isExact />,
  },
  {
    name: 'Next attempt',
    kind: 'time',
    show: ({ delivery }) => delivery.next_attempt_at && <When at={delivery.next_attempt_at} />,
    priority: 2,
  },
];

/**
 * The column of deliveries to further endpoints: each endpoint's name, and the state of its
 * delivery.
 */
const elsewhere: Column<PortalEvent> = {
  name: 'Further endpoints',
  width: 240,
  priority: 3,
  show: ({ further_deliveries }) => (
    <Group gap="xs" wrap="nowrap">
      {further_deliveries.map(({ endpoint_id, endpoint_name, status }) => (
        <Group key={endpoint_id} gap={4} wrap="nowrap">
          <span>{endpoint_name}</span>
          <DeliveryState status={status} />
        </Group>
      ))}
    </Group>
  ),
};

const allColumns = [...columns, elsewhere];

function LastAnswer({ delivery }: Pick<PortalEvent, 'delivery'>) {
  if (delivery.last_response_status !== null)
    return <HttpStatus status={delivery.last_response_status} />;
  return delivery.attempts > 0 ? 'no answer' : '';
}

/** The deliveries: each event with its state on the way to the endpoint. */
export function Deliveries() {
  const { data: further } = useRead(furtherRoute, {});
  const endpointId = useEndpoint();
  const named = further?.data.find(({ id }) => id === endpointId);
  const hasMore = endpointId === undefined && (further?.data.length ?? 0) > 0;
  return (
    <EventList
      label="Deliveries"
      text={`Where each event stands on its way to ${named?.name ?? 'your endpoint'}, and what is tried next.`}
      columns={hasMore ? allColumns : columns}
      hides="delivery_status"
      empty={
        <>
          <Text fw={600}>Nothing to deliver yet</Text>
          <Text size="sm" c="dimmed">
            Each change of a record writes an event, which goes to your endpoint.
          </Text>
        </>
      }
    >
      <Counts />
    </EventList>
  );
}

const shown = [
  ['pending', 'pending'],
  ['retrying', 'retrying'],
  ['failed', 'failed'],
  ['delivered', 'delivered'],
  ['none', 'not sent'],
] as const;

/** The further endpoint that the list is of; undefined: the first one. */
function useEndpoint(): string | undefined {
  const { endpoint_id: id } = useSearch({ strict: false }) as { readonly endpoint_id?: unknown };
  return id === undefined || id === '' ? undefined : String(id);
}

/** How many are in each state; each is a filter. */
function Counts() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const { data, error, refetch } = useDeliveryCounts(valuesIn(eventFilters, search));
  const navigate = useNavigate();
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const choose = (status: string | undefined) => {
    const { delivery_status: _, ...others } = search;
    const chosen = status === undefined ? {} : { delivery_status: status };
    void navigate({ to: '.', search: { ...others, ...chosen } as never });
  };
  const chosen = search.delivery_status;
  return (
    <section aria-label="Deliveries by status">
      <Group gap="xs" mb="xs">
        <Button
          size="xs"
          variant={chosen === undefined ? 'light' : 'default'}
          aria-pressed={chosen === undefined}
          onClick={() => choose(undefined)}
        >
          {`All ${data?.events ?? ''}`}
        </Button>
        {shown.map(([status, words]) => (
          <Button
            key={status}
            size="xs"
            variant={chosen === status ? 'light' : 'default'}
            aria-pressed={chosen === status}
            onClick={() => choose(status)}
          >
            {`${words} ${data?.[status] ?? ''}`}
          </Button>
        ))}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {data?.next_attempt_at ? (
          <>
            The next attempt is at <When at={data.next_attempt_at} isDate />.
          </>
        ) : (
          'No attempt is planned.'
        )}{' '}
        {data && data.events >= 10_000 && 'The newest 10,000 events are counted.'}
      </Text>
    </section>
  );
}
