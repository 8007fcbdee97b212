import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';

/** An owner's consents. Of a scope one is open at a time: a unique index holds it. */
export const supportConsents = table({
  name: 'control.support_consents',
  of: 'platform',
  key: ['id'],
  sets: ['scope'],
  setOnly: { scope: 't.is_open' },
  columns: {
    id: column.uuid,
    scope: column.text,
    note: column.text,
    /** Null: a program. */
    given_by: orNull(column.uuid),
    created_at: column.instant,
    expires_at: column.instant,
    ended_at: orNull(column.instant),
    /** Neither ended nor followed by another; it may have expired. */
    is_open: column.boolean,
  },
  frozen: ['scope', 'note', 'given_by', 'created_at', 'expires_at'],
  audited: ({ id, scope, expires_at, ended_at }) => ({ id, scope, expires_at, ended_at }),
});
export type ConsentRow = RowOf<typeof supportConsents>;

/** The visits of staff by a consent. */
export const supportVisits = table({
  name: 'control.support_visits',
  of: 'platform',
  key: ['id'],
  columns: {
    id: column.uuid,
    consent_id: column.uuid,
    scope: column.text,
    person_id: column.uuid,
    session_id: column.uuid,
    entered_at: column.instant,
    until: column.instant,
    left_at: orNull(column.instant),
  },
  frozen: ['consent_id', 'scope', 'person_id', 'session_id', 'entered_at', 'until'],
  audited: ({ id, consent_id, scope, person_id, until, left_at }) => ({
    id,
    consent_id,
    scope,
    person_id,
    until,
    left_at,
  }),
});
