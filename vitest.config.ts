import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { parseCLI } from 'vitest/node';
import { compiledModules } from './test/kit/compiled.ts';
import { LongFirst } from './test/kit/long_first.ts';
import { sortTests } from './test/kit/projects.ts';
import { useRunFolder } from './test/kit/run_folder.ts';
import { RunReport } from './test/kit/run_report.ts';
import { keptSeeds } from './test/seeds/kept.ts';

useRunFolder();

const { filter, options } = parseCLI(['vitest', ...process.argv.slice(2)], {
  allowUnknownOptions: true,
});
/**
 * `TIER=gate` or `TIER=rest` runs the tests of one tier; without it all are there. Where `vitest run` names files,
 * nothing is sorted or searched but these; who watches may ask for others later.
 */
const tests = sortTests(fileURLToPath(new URL('.', import.meta.url)), {
  tier: process.env.TIER,
  named: options.run ? filter : [],
});

/** They end what hangs: on a slow and busy machine some tests take two minutes. */
const limits = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // What a strange machine disturbs once is tried again, and the run's end says so.
  retry: process.env.CI ? 1 : 0,
  // A list of faults is said whole, not as `[ Array(1) ]`.
  chaiConfig: { truncateThreshold: 2_000 },
} as const;

const withDatabase = {
  ...limits,
  globalSetup: ['test/kit/database/global_setup.ts'],
  pool: 'forks',
  // As `npm start` has it: less time in the garbage collector.
  execArgv: ['--max-semi-space-size=32'],
  // A condition that holds late on a busy machine holds; what never holds still fails.
  expect: { poll: { timeout: 30_000 } },
} as const;

/**
 * How each project is run (test/kit/README.md). None says `extends: true`, for which vitest would read this file
 * and sort all tests once more.
 */
const projects = {
  pure: { ...limits, pool: 'threads', isolate: false },
  database: { ...withDatabase, isolate: false },
  built: {
    ...withDatabase,
    isolate: false,
    globalSetup: ['test/kit/processes/build_setup.ts', ...withDatabase.globalSetup],
  },
  isolated: withDatabase,
} as const;
const names = ['pure', 'database', 'built', 'isolated'] as const;

interface ProjectTests {
  readonly name: string;
  readonly include: string[];
  readonly env?: Record<string, string>;
}

/** A kind of project with tests of its own. A module that a test replaces is one that vitest serves. */
const projectOf = (kind: (typeof names)[number], test: ProjectTests) => ({
  plugins: kind === 'isolated' ? [] : [compiledModules()],
  test: { ...projects[kind], ...test },
});

/** Seeds that a night has found, which each day sees again. */
const seeded = keptSeeds.flatMap(({ file, seed }) =>
  names
    .filter((kind) => tests[kind].includes(file))
    .map((kind) =>
      projectOf(kind, {
        name: `${file} with seed ${seed}`,
        include: [file],
        env: { SEED: String(seed) },
      }),
    ),
);

export default defineConfig({
  test: {
    // Where nobody watches, only what failed: thousands of lines of what passed would hide it.
    reporters: [process.env.CI ? 'minimal' : 'default', new RunReport()],
    // Of two cores two workers leave an eighth unused: tests also wait.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      ...names
        .filter((name) => tests[name].length > 0)
        .map((name) => projectOf(name, { name, include: tests[name] })),
      ...seeded,
    ],
  },
});
