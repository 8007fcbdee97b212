import type { PortalEvent } from '../../contract/traffic/events.ts';
import type { ApiRequest } from '../../contract/traffic/requests.ts';
import { type CsvColumn, inWords } from '../../files/list_file.ts';

/** The files of what went in and out: without bodies, so without personal data. */

const yes = (is: boolean) => (is ? 'yes' : null);

export const eventFile = {
  name: 'events',
  columns: [
    { name: 'Type', cell: ({ type }) => type },
    { name: 'Record', cell: ({ data }) => data.object.id },
    {
      name: 'Delivery',
      cell: ({ delivery: { status } }) => (status === 'none' ? 'not sent' : status),
    },
    { name: 'Attempts', cell: ({ delivery }) => delivery.attempts },
    { name: 'Last answer', cell: ({ delivery }) => delivery.last_response_status },
    { name: 'Last attempt', cell: ({ delivery }) => delivery.last_attempt_at },
    { name: 'Sample', cell: ({ sample }) => yes(sample) },
    { name: 'Created', cell: ({ created_at }) => created_at },
    { name: 'Id', cell: ({ id }) => id },
  ] satisfies CsvColumn<PortalEvent>[],
  rowsOf: async (_: unknown, events: PortalEvent[]) => events,
};

export const requestFile = {
  name: 'requests',
  columns: [
    { name: 'Method', cell: ({ method }) => method },
    { name: 'Path', cell: ({ path }) => path },
    { name: 'Status', cell: ({ status }) => status },
    { name: 'Code', cell: ({ code }) => code },
    { name: 'Field', cell: ({ param }) => inWords(param) },
    { name: 'Repeated', cell: ({ replayed }) => yes(replayed) },
    { name: 'Milliseconds', cell: ({ duration_ms }) => duration_ms },
    { name: 'At', cell: ({ at }) => at },
    { name: 'Id', cell: ({ id }) => id },
  ] satisfies CsvColumn<ApiRequest>[],
  rowsOf: async (_: unknown, requests: ApiRequest[]) => requests,
};
