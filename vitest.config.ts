import { defineConfig } from 'vitest/config';

/** Every test file owns a database cloned from one migrated template (see test/harness). */
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['test/harness/global.ts'],
    // Where nobody watches, only what failed: thousands of lines of what passed would hide it.
    reporters: process.env.CI ? ['minimal'] : ['default'],
    // There a test that failed is asked once more: races of a machine that does other things too are told
    // from faults, which fail twice. Nobody else is spared the first failure.
    retry: process.env.CI ? 1 : 0,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
