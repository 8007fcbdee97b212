import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { FurtherEndpoint } from './delivers_to.ts';
import type { StoredSettings } from './settings.ts';
import { type Column, column, orNull, type RowOf, table } from './table.ts';

/**
 * A Tenant: its settings and its clock. Every commit checks this row, so no batch runs across a step
 * of the clock or a change of settings (rules/clock#5).
 */
export const tenants = table({
  name: 'tenants',
  key: [],
  columns: {
    name: column.text,
    settings: column.json as Column<StoredSettings>,
    clock_offset_ms: column.cents,
    /** Target of an advance of the clock, and the instant at which the clock stands meanwhile. */
    clock_target: orNull(column.instant),
    clock_at: orNull(column.instant),
    /** An enabled webhook endpoint exists: new events are to be delivered. */
    delivers: column.boolean,
    /** Enabled endpoints beside the first one, to which new events go as well; null: there are none. */
    delivers_to: orNull(column.json as Column<readonly FurtherEndpoint[]>),
    /** All access tokens of the epochs before have ended. */
    token_epoch: column.integer,
    /** In real time; both are null unless the Tenant is suspended. */
    suspended_at: orNull(column.instant),
    suspended_reason: orNull(column.text),
    /** No version is counted below it, since a restore (rules/restore#13). */
    version_floor: column.integer,
    created_at: column.instant,
  },
  frozen: ['version_floor', 'created_at'],
  audited: ({ suspended_at }) => ({ suspended_at }),
});

/** A Tenant's row with the settings in force. */
export type TenantRow = Omit<RowOf<typeof tenants>, 'settings'> & { readonly settings: Settings };
