import type { Check } from './check.ts';

/** Something that time must bring while `when` holds for a record, at `at` if that is known. */
interface Duty {
  readonly name: string;
  readonly what: string;
  readonly table: string;
  readonly kind: string;
  readonly when: string;
  readonly at?: string;
}

const duties: readonly Duty[] = [
  {
    name: '9.end_due',
    what: 'session_end',
    table: 'sessions',
    kind: 'session',
    when: `status = 'created'`,
    at: 'ends_at',
  },
  {
    name: '8.expiry_due',
    what: 'payment_request_expiry',
    table: 'payment_requests',
    kind: 'payment_request',
    when: `status = 'open' and expires_at is not null`,
    at: 'expires_at',
  },
  {
    name: '9.timeout_due',
    what: 'load_timeout',
    table: 'loads',
    kind: 'load',
    when: `status = 'processing'`,
  },
  {
    name: '9.hold_due',
    what: 'withdrawal_hold',
    table: 'linked_accounts',
    kind: 'linked_account',
    when: `status = 'verified' and withdrawal_hold_until is not null`,
    at: 'withdrawal_hold_until',
  },
  {
    name: '9.instruction_due',
    what: 'instruction',
    table: 'instructions',
    kind: 'instruction',
    when: `status = 'waiting'`,
  },
];

/**
 * A record that waits has its due row, and none has one that waits no more: a row that was lost
 * would leave it waiting for ever (decisions 2.5).
 */
export const dutiesChecks: readonly Check[] = duties.map(
  ({ name, what, table, kind, when, at }) => ({
    name,
    clause: `${what} is due for ${table} where ${when}${at ? `, at ${at}` : ''}, and for no other`,
    sql: `select tenant_id, '${kind}' as kind, id, case when waiting is null then '${what} is due for nothing'
      else format('${what} due %s', coalesce(d.due_at::text, 'never')) end as message
    from (select tenant_id, id, ${at ?? 'null::timestamptz'} as due_at, true as waiting
      from ${table} where ${when}) r
    full join (select tenant_id, ref as id, due_at from due where what = '${what}') d
      using (tenant_id, id)
    where waiting is null or d.due_at is null or d.due_at <> r.due_at`,
  }),
);
