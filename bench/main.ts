import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchArguments, parseArguments } from './arguments.ts';
import { type Bench, openBench } from './bench.ts';
import { figureOf, neededRuns, usesReference } from './figures.ts';
import { keys } from './keys.ts';
import { checkLedger } from './ledger_check.ts';
import { footprintText, paymentFootprint } from './measure/footprint.ts';
import { assertOnDisk, loadAverage, machineFacts, serverFacts } from './measure/machine.ts';
import { profileService, runRounds } from './measure/rounds.ts';
import { needsSecondProcess, type Round, type RunName, runKinds } from './measure/runs.ts';
import {
  type BenchReport,
  conclusionOf,
  type Result,
  resultOf,
  resultTable,
  runTable,
} from './report.ts';
import { loadSections, quietSections } from './sections/all.ts';
import type { Section } from './sections/section.ts';
import { buildService } from './service_process.ts';
import { fewTenants } from './setup/furnish.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function benchRounds(
  folder: string,
  args: BenchArguments,
  names: RunName[],
): Promise<BenchReport> {
  const needsReference = names.some((name) => runKinds[name].load === 'tpcb');
  const needsSecond = names.some((name) => needsSecondProcess(runKinds[name]));
  const canProfile = args.profile !== null;
  const dataDir = join(folder, 'rounds');
  const needs = { needsReference, needsSecond, canProfile };
  const bench = await openBench({ dataDir, ...needs, say, furnish: fewTenants });
  try {
    const server = await serverFacts(bench.client);
    const footprint = await paymentFootprint(bench);
    say(footprintText(footprint));
    const runs = await runRounds(bench, names, args.rounds);
    if (args.profile !== null)
      for (const line of await profileService(bench, args.profile)) say(line);
    const ledger = await checkLedger(bench.database);
    say(
      `every invariant of the ledger holds: ${ledger.checked} rows checked in ${ledger.seconds.toFixed(1)} s`,
    );
    const machine = bench.reference ? { ...server, reference: bench.reference.name } : server;
    return { machine, results: resultsOf(bench, args, runs), runs, footprint };
  } finally {
    await bench.close();
  }
}

function resultsOf({ reference }: Bench, { chosen }: BenchArguments, runs: readonly Round[]) {
  const results: Record<string, Result> = {};
  for (const key of keys) {
    const figure = chosen.has(key.key) ? figureOf(key.key, runs) : undefined;
    const hasLimits = reference?.isPgbench !== false || !usesReference(key.key);
    if (figure) results[key.key] = resultOf(key, figure, hasLimits);
  }
  return results;
}

/** Measures the sections that have a chosen figure. */
async function benchSections(folder: string, args: BenchArguments, sections: readonly Section[]) {
  const { chosen } = args;
  const results: Record<string, Result> = {};
  for (const [index, section] of sections.entries()) {
    if (!section.keys.some((key) => chosen.has(key))) continue;
    const place = join(folder, `${section.keys[0]}-${index}`);
    const figures = await section.measure({ ...args, folder: place, say });
    for (const key of keys) {
      const rounds = chosen.has(key.key) ? figures[key.key] : undefined;
      if (rounds) results[key.key] = resultOf(key, rounds, true);
    }
  }
  return results;
}

/** A folder that PostgreSQL's user can enter, on a disk. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenant-payments-bench-'));
  await chmod(folder, 0o711);
  assertOnDisk(folder);
  return folder;
}

const nothing: BenchReport = { machine: {}, results: {}, runs: [] };

async function measure(args: BenchArguments, folder: string): Promise<BenchReport> {
  const before = machineFacts();
  const names = neededRuns(args.chosen);
  const first = await benchSections(folder, args, quietSections);
  const rounds = names.length > 0 ? await benchRounds(folder, args, names) : nothing;
  const last = await benchSections(folder, args, loadSections);
  return {
    ...rounds,
    machine: { ...before, load_average_after: loadAverage(), ...rounds.machine },
    results: { ...first, ...rounds.results, ...last },
  };
}

function print(report: BenchReport): void {
  const facts = Object.entries(report.machine).map(([name, value]) => `${name} ${value}`);
  say(`\n${facts.join(', ')}\n`);
  if (report.runs.length > 0) say(`${runTable(report)}\n`);
  say(resultTable(report));
  say(`\n${conclusionOf(report)}`);
}

/** Measures the chosen figures. The folder is kept after a failure, for its logs. */
async function main(): Promise<void> {
  const args = parseArguments(process.argv.slice(2));
  if (args.builds) buildService();
  const folder = await makeFolder();
  say(`working in ${folder}`);
  const report = await measure(args, folder);
  print(report);
  if (args.jsonFile !== null)
    await writeFile(args.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  await rm(folder, { recursive: true, force: true });
}

// The service is its own process group; it ends with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`the bench failed: ${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  },
);
