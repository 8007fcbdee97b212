import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { testsThatReach } from '../test/kit/projects.ts';
import { newSeed } from '../test/kit/seed.ts';
import { keepSeed } from '../test/seeds/kept.ts';
import { installNode } from './check_node.ts';
import { type Outcome, runStep, tableOf } from './nightly/steps.ts';

/**
 * `npm run nightly`: what takes hours, or tries something else each time. All tests under the other Nodes with
 * new seeds, all rounds, all states of the pages and other layouts of the cells; the proofs; the seeded bugs; the
 * SDK on other runtimes. It goes on after a failure and ends with one table. A seed with which a test failed is
 * kept in `test/seeds`. `--scale N` multiplies the rounds of the proofs, which have a tenth of theirs by default;
 * `--only proofs,bugs` takes some steps.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const script = (name: string, ...args: string[]) => ['npm', 'run', '--silent', name, '--', ...args];

/** The settings of tests at night: other choices, all rounds, all states of the pages. */
const atNight = (seed: number) => ({
  SEED: String(seed),
  STEPS: '20000',
  RACE_ROUNDS: '1000',
  ALL_STATES: '1',
});

interface Layout {
  readonly node: string;
  /** Tells where the tables of the tests are. */
  readonly cells: string;
  readonly env: Readonly<Record<string, string>>;
}

const layouts: readonly Layout[] = [
  { node: '22', cells: 'an empty cell beside', env: { TEST_CELL_BESIDE: 'cell_b' } },
  {
    node: '24',
    cells: 'a remote cell',
    env: { TEST_CELL_BESIDE: 'cell_b', TEST_CELL_REMOTE: '1' },
  },
];

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

/** Keeps the seed of each test file that failed and chooses at random. @returns the paths of what was written */
async function keepSeedsOf(report: string, seed: number): Promise<string[]> {
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly testResults: readonly FileReport[];
  };
  const seeded = new Set(testsThatReach(root, 'test/kit/seed.ts'));
  const found = new Date().toISOString().slice(0, 10);
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: relative(root, name),
      failed: assertionResults.find(({ status }) => status === 'failed')?.fullName ?? 'no test',
    }))
    .filter(({ file }) => seeded.has(file))
    .map(({ file, failed }) => keepSeed({ file, seed, found, failed }));
}

/** All tests under another Node, in another layout. */
async function runTests({ node, cells, env }: Layout): Promise<Outcome> {
  const seed = newSeed();
  const folder = await mkdtemp(join(tmpdir(), 'nightly-'));
  const report = join(folder, 'report.json');
  const given = { ...atNight(seed), ...env };
  const settings = Object.entries(given).map(([key, value]) => `${key}=${value}`);
  try {
    const bin = installNode(node);
    const outcome = await runStep(
      {
        name: `tests, Node ${node}, ${cells}`,
        command: ['npx', 'vitest', 'run', '--reporter=minimal', '--reporter=json'].concat(
          `--outputFile.json=${report}`,
        ),
        repeat: `${settings.join(' ')} npm run check:node -- ${node}`,
      },
      { ...process.env, ...given, PATH: `${bin}:${process.env.PATH}` },
    );
    return outcome.passed ? outcome : { ...outcome, kept: await keepSeedsOf(report, seed) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function proofs(scale: string): Promise<Outcome> {
  const args = ['--print', '--seed', String(newSeed()), '--scale', scale];
  const repeat = `npm run prove -- ${args.join(' ')}`;
  return runStep({ name: `proofs, scale ${scale}`, command: script('prove', ...args), repeat });
}

const alone = (name: string, of: string) =>
  runStep({ name, command: script(of), repeat: `npm run ${of}` });

const { values } = parseArgs({
  options: { scale: { type: 'string', default: '0.1' }, only: { type: 'string' } },
});
const steps: Readonly<Record<string, () => Promise<Outcome>>> = {
  proofs: () => proofs(values.scale),
  bugs: () => alone('seeded bugs', 'mutations'),
  runtimes: () => alone('SDK on Node, Bun and Deno', 'check:runtimes'),
  types: () => alone('SDK in new projects', 'check:types'),
  ...Object.fromEntries(
    layouts.map((layout) => [`node${layout.node}`, () => runTests(layout)] as const),
  ),
};
const only = values.only?.split(',') ?? Object.keys(steps);
const unknown = only.filter((name) => !(name in steps));
if (unknown.length > 0) {
  process.stderr.write(`no step ${unknown}; --only takes ${Object.keys(steps)}\n`);
  process.exit(2);
}
const outcomes: Outcome[] = [];
for (const name of only) {
  const outcome = await steps[name]?.();
  if (outcome) outcomes.push(outcome);
}
process.stdout.write(`\n${tableOf(outcomes)}\n`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
