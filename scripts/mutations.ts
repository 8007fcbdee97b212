import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startThrowAwayServer } from '../test/kit/database/database_server.ts';
import { type Bug, mutated } from '../test/mutations/bug.ts';
import { bugs } from '../test/mutations/bugs.ts';
import { copyTree } from '../test/mutations/copy.ts';
import { endRuns, type Outcome, type RunOptions, runTests } from '../test/mutations/vitest_run.ts';
import { onSignal } from './on_signal.ts';

/**
 * `npm run mutations -- [--only NAME,…] [--list]`: puts each seeded bug of test/mutations, one
 * after another, into a copy of the working tree and runs the tests that must catch it. A test that
 * hangs has caught its bug. Exit code 1 when more than one bug is missed (with --only: any), 2 on
 * wrong usage or when the tests fail without a bug.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
/** The time limit of a run: fixed, and as a multiple of the time without a bug. */
const patienceMs = 60_000;
const patience = 5;
const allowedMisses = 1;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Ends the run: the bugs cannot be tested. @throws always */
function wrong(message: string): never {
  throw new Error(message);
}

/** The exit code for a received signal. */
let stopped: number | null = null;
onSignal((code) => {
  stopped = code;
  endRuns();
});

function readOptions(): { chosen: readonly Bug[]; isWhole: boolean; isList: boolean } {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
  });
  const names = values.only?.split(',');
  for (const name of names ?? [])
    if (!bugs.some((bug) => bug.name === name)) wrong(`there is no bug ${name}; see --list`);
  const chosen = bugs.filter(({ name }) => names?.includes(name) ?? true);
  return { chosen, isWhole: names === undefined, isList: values.list };
}

type Where = Pick<RunOptions, 'folder' | 'databaseUrl'>;

/** Checks that each bug's tests are among those that were run. */
function assertNamed(chosen: readonly Bug[], ran: readonly string[]): void {
  for (const { name, tests, named = '' } of chosen)
    for (const file of tests)
      if (!ran.some((test) => test.startsWith(`${file}: `) && test.includes(named)))
        wrong(`${name}: no test of ${file} is called ${named}`);
}

/**
 * Runs the chosen tests without a bug; all must pass. @returns how long each file took, in
 * milliseconds
 */
async function proveTests(where: Where, chosen: readonly Bug[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const ran: string[] = [];
  const inPart = chosen.filter(({ named }) => named !== undefined);
  const whole = chosen.filter(({ named }) => named === undefined);
  const filesOf = (some: readonly Bug[]) => [...new Set(some.flatMap(({ tests }) => tests))];
  const runs = [
    { tests: filesOf(whole) },
    { tests: filesOf(inPart), named: inPart.flatMap(({ named }) => named ?? []) },
  ].filter(({ tests }) => tests.length > 0);
  for (const run of runs) {
    say(`without a bug: ${run.tests.length} test files`);
    const outcome = await runTests({ ...where, ...run, limitMs: 20 * patienceMs });
    if (outcome.kind === 'failed') wrong(`fails without a bug: ${outcome.by} (${outcome.message})`);
    if (outcome.kind !== 'passed') wrong(`cannot be run without a bug: ${JSON.stringify(outcome)}`);
    for (const [file, ms] of outcome.msByFile) times.set(file, (times.get(file) ?? 0) + ms);
    ran.push(...outcome.names);
  }
  assertNamed(chosen, ran);
  return times;
}

/** Inserts a bug, runs its tests, and removes it again. */
async function runWith(where: Where, bug: Bug, limitMs: number): Promise<Outcome> {
  if (stopped !== null) wrong('stopped');
  const path = join(where.folder, bug.file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, mutated(bug, text));
  const { tests, named } = bug;
  try {
    return await runTests({ ...where, tests, ...(named ? { named: [named] } : {}), limitMs });
  } finally {
    await writeFile(path, text);
  }
}

const verdicts = {
  passed: () => 'MISSED',
  hung: () => 'caught  (it hung)',
  failed: ({ by, message }: Extract<Outcome, { kind: 'failed' }>) =>
    `caught  by ${by}\n          ${message.slice(0, 160)}`,
} as const;

/** @returns whether the bug was caught */
async function tryBug(where: Where, bug: Bug, limitMs: number): Promise<boolean> {
  const outcome = await runWith(where, bug, limitMs);
  if (outcome.kind === 'broken') wrong(`${bug.name}: no test was run\n${outcome.message}`);
  const verdict = outcome.kind === 'failed' ? verdicts.failed(outcome) : verdicts[outcome.kind]();
  say(`        ${verdict}`);
  return outcome.kind !== 'passed';
}

/** Tests one bug after another. @returns the names of those that were missed */
async function tryAll(where: Where, chosen: readonly Bug[]): Promise<string[]> {
  const times = await proveTests(where, chosen);
  const missed: string[] = [];
  for (const [index, bug] of chosen.entries()) {
    const usualMs = bug.tests.reduce((sum, file) => sum + (times.get(file) ?? 0), 0);
    const beganMs = performance.now();
    say(`[${index + 1}/${chosen.length}] ${bug.name}: ${bug.why}`);
    if (!(await tryBug(where, bug, patienceMs + patience * usualMs))) missed.push(bug.name);
    say(`        ${((performance.now() - beganMs) / 1_000).toFixed(0)} s`);
  }
  return missed;
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { chosen, isWhole, isList } = readOptions();
  if (isList) {
    say(chosen.map(({ name, why }) => `${name}: ${why}`).join('\n'));
    return 0;
  }
  // A bug that does not match its function ends the run before the first test.
  for (const bug of chosen) mutated(bug, await readFile(join(root, bug.file), 'utf8'));
  const server = await startThrowAwayServer();
  const folder = await copyTree(root);
  try {
    const missed = await tryAll({ folder, databaseUrl: server.url }, chosen);
    if (missed.length > 0) say(`missed: ${missed.join(', ')}`);
    say(`${chosen.length - missed.length} of ${chosen.length} bugs caught`);
    return missed.length > (isWhole ? allowedMisses : 0) ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    await server.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (stopped === null) process.stderr.write(`error: ${(error as Error).message}\n`);
  process.exitCode = stopped ?? 2;
}
