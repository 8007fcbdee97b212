import { randomUUID as newId } from 'node:crypto';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { BankOutcome, FactResult } from '../../../../service/rails/facts.ts';
import type { Choices } from '../../../kit/seed.ts';
import type { Model } from '../model.ts';
import { isSent, type ModelTarget } from '../types.ts';
import { allOf } from './money.ts';
import { latest, type Play } from './move.ts';

/** As the network says it: a payer refused, an account is closed. */
const reasons = { load: 'CUST', payment: 'CUST', withdrawal: 'AC04', refund: 'AC04' } as const;

const arrived: readonly string[] = ['settled', 'completed', 'partially_refunded', 'refunded'];

/** Only a Request for Payment brings money. */
const brings = ({ kind }: ModelTarget): boolean => kind === 'load' || kind === 'payment';

/** What the service should make of it (service/rails/facts.ts, FactResult). */
function verdictOf(
  model: Model,
  target: ModelTarget,
  told: BankOutcome,
  nowMs: number,
): FactResult {
  if (told.outcome === 'failed') {
    if (model.answer(target, false, nowMs) === 'done') return 'taken';
    return target.status === 'failed' ? 'known' : 'contradiction';
  }
  const isExact = told.amount === target.amount;
  const isOver = !isSent(target) && !arrived.includes(target.status);
  if (isExact && !isOver) return model.answer(target, true, nowMs) === 'done' ? 'taken' : 'known';
  if (!brings(target)) return isExact ? 'contradiction' : 'amount_mismatch';
  if (target.oddMoney.has(told.amount)) return 'known';
  target.oddMoney.add(told.amount);
  return isOver ? 'late' : 'amount_mismatch';
}

function wordsOf(choices: Choices, { kind, amount }: ModelTarget): BankOutcome {
  if (choices.percent(35)) return { outcome: 'failed', reason: reasons[kind] };
  return { outcome: 'settled', amount: choices.percent(85) ? amount : amount + 1 };
}

/**
 * A callback of the bank, by the door that its rail uses: late, doubled, after its contrary, or of
 * another amount. Of what the bank never had there is none.
 */
export const callBack: Play = async ({ model, sender, bank }, choices, nowMs) => {
  const all = allOf(model);
  const target = latest(choices, choices.percent(60) ? all.filter(isSent) : all, 60);
  if (!target) return null;
  const [order] = await sender.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuidOf(target.kind, target.id),
  );
  if (!order) return null;
  const told = wordsOf(choices, target);
  const fact = { id: newId(), orderId: order.id, ...told };
  const expected = verdictOf(model, target, told, nowMs);
  const actual = await bank(fact);
  const twice = choices.percent(25) ? await bank(fact) : expected;
  return {
    told: `the bank says ${JSON.stringify(told)} of ${target.id}`,
    expected: `${expected} ${expected}`,
    actual: `${actual} ${twice}`,
    people: [target.customer],
    stages: true,
  };
};
