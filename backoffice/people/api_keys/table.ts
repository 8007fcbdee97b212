import { roles } from '@tenant-payments/contract/core/roles.ts';
import {
  column,
  orNull,
  type RowOf,
  table,
  wordLists,
  words,
} from '@tenant-payments/engine/table.ts';

/** Keys with which programs call the portal. One that is over stays, with `revoked_at`. */
export const apiKeys = table({
  name: 'control.api_keys',
  of: 'platform',
  key: ['id'],
  columns: {
    id: column.uuid,
    key_hash: column.text,
    scope: column.text,
    name: column.text,
    roles: wordLists(roles),
    person_id: orNull(column.uuid),
    client_id: orNull(column.text),
    made_by: words(['portal', 'device']),
    created_at: column.instant,
    expires_at: column.instant,
    last_used_at: orNull(column.instant),
    revoked_at: orNull(column.instant),
  },
  frozen: [
    'key_hash',
    'scope',
    'name',
    'roles',
    'person_id',
    'client_id',
    'made_by',
    'created_at',
    'expires_at',
  ],
  audited: ({ id, scope, roles, person_id, made_by, created_at, expires_at, revoked_at }) => ({
    id,
    scope,
    roles,
    person_id,
    made_by,
    created_at,
    expires_at,
    revoked_at,
  }),
});
export type ApiKeyRow = RowOf<typeof apiKeys>;
