import { Code, Text } from '@mantine/core';
import type { ApiRequest } from '@tenant-payments/backoffice/contract/traffic/requests.ts';
import { usePages, useRead } from '../../staff/api/queries.ts';
import { Detail } from '../../staff/parts/drawer.tsx';
import { choicesOf, type FilterField, realTimes } from '../../staff/parts/filter_fields.ts';
import type { Column } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';
import { HttpStatus, RequestDetail } from '../traffic/detail/request_detail.tsx';
import { requestMeets } from '../traffic/filters/matches.ts';
import { LiveList } from '../traffic/live/live_list.tsx';

const columns: readonly Column<ApiRequest>[] = [
  { name: 'Request', show: ({ method, path }) => `${method} ${path}`, width: 240 },
  {
    name: 'Status',
    kind: 'state',
    show: ({ status }) => <HttpStatus status={status} />,
    width: 96,
  },
  { name: 'Code', show: ({ code }) => code ?? '', width: 170 },
  {
    name: 'Reply',
    show: ({ replayed }) => replayed && <Mark tone="plain" text="repeated" />,
    width: 104,
    priority: 3,
  },
  { name: 'Time', kind: 'number', show: ({ duration_ms }) => `${duration_ms} ms`, align: 'right' },
  { name: 'At', kind: 'time', show: ({ at }) => <When at={at} isExact /> },
];

const fields: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    choices: [
      { value: '2xx', label: '2xx answered' },
      { value: '4xx', label: '4xx refused' },
      { value: '5xx', label: '5xx failed' },
      ...choicesOf(['400', '401', '403', '404', '409', '422', '429', '500', '503']),
    ],
  },
  {
    name: 'method',
    label: 'Method',
    kind: 'choice',
    choices: choicesOf(['GET', 'POST', 'PUT', 'DELETE']),
  },
  { name: 'path', label: 'Path begins with', kind: 'text', placeholder: '/v1/payments' },
  { name: 'code', label: 'Error code', kind: 'text', placeholder: 'insufficient_funds' },
  { name: 'request_id', label: 'Request id', kind: 'text', placeholder: 'req_…' },
  { name: 'idempotency_key', label: 'Idempotency key', kind: 'text' },
  ...realTimes,
];

const route = 'GET /portal/api/requests';

/** Every call of the API, redacted, newest first. */
export function Requests() {
  const list = useList<ApiRequest>({
    name: 'requests',
    fields,
    columns,
    canTurn: true,
    file: route,
  });
  const { asked, set, search } = list;
  const pages = usePages(route, asked, true);
  const close = () => set({ open: '' });
  const open = search.open === undefined ? null : String(search.open);
  const listed = pages.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === open);
  return (
    <>
      <PageTitle title="Requests" text="Every call of your API clients, without secrets.">
        {list.tools}
      </PageTitle>
      {list.filters()}
      <LiveList<ApiRequest>
        label="Requests"
        noun={['request', 'requests']}
        route={route}
        filters={asked}
        types={['requests']}
        rowType="requests"
        isListed={(item) => requestMeets(item, asked)}
        pages={pages}
        {...list.table}
        empty={<Empty isFiltered={list.isFiltered} />}
      />
      {listed && (
        <Detail title={`${listed.method} ${listed.path}`} onClose={close}>
          <RequestDetail request={listed} />
        </Detail>
      )}
      {!listed && open !== null && !pages.isPending && <Elsewhere id={open} onClose={close} />}
    </>
  );
}

const Empty = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <>
      <Text fw={600}>No requests match these filters</Text>
      <Text size="sm" c="dimmed">
        Calls are kept for seven days. Take a filter out to see more.
      </Text>
    </>
  ) : (
    <>
      <Text fw={600}>No requests yet</Text>
      <Text size="sm" c="dimmed">
        Get a token with your client id and secret, then call <Code>/v1</Code>.
      </Text>
    </>
  );

/** A request that an address names and the list does not show. */
function Elsewhere({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useRead(route, { request_id: id, limit: 1 });
  const request = data?.data[0];
  return (
    <Detail title={request ? `${request.method} ${request.path}` : id} onClose={onClose}>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {request && <RequestDetail request={request} />}
      {data && !request && (
        <Text>This request is not in the log. Calls are kept for seven days.</Text>
      )}
    </Detail>
  );
}
