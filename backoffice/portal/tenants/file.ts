import type { TenantFigures } from '../../contract/operate/tenant_figures.ts';
import { type CsvColumn, dollars } from '../../files/list_file.ts';

/** Tenants that are asked about at once: each has a clock of its own. */
const rowsAtOnce = 100;

/** The Tenants with their last 24 hours as a file. */
export const tenantFile = {
  name: 'tenants',
  columns: [
    { name: 'Tenant', cell: ({ name }) => name },
    { name: 'State', cell: ({ suspended_at }) => (suspended_at === null ? 'active' : 'suspended') },
    { name: 'Payments', cell: ({ last_day }) => last_day.payments },
    { name: 'Volume', cell: ({ last_day }) => dollars(last_day.volume) },
    { name: 'Requests', cell: ({ last_day }) => last_day.requests },
    { name: 'Refused', cell: ({ last_day }) => last_day.refused },
    { name: 'Failed', cell: ({ last_day }) => last_day.failed },
    { name: 'Notices', cell: ({ notices }) => notices.total },
    { name: 'Purchase disputes', cell: ({ notices }) => notices.purchase_disputes },
    { name: 'Endpoint', cell: ({ endpoint }) => endpoint.host },
    { name: 'Created', cell: ({ created_at }) => created_at },
    { name: 'Id', cell: ({ id }) => id },
  ] satisfies CsvColumn<TenantFigures>[],
  rowsOf: async (_: unknown, tenants: object[]) => tenants as TenantFigures[],
  rowsAtOnce,
};
