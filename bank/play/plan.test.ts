import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Behaviour, type Fault, faultNames, type Kind, type Terms } from '../book/types.ts';
import { planOf } from './plan.ts';

const termsOf = (kind: Kind) => ({ kind }) as Terms;
const behaviourOf = (given: Partial<Behaviour>): Behaviour => ({
  seed: 7,
  answer_after_ms: 10,
  late_ms: 1_000,
  answers: {},
  faults: {},
  ...given,
});
const actsOf = (kind: Kind, given: Partial<Behaviour>, id = randomUUID()) =>
  planOf(id, termsOf(kind), behaviourOf(given)).steps.map(({ act }) => act);

test('an order that meets nothing is settled, and a request is accepted before', () => {
  expect(actsOf('request_for_payment', {})).toEqual(['accept', 'settle']);
  expect(actsOf('credit_transfer', {})).toEqual(['settle']);
  expect(actsOf('credit_transfer', { answers: { return: 1 } })).toEqual(['settle', 'return']);
  expect(actsOf('internal_transfer', { answers: { return: 1 } })).toEqual(['settle']);
  expect(actsOf('credit_transfer', { answers: { fail: 1 } })).toEqual(['fail']);
});

test('the same seed and order meet the same, and shares are met by as many as they say', () => {
  const faults = Object.fromEntries(faultNames.map((name) => [name, 0.1]));
  const plan = (id: string, seed: number) =>
    planOf(id, termsOf('credit_transfer'), behaviourOf({ seed, faults, answers: { fail: 0.3 } }));
  const ids = Array.from({ length: 500 }, () => randomUUID());
  expect(ids.map((id) => plan(id, 1))).toEqual(ids.map((id) => plan(id, 1)));
  expect(ids.map((id) => plan(id, 1))).not.toEqual(ids.map((id) => plan(id, 2)));
  // 0.1 of 500, and more than five deviations around it.
  const lost = ids.filter((id) => plan(id, 1).delivery === 'lost').length;
  expect(lost).toBeGreaterThan(15);
  expect(lost).toBeLessThan(85);
});

test('a fault of the settlement leaves an order that fails as it is', () => {
  for (const fault of ['contradictory', 'wrong_amount'] satisfies Fault[])
    expect(actsOf('credit_transfer', { answers: { fail: 1 }, faults: { [fault]: 1 } })).toEqual([
      'fail',
    ]);
});
