import type { StoredSettings } from './settings.ts';
import type { AnyTable, RowOf } from './table.ts';
import type { tenants } from './tenant.ts';

/** The platform as a Tenant of the engine: whose rows belong to no Tenant are its own (rules/engine#36). */
export const platformId = '00000000-0000-0000-0000-000000000000';

/** The scope of the platform in the audit. */
export const platformScope = 'platform';

/** The platform's row, which no table holds: real time, no settings of its own, and nobody is sent its events. */
export const platformRow: RowOf<typeof tenants> = {
  name: 'Platform',
  settings: {} as unknown as StoredSettings,
  clock_offset_ms: 0,
  clock_target: null,
  clock_at: null,
  delivers: false,
  delivers_to: null,
  token_epoch: 0,
  suspended_at: null,
  suspended_reason: null,
  version_floor: 0,
  created_at: '1970-01-01T00:00:00.000Z',
};

/** The owner of the rows that a command reads and makes in a table: its Tenant or the platform. */
export const ownerOf = ({ of }: AnyTable, tenantId: string): string =>
  of === 'platform' ? platformId : tenantId;

/** In whose chain of the audit an act of this Tenant stands. */
export const scopeOf = (tenantId: string): string =>
  tenantId === platformId ? platformScope : tenantId;
