import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onSignal } from '../../scripts/on_signal.ts';
import { parseArguments, roundsOf } from './arguments.ts';
import type { ProofResult } from './proof.ts';
import { type Proof, proofs } from './proofs.ts';
import { pageOf, type Row, rowOf, tableOf } from './report.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'docs/reliability.md');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** Runs the test of a proof. A run without a result proves nothing, so that is a violation. */
async function run(
  { file }: Proof,
  { seed, rounds, citus }: { seed: number; rounds: number; citus: string | undefined },
): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'prove-'));
  const PROOF_RESULT = join(folder, 'result.json');
  const given = { SEED: String(seed), ROUNDS: String(rounds), PROOF_RESULT };
  const env = { ...process.env, ...given, ...(citus && { CITUS_URLS: citus }) };
  const child = spawn(process.execPath, [vitest, 'run', file], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  const end = () => void child.kill();
  process.once('exit', end);
  try {
    await once(child, 'exit');
    process.off('exit', end);
    return JSON.parse(await readFile(PROOF_RESULT, 'utf8'));
  } catch (error) {
    return { rounds: 0, violations: [`no result: ${(error as Error).message}`], postgres: '?' };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { chosen, seed, scale, isList, isPrinted, citus } = parseArguments(
    process.argv.slice(2),
    proofs,
  );
  if (isList) {
    for (const { key, fault, rounds } of chosen)
      process.stdout.write(`${key}  ${rounds} rounds: ${fault}\n`);
    return 0;
  }
  process.stdout.write(`seed ${seed}\n`);
  const keys = proofs.map(({ key }) => key);
  const rows: Row[] = [];
  for (const proof of chosen) {
    const missing = proof.missing?.() ?? [];
    if (missing.length > 0) {
      process.stdout.write(`${proof.key}: skipped, not installed: ${missing.join(', ')}\n`);
      continue;
    }
    const beganMs = performance.now();
    const result = await run(proof, { seed, rounds: roundsOf(proof, scale), citus });
    const seconds = (performance.now() - beganMs) / 1_000;
    const date = new Date().toISOString().slice(0, 10);
    const machine = `${cpus().length} cores, PostgreSQL ${result.postgres}, Node ${process.versions.node}`;
    const row = rowOf(proof, result, { seed, seconds, date, machine });
    rows.push(row);
    for (const violation of result.violations) process.stdout.write(`  ${violation}\n`);
    const again = row.violations === '0' ? '' : `, repeat: --only ${proof.key} --seed ${seed}`;
    process.stdout.write(`${proof.key}: ${row.violations} violations${again}\n`);
    if (!isPrinted) await writeFile(page, pageOf(await readFile(page, 'utf8'), rows, keys));
  }
  process.stdout.write(`\n${tableOf(rows)}\n`);
  return rows.every(({ violations }) => violations === '0') ? 0 : 1;
}

// Whoever ends the proofs ends the one that is being held, with its PostgreSQL.
onSignal((code) => process.exit(code));

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
