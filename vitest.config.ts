import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/kit/long_first.ts';
import { sortTests } from './test/kit/projects.ts';
import { useRunFolder } from './test/kit/run_folder.ts';

useRunFolder();

const { pure, isolated, database } = sortTests(fileURLToPath(new URL('.', import.meta.url)));

/** Each file owns a database cloned from one migrated template (see test/kit). */
const withDatabase = {
  globalSetup: ['test/kit/database/global_setup.ts'],
  pool: 'forks',
  // As `npm start` has it: less time in the garbage collector.
  execArgv: ['--max-semi-space-size=32'],
  // A condition that holds late on a busy machine holds; what never holds still fails.
  expect: { poll: { timeout: 30_000 } },
} as const;

/**
 * `pure`: tests whose imports reach neither PostgreSQL, nor another process, name server or browser.
 * `isolated`: tests that replace a module or measure memory, each in a process of its own. `database`: all
 * others; they share the modules of their worker, which saves two fifths of the processor's time.
 */
export default defineConfig({
  test: {
    // Where nobody watches, only what failed: thousands of lines of what passed would hide it.
    reporters: process.env.CI ? ['minimal'] : ['default'],
    // Of two cores two workers leave an eighth unused: tests also wait.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // They end what hangs: on a slow and busy machine some tests take two minutes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, pool: 'threads', isolate: false } },
      {
        extends: true,
        test: { name: 'database', include: database, isolate: false, ...withDatabase },
      },
      { extends: true, test: { name: 'isolated', include: isolated, ...withDatabase } },
    ],
  },
});
