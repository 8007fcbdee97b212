import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/kit/long_first.ts';
import { sortTests } from './test/kit/projects.ts';
import { useRunFolder } from './test/kit/run_folder.ts';
import { keptSeeds } from './test/seeds/kept.ts';

useRunFolder();

const root = fileURLToPath(new URL('.', import.meta.url));
/** `TIER=gate` or `TIER=rest` runs the tests of one tier; without it all are there. */
const { pure, database, isolated, built } = sortTests(root, process.env.TIER);
const chosen = new Set([...pure, ...database, ...isolated, ...built]);

/** They end what hangs: on a slow and busy machine some tests take two minutes. */
const limits = { testTimeout: 240_000, hookTimeout: 240_000 } as const;

/** Each file has a Tenant or a database of its own (see test/kit). */
const withDatabase = {
  ...limits,
  globalSetup: ['test/kit/database/global_setup.ts'],
  pool: 'forks',
  // As `npm start` has it: less time in the garbage collector.
  execArgv: ['--max-semi-space-size=32'],
  // A condition that holds late on a busy machine holds; what never holds still fails.
  expect: { poll: { timeout: 30_000 } },
} as const;
const builtAndDatabase = {
  ...withDatabase,
  globalSetup: ['test/kit/processes/build_setup.ts', ...withDatabase.globalSetup],
};

/**
 * The projects are described in test/kit/README.md. None says `extends: true`, for which vitest would read this file
 * and sort all tests once more.
 */
export default defineConfig({
  test: {
    // Where nobody watches, only what failed: thousands of lines of what passed would hide it.
    reporters: process.env.CI ? ['minimal'] : ['default'],
    // Of two cores two workers leave an eighth unused: tests also wait.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // What a run has compiled the next one reads, for as long as the source is the same.
    experimental: { fsModuleCache: true },
    projects: [
      { test: { name: 'pure', include: pure, pool: 'threads', isolate: false, ...limits } },
      { test: { name: 'database', include: database, isolate: false, ...withDatabase } },
      { test: { name: 'built', include: built, isolate: false, ...builtAndDatabase } },
      { test: { name: 'isolated', include: isolated, ...withDatabase } },
      // What a night has found once, each day sees again.
      ...keptSeeds
        .filter(({ file }) => chosen.has(file))
        .map(({ file, seed }) => ({
          test: {
            name: `${file} with seed ${seed}`,
            include: [file],
            env: { SEED: String(seed) },
            ...builtAndDatabase,
          },
        })),
    ],
  },
});
