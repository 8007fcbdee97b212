import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { diskFullProof, noSmallDisk } from './disk_full.ts';

const why = await noSmallDisk();

test.skipIf(why !== null)(
  `a database whose disk is full costs 503 and no partial state${why === null ? '' : ` (${why})`}`,
  async () => {
    const seed = seedOf(process.env);
    const verdict = await diskFullProof.run({ seed, rounds: 1, progress: () => {} });
    expect(verdict.violations, `SEED=${seed}`).toEqual([]);
  },
  120_000,
);
