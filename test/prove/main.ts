import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { openClient } from '../../service/db/pool.ts';
import { useServer } from '../kit/database.ts';
import { setup } from '../kit/global_setup.ts';
import { parseArguments, roundsOf } from './arguments.ts';
import { openProgress } from './progress.ts';
import type { Proof, Verdict } from './proof.ts';
import { proofs } from './proofs.ts';
import { pageOf, type Row, rowOf, tableOf } from './report.ts';

const page = new URL('../../docs/reliability.md', import.meta.url);

/** The server that tests run on, for proofs that have none of their own. @returns what ends it */
async function startServer(): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  const provided = { adminUrl: '', testPrefix: '' };
  const stop = await setup({
    provide: (name, value) => void Object.assign(provided, { [name]: value }),
  });
  useServer(provided);
  return { adminUrl: provided.adminUrl, stop };
}

async function machineOf(adminUrl: string): Promise<string> {
  const client = await openClient(adminUrl);
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  const version = rows[0]?.server_version.split(' ', 1)[0];
  return `${cpus().length} cores, PostgreSQL ${version}, Node ${process.versions.node}`;
}

/** A proof that breaks proves nothing, so that counts as a violation. */
async function hold(proof: Proof, seed: number, rounds: number): Promise<Verdict> {
  const line = openProgress(proof.key, rounds);
  const verdict = await proof
    .run({ seed, rounds, progress: line.show })
    .catch((error: unknown): Verdict => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { rounds: 0, violations: [`it could not be held: ${reason}`] };
    });
  const { length } = verdict.violations;
  line.end(length === 0 ? 'holds' : `${length} VIOLATIONS, --only ${proof.key} --seed ${seed}`);
  for (const violation of verdict.violations) process.stdout.write(`  ${violation}\n`);
  return verdict;
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { chosen, seed, scale, isList } = parseArguments(process.argv.slice(2), proofs);
  if (isList) {
    for (const { key, fault, rounds } of chosen)
      process.stdout.write(`${key}  ${rounds} rounds: ${fault}\n`);
    return 0;
  }
  process.stdout.write(`seed ${seed}\n`);
  const { adminUrl, stop } = await startServer();
  const machine = await machineOf(adminUrl);
  const rows: Row[] = [];
  for (const proof of chosen) {
    const beganMs = performance.now();
    const verdict = await hold(proof, seed, roundsOf(proof, scale));
    const seconds = (performance.now() - beganMs) / 1_000;
    const date = new Date().toISOString().slice(0, 10);
    rows.push(rowOf(proof, verdict, { seed, seconds, date, machine }));
    const keys = proofs.map(({ key }) => key);
    await writeFile(page, pageOf(await readFile(page, 'utf8'), rows, keys));
  }
  await stop();
  process.stdout.write(`\n${tableOf(rows)}\n`);
  return rows.every(({ violations }) => violations === '0') ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  },
);
