import { Button, Group, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import type { Column } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { DeliveryState, type PortalEvent } from '../traffic/detail/event_detail.tsx';
import { HttpStatus } from '../traffic/detail/request_detail.tsx';
import { EventList } from '../traffic/event_list.tsx';
import { furtherRoute } from '../traffic/webhooks/further/state.tsx';
import { Recover } from '../traffic/webhooks/recover.tsx';

const columns: readonly Column<PortalEvent>[] = [
  { name: 'Event', show: ({ type }) => type },
  { name: 'Delivery', show: ({ delivery }) => <DeliveryState status={delivery.status} /> },
  { name: 'Attempts', show: ({ delivery }) => delivery.attempts, align: 'right' },
  { name: 'Last answer', show: ({ delivery }) => <LastAnswer delivery={delivery} /> },
  {
    name: 'Last attempt',
    show: ({ delivery }) => <When at={delivery.last_attempt_at} isExact />,
    width: '10rem',
  },
  {
    name: 'Next attempt',
    show: ({ delivery }) => delivery.next_attempt_at && <When at={delivery.next_attempt_at} />,
    width: '10rem',
  },
];

/** Whose delivery it is, and where it stands. */
const elsewhere: Column<PortalEvent> = {
  name: 'Further endpoints',
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

function LastAnswer({ delivery }: Pick<PortalEvent, 'delivery'>) {
  if (delivery.last_response_status !== null)
    return <HttpStatus status={delivery.last_response_status} />;
  return delivery.attempts > 0 ? 'no answer' : '';
}

const countsEveryMs = 15_000;

/** Where each event stands on its way to the endpoint. */
export function Deliveries() {
  const [isRecovering, setRecovering] = useState(false);
  const mayRecover = holds(useSession(), ['developer', 'admin']);
  const { data: further } = useRead(furtherRoute, {});
  const endpointId = useEndpoint();
  const named = further?.data.find(({ id }) => id === endpointId);
  const hasMore = endpointId === undefined && (further?.data.length ?? 0) > 0;
  return (
    <>
      <PageTitle
        title="Deliveries"
        text={`Where each event stands on its way to ${named?.name ?? 'your endpoint'}, and what is tried next.`}
      >
        <Button variant="default" disabled={!mayRecover} onClick={() => setRecovering(true)}>
          Recover events
        </Button>
      </PageTitle>
      <Counts />
      <EventList
        label="Deliveries"
        columns={hasMore ? [...columns, elsewhere] : columns}
        hides="delivery_status"
        empty={
          <>
            <Text fw={600}>Nothing to deliver yet</Text>
            <Text size="sm" c="dimmed">
              Each change of a record writes an event, which goes to your endpoint.
            </Text>
          </>
        }
      />
      <Recover
        isOpen={isRecovering}
        onClose={() => setRecovering(false)}
        {...(endpointId === undefined ? {} : { endpointId })}
      />
    </>
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
  const endpointId = useEndpoint();
  const of = endpointId === undefined ? {} : { endpoint_id: endpointId };
  const { data, error, refetch } = useRead('GET /portal/api/deliveries/counts', of, countsEveryMs);
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
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
