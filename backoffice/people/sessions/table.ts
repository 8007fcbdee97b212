import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { openings } from '../../contract/people/session.ts';

export const endReasons = [
  'signed_out',
  'replaced',
  'ended_by_person',
  'ended_by_admin',
  'roles_changed',
  'recovery_code',
  'passkeys_reset',
  'disabled',
  'single_sign_on_changed',
  'expired',
] as const;
export type EndReason = (typeof endReasons)[number];

/** A person has thousands of old ones; those that expire are ended by the sweep. */
const open = 't.ended_at is null';

/** Sessions of people (rules/sign-in#7). One that is over stays, with `ended_at`. */
export const sessions = table({
  name: 'control.sessions',
  of: 'platform',
  key: ['id'],
  unique: { token: ['token_hash'] },
  sets: ['person_id', 'only_scope'],
  setOnly: { person_id: open, only_scope: open },
  columns: {
    id: column.uuid,
    token_hash: column.text,
    person_id: column.uuid,
    /** The scope where it acts; null: its person holds no role. */
    scope: orNull(column.text),
    opened_by: words(openings),
    wants_passkey: column.boolean,
    created_at: column.instant,
    last_used_at: column.instant,
    expires_at: column.instant,
    stepped_up_at: orNull(column.instant),
    address: column.text,
    browser: column.text,
    ended_at: orNull(column.instant),
    end_reason: orNull(words(endReasons)),
    only_scope: orNull(column.text),
    visit_id: orNull(column.uuid),
    last_address: column.text,
    last_browser: column.text,
    moved_at: orNull(column.instant),
  },
  frozen: [
    'person_id',
    'opened_by',
    'created_at',
    'expires_at',
    'address',
    'browser',
    'only_scope',
  ],
  audited: ({ id, person_id, scope, opened_by, visit_id, ended_at, end_reason }) => ({
    id,
    person_id,
    scope,
    opened_by,
    visit_id,
    ended_at,
    end_reason,
  }),
});
export type SessionRow = RowOf<typeof sessions>;
