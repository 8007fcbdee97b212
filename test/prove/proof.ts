import { writeFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { openClient } from '../../engine/database/pool.ts';
import { seedOf } from '../kit/seed.ts';

export interface ProofContext {
  /** Decides every choice of the run; printed with each violation. */
  readonly seed: number;
  readonly rounds: number;
  /** Called as rounds end, as often as it likes. */
  progress(done: number): void;
}

export interface Verdict {
  /** Rounds that ran to their end. */
  readonly rounds: number;
  /** A sentence for each; empty when the promise held. */
  readonly violations: readonly string[];
  /** Figures worth a column of their own, such as `ambiguous` or `slowestRecoveryMs`. */
  readonly figures?: Readonly<Record<string, number>>;
  /** Version of another server than that of the tests. */
  readonly server?: string;
}

/** The result that a run under `npm run prove` leaves in the file PROOF_RESULT. */
export interface ProofResult extends Verdict {
  /** Version of PostgreSQL. */
  readonly postgres: string;
}

const progressEveryMs = 10_000;

/** Prints now and then how far a long run is. */
function openProgress(rounds: number): (done: number) => void {
  const beganMs = performance.now();
  let printedMs = beganMs;
  return (done) => {
    const nowMs = performance.now();
    if (nowMs - printedMs < progressEveryMs) return;
    printedMs = nowMs;
    process.stderr.write(`  ${done}/${rounds} after ${Math.round((nowMs - beganMs) / 1_000)} s\n`);
  };
}

async function postgresVersion(): Promise<string> {
  const client = await openClient(inject('adminUrl'));
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version.split(' ', 1)[0] ?? '';
}

/**
 * Registers a proof as a test: one kind of fault, caused in the real service in each round. Here it runs
 * few rounds; `npm run prove` sets ROUNDS, SEED and PROOF_RESULT, the file that receives the verdict.
 */
export function proofTest(
  name: string,
  fewRounds: number,
  run: (context: ProofContext) => Promise<Verdict>,
): void {
  const { ROUNDS, PROOF_RESULT } = process.env;
  const rounds = Number(ROUNDS ?? fewRounds);
  const seed = seedOf(process.env);
  test(
    name,
    async () => {
      const verdict = await run({ seed, rounds, progress: openProgress(rounds) });
      const result = async (): Promise<ProofResult> => ({
        ...verdict,
        postgres: verdict.server ?? (await postgresVersion()),
      });
      if (PROOF_RESULT) writeFileSync(PROOF_RESULT, JSON.stringify(await result()));
      expect(verdict.violations, `SEED=${seed}`).toEqual([]);
    },
    ROUNDS ? 0 : 240_000,
  );
}
