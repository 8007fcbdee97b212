import { roles } from '@tenant-payments/contract/core/roles.ts';
import {
  column,
  orNull,
  type RowOf,
  table,
  wordLists,
  words,
} from '@tenant-payments/engine/table.ts';

/** Invitations to a scope, and links that replace the passkeys of a person. */
export const invitations = table({
  name: 'control.invitations',
  of: 'platform',
  key: ['id'],
  unique: { token: ['token_hash'] },
  sets: ['email'],
  columns: {
    id: column.uuid,
    kind: words(['join', 'reset']),
    scope: column.text,
    email: column.text,
    roles: wordLists(roles),
    token_hash: column.text,
    /** By kind and id. */
    invited_by: column.text,
    /** The person behind it; null: nobody, such as the command line. */
    invited_person: orNull(column.text),
    created_at: column.instant,
    expires_at: column.instant,
    accepted_at: orNull(column.instant),
    revoked_at: orNull(column.instant),
  },
  frozen: [
    'kind',
    'scope',
    'email',
    'roles',
    'token_hash',
    'invited_by',
    'invited_person',
    'created_at',
    'expires_at',
  ],
  audited: ({ id, kind, scope, roles, expires_at, accepted_at, revoked_at }) => ({
    id,
    kind,
    scope,
    roles,
    expires_at,
    accepted_at,
    revoked_at,
  }),
});
export type InvitationRow = RowOf<typeof invitations>;
