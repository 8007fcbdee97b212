import { openClient } from '../../../engine/database/pool.ts';
import { type TestDatabase, testDatabase } from '../../kit/database/database.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import type { ProofContext, Verdict } from '../../prove/proof.ts';
import { type Load, startLoad } from './load.ts';

/** A service with workers under load, on a database that a proof breaks. */
export interface Running {
  /** The way to the database that no fault is in. */
  readonly databaseUrl: string;
  readonly server: TestServer;
  readonly load: Load;
}

export interface Options {
  /** Absent: one on the server of the tests. */
  readonly database?: TestDatabase;
  /** The way of the service to the database; absent: its own url. */
  readonly via?: (url: string) => Promise<string>;
  /** Every request has an answer within this. */
  readonly deadlineMs?: number;
  /** Clients who confirm by PIN. */
  readonly byPin?: number;
  /** Writes are back so soon after a fault has ended. */
  readonly backWithinMs?: number;
  /** The requests acknowledged between one fault and the next. */
  readonly ackedBetween?: number;
}

export interface Round {
  readonly round: number;
  readonly choices: Choices;
  /** Reports what does not hold. */
  violate(what: string): void;
  /** Waits for an acknowledged write that began after the fault has ended. */
  recovery(endedMs: number): Promise<void>;
}

const loadWithinMs = 600_000;
/** The pool's 10, the engine's 2, and of the test its owner's 2 and this one. */
const maximumConnections = 15;
const connections = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'`;

/** Waits until the service holds no more connections than it may. @throws after 5 s */
async function fewConnections(databaseUrl: string): Promise<void> {
  const client = await openClient(databaseUrl);
  const isFew = async () => (await client.query(connections)).rows[0].count <= maximumConnections;
  const what = `at most ${maximumConnections} connections`;
  await until(isFew, { what, withinMs: 5_000 }).finally(() => client.end());
}

/** Breaks the database once in each round, then compares what the clients know with what is stored. */
export async function proveUnderLoad(
  { seed, rounds, progress }: ProofContext,
  options: Options,
  strike: (running: Running, round: Round) => Promise<void>,
): Promise<Verdict> {
  const { via, deadlineMs, byPin } = options;
  const { backWithinMs = Number.POSITIVE_INFINITY, ackedBetween = 0 } = options;
  const database = options.database ?? (await testDatabase(true));
  const url = via ? await via(database.url) : database.url;
  const { username, password } = new URL(database.serviceUrl);
  const asService = (way: string) => Object.assign(new URL(way), { username, password }).href;
  const server = await startTestServer({
    database: { url, serviceUrl: asService(url), drop: async () => {} },
    // More than any proof sends.
    tenant: { sample: true, rateLimit: 10_000_000 },
    // That the log reports a lost database is expected.
    onLog: () => {},
  });
  const load = await startLoad(server, seed, { deadlineMs, byPin });
  const running = { databaseUrl: database.url, server, load };
  const violations: string[] = [];
  let slowestRecoveryMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const violate = (what: string) => violations.push(`round ${round}: ${what}`);
    await load.acked(performance.now());
    const enough = (round + 1) * ackedBetween;
    await until(async () => load.counts.acked >= enough, {
      what: `${enough} acknowledged requests`,
      withinMs: loadWithinMs,
    });
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
  violations.push(...found);
  const note = (error: Error) => void violations.push(error.message);
  await fewConnections(database.url).catch(note);
  await server.stop().catch(note);
  await database.drop();
  return {
    rounds,
    violations,
    figures: {
      ...load.counts,
      ...ambiguous,
      slowestRequestMs: Math.round(load.slowestMs),
      slowestRecoveryMs,
    },
  };
}
