import { type Choices, choicesOf } from '../../kit/seed.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import type { ProofContext, Verdict } from '../../prove/proof.ts';
import { type Load, startLoad } from './load.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** A service with workers under load, on a PostgreSQL that a proof breaks. */
export interface Running {
  readonly postgres: Postgres;
  readonly server: TestServer;
  readonly load: Load;
}

export interface Options {
  /** Where the files of PostgreSQL lie; absent: a temporary folder. */
  readonly dataDir?: string;
  /** Another way to PostgreSQL than its own url. */
  readonly via?: (url: string) => Promise<string>;
  /** Every request has an answer within this. */
  readonly deadlineMs?: number;
  /** Writes are back so soon after a fault has ended. */
  readonly backWithinMs?: number;
}

export interface Round {
  readonly round: number;
  readonly choices: Choices;
  /** Reports what does not hold. */
  violate(what: string): void;
  /** Waits for an acknowledged write that began after the fault has ended. */
  recovery(endedMs: number): Promise<void>;
}

/** The pool's 10, the engine's 2 and the 2 of the test itself. */
const maximumConnections = 14;
const connections = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'`;

/** Ends everything. @returns a sentence for what does not hold */
async function stop({ postgres, server }: Running): Promise<string[]> {
  const isFew = async () =>
    ((await postgres.query(connections))[0]?.count ?? 0) <= maximumConnections;
  const what = `at most ${maximumConnections} connections`;
  const wrong: string[] = [];
  const note = (error: Error) => void wrong.push(error.message);
  await until(isFew, { what, withinMs: 5_000 }).catch(note);
  await server.stop().catch(note);
  await postgres.stop();
  return wrong;
}

/** Breaks the database once in each round, then compares what the clients know with what is stored. */
export async function proveUnderLoad(
  { seed, rounds, progress }: ProofContext,
  { dataDir, via, deadlineMs, backWithinMs = Number.POSITIVE_INFINITY }: Options,
  strike: (running: Running, round: Round) => Promise<void>,
): Promise<Verdict> {
  const postgres = await startPostgres(dataDir);
  const url = via ? await via(postgres.url) : postgres.url;
  const server = await startTestServer({
    database: { url, drop: async () => {} },
    // More than any proof sends.
    tenant: { sample: true, rateLimit: 10_000_000 },
    // That the log reports a lost database is expected.
    onLog: () => {},
  });
  const load = await startLoad(server, seed, deadlineMs);
  const running = { postgres, server, load };
  const violations: string[] = [];
  let slowestRecoveryMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const violate = (what: string) => violations.push(`round ${round}: ${what}`);
    await load.acked(performance.now());
    await strike(running, {
      round,
      choices: choicesOf(seed, `round ${round}`),
      violate,
      async recovery(endedMs) {
        const tookMs = Math.round((await load.acked(endedMs)) - endedMs);
        slowestRecoveryMs = Math.max(slowestRecoveryMs, tookMs);
        if (tookMs > backWithinMs) violate(`no write for ${tookMs} ms`);
      },
    });
    progress(round + 1);
  }
  const { violations: found, ...ambiguous } = await load.end();
  const left = await stop(running);
  return {
    rounds,
    violations: [...violations, ...found, ...left],
    figures: {
      ...load.counts,
      ...ambiguous,
      slowestRequestMs: Math.round(load.slowestMs),
      slowestRecoveryMs,
    },
  };
}
