import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { StreamType } from '@tenant-payments/backoffice/contract/traffic/stream.ts';
import { type ReactNode, useState } from 'react';
import { usePages, useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { choicesOf, type FilterField, tenantTimes } from '../../staff/parts/filter_fields.ts';
import type { Choice, Column } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { useList } from '../../staff/parts/use_list.tsx';
import { type AttemptRow, afterAttempt, eventAt } from './deliveries_at.ts';
import { useCountAgain } from './delivery_counts.ts';
import { EventDetail, type PortalEvent } from './detail/event_detail.tsx';
import { FurtherDeliveries } from './detail/further_deliveries.tsx';
import { eventMeets } from './filters/matches.ts';
import { LiveList } from './live/live_list.tsx';
import { ResendBar } from './resend_bar.tsx';
import { furtherRoute } from './webhooks/further/state.tsx';

const route = 'GET /portal/api/events';
const attemptsRoute = 'GET /portal/api/events/:id/attempts';

const changeOf = (endpointId: string | undefined) => (row: unknown) => {
  const attempt = row as AttemptRow;
  const apply = (event: PortalEvent) => afterAttempt(event, attempt, endpointId);
  return { id: attempt.event_id, apply };
};

const statuses = [
  { value: 'pending', label: 'pending' },
  { value: 'retrying', label: 'retrying' },
  { value: 'failed', label: 'failed' },
  { value: 'delivered', label: 'delivered' },
  { value: 'none', label: 'not sent' },
];

const endpointField = 'endpoint_id';

const fieldsOf = (
  types: readonly string[],
  endpoints: readonly { readonly id: string; readonly name: string }[],
): readonly FilterField[] => [
  {
    name: 'type',
    label: 'Type',
    kind: 'choice',
    choices: choicesOf(types),
  },
  { name: 'delivery_status', label: 'Delivery', kind: 'choice', choices: statuses },
  {
    name: endpointField,
    label: 'Endpoint',
    kind: 'choice',
    placeholder: 'First',
    choices: endpoints.map(({ id, name }) => ({ value: id, label: name })),
  },
  { name: 'object_id', label: 'Record id', kind: 'text', placeholder: 'pay_…' },
  { name: 'event_id', label: 'Event id', kind: 'text', placeholder: 'evt_…' },
  { name: 'request_id', label: 'Caused by request', kind: 'text', placeholder: 'req_…' },
  ...tenantTimes,
];

/** The filters that the address of a list of events may hold. */
export const eventFilters = fieldsOf([], []);

const nobody: ReadonlySet<string> = new Set();

interface EventListProps {
  readonly label: string;
  /** The sentence below the title. */
  readonly text: string;
  readonly columns: readonly Column<PortalEvent>[];
  /** The text for a list that has no events yet. */
  readonly empty: ReactNode;
  /** The filter that the page itself offers. */
  readonly hides?: string;
  /** The parts between the title and the filters. */
  readonly children?: ReactNode;
}

/** The rows that are chosen, to be sent again. */
function useChosen() {
  const [chosen, setChosen] = useState(nobody);
  const choose = (id: string, isChosen: boolean) => {
    const others = [...chosen].filter((one) => one !== id);
    setChosen(new Set(isChosen ? [...others, id] : others));
  };
  const choice: Choice<PortalEvent> = {
    isChosen: ({ id }) => chosen.has(id),
    nameOf: ({ type }) => type,
    onChoose: ({ id }, isChosen) => choose(id, isChosen),
  };
  return { chosen, choice, chooseNone: () => setChosen(nobody) };
}

/** The events, followed live, with their filters and the drawer of each. */
export function EventList(props: EventListProps) {
  const { label, text, columns, empty, hides, children } = props;
  const queries = useQueryClient();
  const { data: types } = useRead('GET /portal/api/event-types', {});
  const { data: further } = useRead(furtherRoute, {});
  const endpoints = further?.data ?? [];
  const list = useList<PortalEvent>({
    name: label.toLowerCase(),
    fields: fieldsOf(types?.data.map(({ type }) => type) ?? [], endpoints),
    columns,
    // The deliveries' own times are not what the list goes by.
    canTurn: hides === undefined,
    file: route,
    offers: ({ name }, { endpoint_id }) =>
      name !== hides &&
      (name !== endpointField || endpoints.length > 0 || endpoint_id !== undefined),
  });
  const { values, asked, set, search } = list;
  const { endpoint_id: endpointId } = values;
  const pages = usePages(route, asked, true);
  const mayResend = holds(useSession(), ['developer', 'admin']);
  const { chosen, choice, chooseNone } = useChosen();
  const close = () => set({ open: '' });
  const open = search.open === undefined ? null : String(search.open);
  const listed = pages.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === open);
  const countAgain = useCountAgain();
  const onMessage = (type: StreamType, row: unknown) => {
    countAgain();
    if (type !== 'attempts') return;
    const { event_id: id } = row as AttemptRow;
    if (id !== open) return;
    void queries.invalidateQueries({ queryKey: [attemptsRoute, { id }] });
    void queries.invalidateQueries({ queryKey: [route, { event_id: id, limit: 1 }] });
  };
  return (
    <>
      <PageTitle title={label} text={text}>
        {list.tools}
      </PageTitle>
      {children}
      {list.filters()}
      {mayResend && <ResendBar values={values} chosen={chosen} onNone={chooseNone} />}
      <LiveList<PortalEvent>
        label={label}
        noun={['event', 'events']}
        route={route}
        filters={asked}
        types={['events', 'attempts']}
        rowType="events"
        itemOf={(row) => eventAt(row as PortalEvent, endpointId)}
        isListed={(item) => eventMeets(item, asked)}
        changeOf={changeOf(endpointId)}
        onMessage={onMessage}
        pages={pages}
        {...list.table}
        {...(mayResend && { choice })}
        empty={list.isFiltered ? <NoneLikeThat /> : empty}
      />
      {open !== null && !pages.isPending && (
        <EventDrawer
          key={open}
          id={open}
          listed={endpointId === undefined ? listed : undefined}
          onClose={close}
        />
      )}
    </>
  );
}

const NoneLikeThat = () => (
  <>
    <Text fw={600}>No events match these filters</Text>
    <Text size="sm" c="dimmed">
      Take a filter out to see more.
    </Text>
  </>
);

interface EventDrawerProps {
  readonly id: string;
  /**
   * The event as the list of the first endpoint has it; it may leave the list, as when it is sent
   * again.
   */
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
      {event && (
        <EventDetail event={event}>
          <FurtherDeliveries event={event} />
        </EventDetail>
      )}
      {data && !event && <Text>There is no such event, or its text is no longer kept.</Text>}
    </Detail>
  );
}
