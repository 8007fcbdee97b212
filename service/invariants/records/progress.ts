import type { Check } from '../check.ts';

/** The rule of a status for times and codes in the same row; `wrong` is the condition on a row. */
interface Rule {
  readonly table: string;
  readonly kind: string;
  readonly what: string;
  readonly clause: string;
  readonly wrong: string;
}

const rules: readonly Rule[] = [
  {
    table: 'payments',
    kind: 'payment',
    what: 'times',
    clause: 'completed_at is set where the payee was credited; created <= confirmed <= completed',
    wrong: `(completed_at is not null) <> (status in ('completed', 'partially_refunded', 'refunded'))
      or (completed_at is not null and confirmed_at is null)
      or (status = 'requires_confirmation' and confirmed_at is not null)
      or (status = 'processing' and (confirmed_at is null or source <> 'bank_account'))
      or confirmed_at < created_at or completed_at < confirmed_at or completed_at > updated_at`,
  },
  {
    table: 'payments',
    kind: 'payment',
    what: 'failure_code',
    clause: 'a failed payment has a failure code, a canceled one may, no other has',
    wrong: `case status when 'failed' then failure_code is null
      when 'canceled' then failure_code <> 'confirmation_declined'
      else failure_code is not null end`,
  },
  {
    table: 'loads',
    kind: 'load',
    what: 'times',
    clause: 'settled_at is set where the account was credited; created <= confirmed <= settled',
    wrong: `(settled_at is not null) <> (status = 'settled')
      or (status in ('processing', 'settled')) > (confirmed_at is not null)
      or (status = 'requires_confirmation' and confirmed_at is not null)
      or confirmed_at < created_at or settled_at < confirmed_at or settled_at > updated_at`,
  },
  {
    table: 'loads',
    kind: 'load',
    what: 'failure_code',
    clause: 'a failed load has a failure code, no other has',
    wrong: `(status = 'failed') <> (failure_code is not null)`,
  },
  {
    table: 'withdrawals',
    kind: 'withdrawal',
    what: 'times',
    clause: 'settled_at is set where the money was sent; a payout has no confirmation',
    wrong: `(settled_at is not null) <> (status = 'settled')
      or (is_payout and (confirmed_at is not null or session_id is not null or counted_day is not null))
      or (not is_payout and (session_id is null or counted_day is null
        or (status in ('processing', 'settled') and confirmed_at is null)))
      or (status = 'requires_confirmation' and (confirmed_at is not null or is_payout))
      or confirmed_at < created_at or settled_at < confirmed_at or settled_at > updated_at`,
  },
  {
    table: 'withdrawals',
    kind: 'withdrawal',
    what: 'failure_code',
    clause: 'a failed withdrawal has a failure code, no other has',
    wrong: `(status = 'failed') <> (failure_code is not null)`,
  },
  {
    table: 'refunds',
    kind: 'refund',
    what: 'times',
    clause: 'completed_at is set where the payer was paid; a waiting one has the time since when',
    wrong: `(completed_at is not null) <> (status = 'completed')
      or (status = 'requested' and confirmed_at is not null)
      or (status in ('pending_funds', 'processing', 'completed') and confirmed_at is null)
      or (status = 'pending_funds' and waiting_since is null)
      or confirmed_at < created_at or completed_at < confirmed_at or completed_at > updated_at`,
  },
  {
    table: 'refunds',
    kind: 'refund',
    what: 'failure_code',
    clause: 'a failed refund has a failure code, no other has',
    wrong: `(status = 'failed') <> (failure_code is not null)`,
  },
  {
    table: 'disputes',
    kind: 'dispute',
    what: 'times',
    clause: 'outcome and resolved_at are set once it has resolved; a credit shows its amount',
    wrong: `(resolved_at is not null) <> (status in ('resolved', 'closed'))
      or (outcome is not null) <> (status in ('resolved', 'closed'))
      or (status in ('received', 'investigating') and provisional_credit_amount is not null)
      or (status = 'provisional_credit' and provisional_credit_amount is null)
      or notice_received_at > created_at or resolved_at < created_at or resolved_at > updated_at`,
  },
  {
    table: 'linked_accounts',
    kind: 'linked_account',
    what: 'failure_code',
    clause: 'a failed link has a failure code; one that may still succeed, or did, has none',
    wrong: `(status = 'failed' and failure_code is null)
      or (status in ('pending', 'held_for_review', 'verified') and failure_code is not null)`,
  },
  {
    table: 'linked_accounts',
    kind: 'linked_account',
    what: 'capabilities',
    clause: 'all capabilities are false unless the link is verified',
    wrong: `status <> 'verified' and (can_withdraw or can_load or can_pay_by_bank)`,
  },
];

/** Status, times and codes of a record agree (rules/invariants#6). */
export const progressChecks: readonly Check[] = rules.map(
  ({ table, kind, what, clause, wrong }) => ({
    name: `6.${table}.${what}`,
    clause,
    sql: `select tenant_id, '${kind}' as kind, id,
      format('%s, version %s: ${what} do not fit', status, version) as message
    from ${table} where ${wrong}`,
  }),
);
