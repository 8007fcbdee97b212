import type { Check } from '../check.ts';
import type { ExpectedEntry } from './expected.ts';
import { payeeFees, payerFees } from './holds.ts';
import { disputeMovements } from './movements_disputes.ts';

const held = `(p.amount + ${payerFees})`;
const isPaid = `p.source = 'balance' and p.status in ('completed', 'partially_refunded', 'refunded')`;
const isReleased = `p.source = 'balance' and p.status in ('failed', 'canceled')`;

const hold = { when: `p.source = 'balance'`, step: 'payment_held', account: 'p.payer_account_id' };
const release = { when: isReleased, step: 'payment_released', account: 'p.payer_account_id' };
const complete = { when: isPaid, step: 'payment_completed' };
const isPaidByBank = `p.source = 'bank_account' and p.status in ('completed', 'partially_refunded', 'refunded')`;
const byBank = { when: isPaidByBank, step: 'pay_by_bank_completed' };
const settle = { when: `p.status = 'settled'`, step: 'load_settled' };

const payments: readonly ExpectedEntry[] = [
  { ...hold, pocket: 'available', delta: `-${held}` },
  { ...hold, pocket: 'pending_outgoing', delta: held },
  { ...release, pocket: 'available', delta: held },
  { ...release, pocket: 'pending_outgoing', delta: `-${held}` },
  {
    ...complete,
    pocket: 'pending_outgoing',
    account: 'p.payer_account_id',
    delta: `-${held}`,
    transaction: { amount: 'p.amount', fee: payerFees },
  },
  {
    ...complete,
    pocket: 'available',
    account: 'p.payee_account_id',
    delta: `(p.amount - ${payeeFees})`,
    transaction: { amount: 'p.amount', fee: payeeFees },
  },
  { ...complete, pocket: 'fees_platform', account: null, delta: 'p.platform_fee' },
  { ...complete, pocket: 'fees_tenant', account: null, delta: 'p.tenant_fee' },
  {
    ...byBank,
    pocket: 'cash',
    account: null,
    delta: `-(p.amount - ${payeeFees} + p.platform_fee + p.tenant_fee)`,
  },
  {
    ...byBank,
    pocket: 'available',
    account: 'p.payee_account_id',
    delta: `(p.amount - ${payeeFees})`,
    transaction: { amount: 'p.amount', fee: payeeFees },
  },
  { ...byBank, pocket: 'fees_platform', account: null, delta: 'p.platform_fee' },
  { ...byBank, pocket: 'fees_tenant', account: null, delta: 'p.tenant_fee' },
];

const withdrawn = { when: 'true', step: 'withdrawal_held', account: 'p.account_id' };
const returned = {
  when: `p.status = 'failed'`,
  step: 'withdrawal_released',
  account: 'p.account_id',
};
const sent = { when: `p.status = 'settled'`, step: 'withdrawal_settled' };

const withdrawals: readonly ExpectedEntry[] = [
  { ...withdrawn, pocket: 'available', delta: '-p.amount' },
  { ...withdrawn, pocket: 'pending_outgoing', delta: 'p.amount' },
  { ...returned, pocket: 'available', delta: 'p.amount' },
  { ...returned, pocket: 'pending_outgoing', delta: '-p.amount' },
  {
    ...sent,
    pocket: 'pending_outgoing',
    account: 'p.account_id',
    delta: '-p.amount',
    transaction: { amount: 'p.amount', fee: '0' },
  },
  { ...sent, pocket: 'cash', account: null, delta: 'p.amount' },
];

/** A failed refund may never have held money: the journal says whether it did. */
const wasHeld = `exists (select from entries x where x.tenant_id = p.tenant_id and x.source_id = p.id
  and x.step = 'refund_held')`;
const holdRefund = {
  when: `(p.held_cents > 0 or p.status in ('processing', 'completed') or ${wasHeld})`,
  step: 'refund_held',
  account: 'p.merchant_account_id',
};
const releaseRefund = {
  when: `(p.status = 'failed' and (${wasHeld} or p.dispute_cents > 0))`,
  step: 'refund_released',
  account: 'p.merchant_account_id',
};
const isRefunded = (destination: string) =>
  `p.status = 'completed' and p.destination = '${destination}'`;
