import type { Check } from './check.ts';
import { payeeFees, payerFees } from './holds.ts';

/**
 * What a record's status says was posted, as rows `(step, account_id, pocket, delta, amount, fee)`.
 * `when` is the condition on the record `p`; amount and fee are null where no Transaction is posted.
 */
interface Expected {
  readonly when: string;
  readonly rows: readonly string[];
}

const paid = `p.status in ('completed', 'partially_refunded', 'refunded')`;
const held = `p.amount + ${payerFees}`;
const none = 'null::bigint, null::bigint';

const payments: readonly Expected[] = [
  {
    when: `p.source = 'balance'`,
    rows: [
      `('payment_held', p.payer_account_id, 'available', -(${held}), ${none})`,
      `('payment_held', p.payer_account_id, 'pending_outgoing', ${held}, ${none})`,
    ],
  },
  {
    when: `p.source = 'balance' and p.status in ('failed', 'canceled')`,
    rows: [
      `('payment_released', p.payer_account_id, 'available', ${held}, ${none})`,
      `('payment_released', p.payer_account_id, 'pending_outgoing', -(${held}), ${none})`,
    ],
  },
  {
    when: `p.source = 'balance' and ${paid}`,
    rows: [
      `('payment_completed', p.payer_account_id, 'pending_outgoing', -(${held}), p.amount, ${payerFees})`,
      `('payment_completed', p.payee_account_id, 'available', p.amount - ${payeeFees}, p.amount, ${payeeFees})`,
      `('payment_completed', null, 'fees_platform', p.platform_fee, ${none})`,
      `('payment_completed', null, 'fees_tenant', p.tenant_fee, ${none})`,
    ],
  },
];

const loads: readonly Expected[] = [
  {
    when: `p.status = 'settled'`,
    rows: [
      `('load_settled', null, 'cash', -p.amount, ${none})`,
      `('load_settled', p.account_id, 'available', p.amount, p.amount, 0)`,
    ],
  },
];

/** The journal less what the records say: what is left over is missing, wrong or too much. */
function movementsCheck(kind: string, table: string, expected: readonly Expected[]): Check {
  const said = expected.map(
    ({ when, rows }) => `union all select p.tenant_id, p.id, e.step, e.account_id, e.pocket,
      -e.delta, -e.amount, -e.fee from ${table} p cross join lateral (values ${rows.join(',\n')})
      e(step, account_id, pocket, delta, amount, fee) where ${when}`,
  );
  return {
    name: `1.${table}`,
    clause: `the journal holds the movements that the ${table} say, and no other of theirs`,
    sql: `select tenant_id, '${kind}' as kind, id, format('%s: %s is off by %s', step, pocket,
        coalesce(nullif(sum(delta), 0), nullif(sum(amount), 0), sum(fee))) as message
      from (select tenant_id, source_id as id, step, account_id, pocket, delta, amount,
        fee_amount as fee from entries where source_type = '${kind}' ${said.join('\n')}) both_sides
      group by tenant_id, id, step, account_id, pocket
      having sum(delta) <> 0 or sum(amount) <> 0 or sum(fee) <> 0`,
  };
}

/** Record and journal tell the same story (decisions 1.1, postings; 2.2). */
export const movementsChecks: readonly Check[] = [
  movementsCheck('payment', 'payments', payments),
  movementsCheck('load', 'loads', loads),
];
