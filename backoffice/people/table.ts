import { roles } from '@tenant-payments/contract/core/roles.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** People of the portal and the console. The audit names them by their id alone. */
export const people = table({
  name: 'control.people',
  of: 'platform',
  key: ['id'],
  unique: { email: ['email'] },
  columns: {
    id: column.uuid,
    email: column.text,
    name: column.text,
    passkey_handle: column.text,
    created_at: column.instant,
    disabled_at: orNull(column.instant),
    invited_by: orNull(column.text),
  },
  frozen: ['email', 'name', 'passkey_handle', 'created_at', 'invited_by'],
  audited: ({ id, disabled_at, invited_by }) => ({ id, disabled_at, invited_by }),
});
export type PersonRow = RowOf<typeof people>;

/**
 * The roles that people hold, by scope. One that is taken away stays, with `ended_at`: the view `control.roles` is
 * without it.
 */
export const roleGrants = table({
  name: 'control.role_grants',
  of: 'platform',
  key: ['scope', 'person_id', 'role'],
  sets: ['scope', 'person_id'],
  columns: {
    scope: column.text,
    person_id: column.uuid,
    role: words(roles),
    granted_at: column.instant,
    granted_by: orNull(column.text),
    /** Given by the command line before there was a second admin (rules/approvals#20). */
    bootstrap: column.boolean,
    ended_at: orNull(column.instant),
  },
  audited: ({ scope, person_id, role, granted_at, granted_by, bootstrap, ended_at }) => ({
    scope,
    person_id,
    role,
    granted_at,
    granted_by,
    bootstrap,
    ended_at,
  }),
});
export type RoleGrantRow = RowOf<typeof roleGrants>;
