import { createHash } from 'node:crypto';
import type { Behaviour, Fault, Kind, Plan, Step, Terms } from '../book/types.ts';

/** A number from 0 to 1 that seed, key and question alone decide. */
export function draw(seed: number, key: string, question: string): number {
  const digest = createHash('sha256').update(`${seed} ${key} ${question}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** The share that a number falls into; null: none. */
function pick<Name extends string>(
  shares: Readonly<Partial<Record<Name, number>>>,
  drawn: number,
): Name | null {
  let sum = 0;
  for (const [name, share] of Object.entries<number | undefined>(shares)) {
    sum += share ?? 0;
    if (drawn < sum) return name as Name;
  }
  return null;
}

interface Drawn {
  readonly kind: Kind;
  readonly lateMs: number;
  readonly draw: (question: string) => number;
}

type Change = (plan: Plan, drawn: Drawn) => Plan;

/** Puts other steps in the place of the settlement. */
const inPlaceOfSettling = (plan: Plan, steps: (settle: Step) => readonly Step[]): Plan => ({
  ...plan,
  steps: plan.steps.flatMap((step) => (step.act === 'settle' ? steps(step) : [step])),
});

/** The change that each fault makes to a plan. */
const changes: Readonly<Record<Fault, Change>> = {
  late: (plan, { lateMs }) => ({
    ...plan,
    steps: plan.steps.map((step, index) =>
      index === 0 ? { ...step, afterMs: step.afterMs + lateMs } : step,
    ),
  }),
  doubled: (plan) => ({ ...plan, delivery: 'doubled' }),
  reordered: (plan) => ({ ...plan, delivery: 'reversed' }),
  contradictory: (plan, { lateMs, draw }) =>
    inPlaceOfSettling(plan, (settle) =>
      draw('before') < 0.5
        ? [
            { act: 'say_failed', afterMs: settle.afterMs },
            { act: 'settle', afterMs: lateMs },
          ]
        : [settle, { act: 'say_failed', afterMs: lateMs }],
    ),
  wrong_amount: (plan, { kind, lateMs }) =>
    inPlaceOfSettling(plan, ({ afterMs }) =>
      kind === 'request_for_payment'
        ? [{ act: 'pay_other_amount', afterMs }]
        : [
            { act: 'say_other_amount', afterMs },
            { act: 'settle', afterMs: lateMs },
          ],
    ),
  silent: (plan) => ({ ...plan, steps: [] }),
  error_500: (plan) => ({ ...plan, reply: 'error' }),
  timeout: (plan) => ({ ...plan, reply: 'hang' }),
  lost: (plan) => ({ ...plan, delivery: 'lost' }),
};

function stepsOf(kind: Kind, answer: 'fail' | 'return' | null, afterMs: number): readonly Step[] {
  if (answer === 'fail') return [{ act: 'fail', afterMs }];
  const asked = kind === 'request_for_payment';
  const settled: readonly Step[] = asked
    ? [
        { act: 'accept', afterMs },
        { act: 'settle', afterMs: 0 },
      ]
    : [{ act: 'settle', afterMs }];
  // Only what a transfer has sent can come back.
  const comesBack = answer === 'return' && kind === 'credit_transfer';
  return comesBack ? [...settled, { act: 'return', afterMs }] : settled;
}

/**
 * Draws what an order will meet. Its id is no part of it, since the same test orders under other ids the next time.
 * @param before how many orders of this purpose and amount there were
 */
export function planOf(
  { kind, purpose, amount }: Terms,
  before: number,
  behaviour: Behaviour,
): Plan {
  const { seed, answers, faults, answer_after_ms, late_ms } = behaviour;
  const key = `${purpose} ${amount} ${before}`;
  const drawOf = (question: string) => draw(seed, key, question);
  const steps = stepsOf(kind, pick(answers, drawOf('answer')), answer_after_ms);
  const plan: Plan = { key, steps, reply: 'normal', delivery: 'once' };
  const fault = pick(faults, drawOf('fault'));
  return fault ? changes[fault](plan, { kind, lateMs: late_ms, draw: drawOf }) : plan;
}
