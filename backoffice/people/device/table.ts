import { roles } from '@tenant-payments/contract/core/roles.ts';
import {
  column,
  orNull,
  type RowOf,
  table,
  wordLists,
  words,
} from '@tenant-payments/engine/table.ts';

/** Programs that ask for a key. One whose key was fetched stays until it has expired, with `fetched_at`. */
export const deviceSignIns = table({
  name: 'control.device_sign_ins',
  of: 'platform',
  key: ['id'],
  unique: { device_code: ['device_code_hash'] },
  columns: {
    id: column.uuid,
    device_code_hash: column.text,
    user_code_index: column.text,
    client_name: column.text,
    client_address: column.text,
    asked_roles: wordLists(roles),
    created_at: column.instant,
    expires_at: column.instant,
    interval_seconds: column.integer,
    polled_at: orNull(column.instant),
    status: words(['waiting', 'approved', 'denied']),
    person_id: orNull(column.uuid),
    decided_at: orNull(column.instant),
    scope: orNull(column.text),
    roles: orNull(wordLists(roles)),
    key_expires_at: orNull(column.instant),
    fetched_at: orNull(column.instant),
  },
  frozen: [
    'device_code_hash',
    'user_code_index',
    'client_name',
    'client_address',
    'asked_roles',
    'created_at',
    'expires_at',
  ],
  audited: ({ id, status, person_id, scope, roles, key_expires_at }) => ({
    id,
    status,
    person_id,
    scope,
    roles,
    key_expires_at,
  }),
});
export type DeviceRow = RowOf<typeof deviceSignIns>;

/** The columns that an approval has filled in. */
type Filled = 'person_id' | 'decided_at' | 'scope' | 'roles' | 'key_expires_at';
export type Approved = DeviceRow & { readonly [K in Filled]: NonNullable<DeviceRow[K]> };

export const isApproved = (row: DeviceRow): row is Approved => row.status === 'approved';
