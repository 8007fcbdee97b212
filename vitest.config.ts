import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { pureTests } from './test/kit/pure_tests.ts';

const pure = pureTests(fileURLToPath(new URL('.', import.meta.url)));
const notOurs = ['**/node_modules/**', 'dist/**'];

/**
 * Two projects. `pure`: tests whose imports reach neither PostgreSQL, nor another process, name server or browser.
 * `database`: all others; each file owns a database cloned from one migrated template (see test/kit).
 */
export default defineConfig({
  test: {
    // Where nobody watches, only what failed: thousands of lines of what passed would hide it.
    reporters: process.env.CI ? ['minimal'] : ['default'],
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, pool: 'threads', isolate: false } },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['**/*.test.ts'],
          exclude: [...notOurs, ...pure],
          globalSetup: ['test/kit/global_setup.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
