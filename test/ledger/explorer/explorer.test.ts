import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { proofTest } from '../../prove/proof.ts';
import { explore, exploreSample, pairs } from './explorer.ts';

const seed = seedOf(process.env);
const exploreMs = 240_000;

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

test(
  'a commit that does not check the rows it has read is found',
  async () => {
    const names = [
      'account with money: simulate account.suspended person x close person',
      'session that has ended: exchange result x exchange result',
    ];
    // Changed rows are then found by their key alone, whatever has happened since they were read.
    const rewrite = (text: string) => text.replace(' and t.revision = x.revision', '');
    const chosen = pairs.filter(({ name }) => names.includes(name));
    const { violations } = await explore(chosen, { seed, count: 10, rewrite });
    for (const name of names) expect(violations.join('\n'), `SEED=${seed}`).toContain(name);
  },
  exploreMs,
);
