import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { column, orNull, type RowOf, table } from './table.ts';

/**
 * A Tenant: its settings and its clock. Every command is proven against this row, so no batch
 * straddles a step of the clock or a change of settings (decisions 2.5).
 */
export const tenants = table({
  name: 'tenants',
  key: [],
  columns: {
    name: column.text,
    settings: column.json as typeof column.json & { is?: Settings },
    clock_offset_ms: column.cents,
    /** Where an advance of the clock is going, and the instant at which it stands meanwhile. */
    clock_target: orNull(column.instant),
    clock_at: orNull(column.instant),
    /** An enabled webhook endpoint exists: events made now are due for delivery. */
    delivers: column.boolean,
    created_at: column.instant,
  },
  frozen: ['created_at'],
});

export type TenantRow = Omit<RowOf<typeof tenants>, 'settings'> & { readonly settings: Settings };
