import { defineConfig } from 'vitest/config';

/** Every test file owns a database cloned from one migrated template (see test/kit). */
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['test/kit/global_setup.ts'],
    // Where nobody watches, only what failed: thousands of lines of what passed would hide it.
    reporters: process.env.CI ? ['minimal'] : ['default'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
