import { expect, test } from 'vitest';
import { type Behaviour, type Fault, faultNames, type Kind, type Terms } from '../book/types.ts';
import { planOf } from './plan.ts';

const termsOf = (kind: Kind) => ({ kind, purpose: 'load', amount: 5 }) as Terms;
const behaviourOf = (given: Partial<Behaviour>): Behaviour => ({
  seed: 7,
  answer_after_ms: 10,
  late_ms: 1_000,
  answers: {},
  faults: {},
  ...given,
});
const actsOf = (kind: Kind, given: Partial<Behaviour>) =>
  planOf(termsOf(kind), 0, behaviourOf(given)).steps.map(({ act }) => act);

test('an order that meets nothing is settled, and a request is accepted before', () => {
  expect(actsOf('request_for_payment', {})).toEqual(['accept', 'settle']);
  expect(actsOf('credit_transfer', {})).toEqual(['settle']);
  expect(actsOf('credit_transfer', { answers: { return: 1 } })).toEqual(['settle', 'return']);
  expect(actsOf('internal_transfer', { answers: { return: 1 } })).toEqual(['settle']);
  expect(actsOf('credit_transfer', { answers: { fail: 1 } })).toEqual(['fail']);
});

test('the same orders meet the same, and shares are met by as many as they say', () => {
  const faults = Object.fromEntries(faultNames.map((name) => [name, 0.1]));
  const plansOf = (seed: number) =>
    Array.from({ length: 500 }, (_, before) =>
      planOf(termsOf('credit_transfer'), before, behaviourOf({ seed, faults })),
    );
  expect(plansOf(1)).toEqual(plansOf(1));
  expect(plansOf(1).map(({ steps }) => steps)).not.toEqual(plansOf(2).map(({ steps }) => steps));
  const lost = plansOf(1).filter(({ delivery }) => delivery === 'lost').length;
  // 0.1 of 500, and more than four deviations around it.
  expect(lost).toBeGreaterThan(20);
  expect(lost).toBeLessThan(80);
});

test('a fault of the settlement leaves an order that fails as it is', () => {
  for (const fault of ['contradictory', 'wrong_amount'] satisfies Fault[])
    expect(actsOf('credit_transfer', { answers: { fail: 1 }, faults: { [fault]: 1 } })).toEqual([
      'fail',
    ]);
});