const toBalance = { when: isRefunded('balance'), step: 'refund_completed_balance' };
const toBank = { when: isRefunded('bank_account'), step: 'refund_completed_bank' };
const refundSent = {
  pocket: 'earmarked',
  account: 'p.merchant_account_id',
  delta: '-p.amount',
  transaction: { amount: 'p.amount', fee: '0' },
};

const refunds: readonly ExpectedEntry[] = [
  // Money from a dispute's earmark is earmarked already, and goes back there (rules/refunds#15).
  { ...holdRefund, pocket: 'available', delta: '-(p.amount - p.dispute_cents)' },
  { ...holdRefund, pocket: 'earmarked', delta: '(p.amount - p.dispute_cents)' },
  { ...releaseRefund, pocket: 'available', delta: '(p.amount - p.returned_cents)' },
  { ...releaseRefund, pocket: 'earmarked', delta: '-(p.amount - p.returned_cents)' },
  { ...toBalance, ...refundSent },
  {
    ...toBalance,
    pocket: 'available',
    account: 'p.payer_account_id',
    delta: 'p.amount',
    transaction: { amount: 'p.amount', fee: '0' },
  },
  { ...toBank, ...refundSent },
  { ...toBank, pocket: 'cash', account: null, delta: 'p.amount' },
];

const loads: readonly ExpectedEntry[] = [
  { ...settle, pocket: 'cash', account: null, delta: '-p.amount' },
  {
    ...settle,
    pocket: 'available',
    account: 'p.account_id',
    delta: 'p.amount',
    transaction: { amount: 'p.amount', fee: '0' },
  },
];

const isAsSaid = ({ when, step, pocket, account, delta, transaction }: ExpectedEntry) =>
  `when e.step = '${step}' and e.pocket = '${pocket}' then ${when} and e.delta = ${delta}
    and e.account_id is not distinct from ${account ?? 'null'}
    and e.amount is not distinct from ${transaction?.amount ?? 'null'}
    and e.fee_amount is not distinct from ${transaction?.fee ?? 'null'}`;

/** Entries of zero are not posted, except where they are a Transaction (rules/ledger#6). */
const isWritten = ({ when, delta, transaction }: ExpectedEntry) =>
  transaction ? `(${when})::integer` : `(${when} and ${delta} <> 0)::integer`;

/** The entries of a record are exactly those that its state requires. */
function movementsCheck(kind: string, table: string, expected: readonly ExpectedEntry[]): Check {
  const count = expected.map(isWritten).join(' + ');
  return {
    name: `1.${table}`,
    clause: `the journal has exactly the movements that the ${table} require`,
    sql: `select e.tenant_id, '${kind}' as kind, e.source_id as id,
        format('%s: %s to %s is not what the ${kind} says', e.step, e.delta, e.pocket) as message
      from entries e left join ${table} p on p.tenant_id = e.tenant_id and p.id = e.source_id
      where e.source_type = '${kind}'
        and not coalesce(case ${expected.map(isAsSaid).join('\n')} else false end, false)
      union all
      select p.tenant_id, '${kind}', p.id,
        format('%s with %s entries of %s', p.status, coalesce(e.written, 0), ${count})
      from ${table} p left join (select tenant_id, source_id, count(*) as written from entries
        where source_type = '${kind}' group by tenant_id, source_id) e
        on e.tenant_id = p.tenant_id and e.source_id = p.id
      where coalesce(e.written, 0) <> ${count}`,
  };
}

/** Records and journal agree (rules/ledger#7). */
export const movementsChecks: readonly Check[] = [
  movementsCheck('payment', 'payments', payments),
  movementsCheck('load', 'loads', loads),
  movementsCheck('withdrawal', 'withdrawals', withdrawals),
  movementsCheck('refund', 'refunds', refunds),
  movementsCheck('dispute', 'disputes', disputeMovements),
];
