import { expect, test } from 'vitest';
import { choicesOf, seedOf } from '../../kit/seed.ts';
import { type ProofContext, proofTest, type Verdict } from '../../prove/proof.ts';
import { methodOf, openActor, stepsOf } from './actor.ts';
import type { Rewrite } from './gate.ts';
import { type Explored, explorePair, type Pair } from './pair.ts';
import { accountScenarios } from './scenarios/accounts.ts';
import { bankingScenarios } from './scenarios/banking.ts';
import { customerScenarios } from './scenarios/customers.ts';
import { paymentScenarios } from './scenarios/payments.ts';
import { refundScenarios } from './scenarios/refunds.ts';
import { sessionScenarios } from './scenarios/sessions.ts';
import { type Block, type Lane, openBlock } from './server.ts';

const scenarios = [
  ...paymentScenarios,
  ...bankingScenarios,
  ...refundScenarios,
  ...accountScenarios,
  ...customerScenarios,
  ...sessionScenarios,
];

/** Every operation of every scenario with itself and with each that follows. */
const pairs: readonly Pair[] = scenarios.flatMap((scenario) => {
  const operations = stepsOf(scenario.operations);
  return operations.flatMap((one, index) =>
    operations.slice(index).map((other): Pair => {
      return { name: `${scenario.name}: ${one} x ${other}`, scenario, operations: [one, other] };
    }),
  );
});

/** The interleavings of a block, after which its ledger is verified. */
const blockRounds = 500;
const lanesAtOnce = 3;
const interleavingsOfPair = 10;

interface ExploreOptions {
  readonly seed: number;
  /** Interleavings of each pair. */
  readonly count: number;
  readonly progress?: (done: number) => void;
  /** Breaks what the services send; a test checks that it is found. */
  readonly rewrite?: Rewrite;
}

/** @throws when a step of any scenario names no method, also of those that are not chosen */
function checkSteps({ base }: Block): void {
  const actor = openActor(base, '');
  for (const { setup, operations } of scenarios)
    for (const step of stepsOf(`${setup}, ${operations}`))
      methodOf(actor, step.replace(/^\w+ = /, '').split(' ', 1)[0] ?? '');
}

/** Runs these pairs, and verifies the whole ledger after every 500 interleavings. */
async function explore(
  chosen: readonly Pair[],
  { progress = () => {}, rewrite, ...how }: ExploreOptions,
): Promise<Verdict> {
  const violations: string[] = [];
  const schedules = new Set<string>();
  const sum = { interleavings: 0, reruns: 0, blocked: 0, deadlocks: 0 };

  function add({ name }: Pair, { interleavings, reruns, violations: found }: Explored): void {
    for (const { turns, blocked, deadlocks } of interleavings) {
      schedules.add(`${name} ${turns}`);
      sum.blocked += blocked;
      sum.deadlocks += deadlocks;
    }
    sum.interleavings += interleavings.length;
    sum.reruns += reruns;
    violations.push(...found);
    progress(sum.interleavings);
  }
  const pairsOfBlock = Math.max(1, Math.floor(blockRounds / how.count));
  for (let at = 0; at < chosen.length; at += pairsOfBlock) {
    const rest = chosen.slice(at, at + pairsOfBlock);
    const block = await openBlock(Math.min(lanesAtOnce, rest.length), rewrite);
    checkSteps(block);
    async function playLane(lane: Lane): Promise<void> {
      for (let pair = rest.pop(); pair; pair = rest.pop())
        try {
          add(pair, await explorePair(block, lane, pair, how));
        } catch (cause) {
          const { message } = cause as Error;
          throw new Error(`SEED=${how.seed} PAIR="${pair.name}": ${message}`, { cause });
        }
    }
    try {
      await Promise.all(block.lanes.map(playLane));
    } finally {
      violations.push(...block.faults, ...(await block.close()));
    }
  }
  const figures = { pairs: chosen.length, schedules: schedules.size, ...sum };
  return { rounds: sum.interleavings, violations, figures };
}

/** All pairs; of few rounds a sample of them. */
function exploreSample({ seed, rounds, progress }: ProofContext): Promise<Verdict> {
  const share = Math.ceil(rounds / pairs.length);
  const count = share * 2 > interleavingsOfPair ? share : interleavingsOfPair;
  const chosen = choicesOf(seed, 'pairs')
    .shuffle(pairs)
    .slice(0, Math.ceil(rounds / count));
  return explore(chosen, { seed, count, progress });
}

const seed = seedOf(process.env);

/** `PAIR` repeats the pair that a violation names, with the `SEED` beside it. */
const wanted = process.env.PAIR;

proofTest(
  'two operations on one record at once have the result of one order or the other',
  100,
  async (context) => {
    const only = pairs.filter(({ name }) => name === wanted);
    if (only.length === 0) return exploreSample(context);
    return { ...(await explore(only, { seed, count: 10 })), rounds: context.rounds };
  },
);

test('a commit that does not check the rows it has read is found', async () => {
  const names = [
    'account with money: simulate account.suspended person x close person',
    'session that has ended: exchange result x exchange result',
  ];
  // Changed rows are then found by their key alone, whatever has happened since they were read.
  const rewrite = (text: string) => text.replace(' and t.revision = x.revision', '');
  const chosen = pairs.filter(({ name }) => names.includes(name));
  const { violations } = await explore(chosen, { seed, count: 10, rewrite });
  for (const name of names) expect(violations.join('\n'), `SEED=${seed}`).toContain(name);
});
