import type { PortalEvent } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import type { ApiRequest } from '@tenant-payments/backoffice/contract/traffic/requests.ts';
import type { Values } from '../../../staff/parts/filter_fields.ts';

/** Whether a new row is one that the filters ask for, as the service would say. */
type Tests<Item> = Readonly<Record<string, (item: Item, value: string) => boolean>>;

const isIn = (at: string, from: string): boolean => Date.parse(at) >= Date.parse(from);

const ofRequest: Tests<ApiRequest> = {
  request_id: ({ id }, value) => id === value,
  status: ({ status }, value) =>
    value.endsWith('xx') ? String(status)[0] === value[0] : String(status) === value,
  method: ({ method }, value) => method === value,
  path: ({ path }, value) => path.startsWith(value),
  code: ({ code }, value) => code === value,
  // The key is not in the row: such a call is few, and is found by reading the list again.
  idempotency_key: () => false,
  from: ({ at }, value) => isIn(at, value),
  to: ({ at }, value) => !isIn(at, value),
};

const ofEvent: Tests<PortalEvent> = {
  event_id: ({ id }, value) => id === value,
  type: ({ type }, value) => type === value,
  delivery_status: ({ delivery }, value) => delivery.status === value,
  object_id: ({ data }, value) => data.object.id === value,
  request_id: ({ request_id }, value) => request_id === value,
  from: ({ created_at }, value) => isIn(created_at, value),
  to: ({ created_at }, value) => !isIn(created_at, value),
};

const meets =
  <Item>(tests: Tests<Item>) =>
  (item: Item, values: Values): boolean =>
    Object.entries(values).every(([name, value]) => tests[name]?.(item, value) ?? true);

export const requestMeets = meets(ofRequest);
export const eventMeets = meets(ofEvent);
