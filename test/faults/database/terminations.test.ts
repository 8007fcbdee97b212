import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { test } from 'vitest';
import { openApi } from '../../kit/api.ts';
import { testDatabase } from '../../kit/database/database.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { freePort } from '../../kit/processes/free_port.ts';
import {
  type Deployment,
  openDeployment,
  type ServiceProcess,
  terminate,
} from '../../kit/processes/processes.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { type ProofContext, proofTest, type Verdict } from '../../prove/proof.ts';
import { startLoad } from './load.ts';

/** A process lives for so many terminations, then it is stopped and started again. */
const perLife = 50;
const longestPauseMs = 120;
/** A start is too short for more: it would never end. */
const longestPauseAtStartMs = 1_500;

const strikeSql = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = $1 and backend_type = 'client backend'
  order by hashint4extended(pid, $2) limit 1`;

/** Whether a log has what Node prints when nobody catches an exception. */
const isUncaught = (log: string): boolean => /^Node\.js v\d|^\s+at /m.test(log);

/** Ends backends of one login at random moments. */
function openStrikes(pool: pg.Pool, login: string, choices: Choices) {
  const strikes = { count: 0, isStarting: true, isOver: false, ended: Promise.resolve() };
  strikes.ended = (async () => {
    while (!strikes.isOver) {
      await sleep(choices.below(strikes.isStarting ? longestPauseAtStartMs : longestPauseMs));
      const { rowCount } = await pool.query(strikeSql, [login, choices.below(2 ** 31)]);
      strikes.count += rowCount ?? 0;
    }
  })();
  return strikes;
}

/** Starts the process until it is ready: one that lost its connection says so and ends. */
async function startAgain(deployment: Deployment, env: Record<string, string>, failed: () => void) {
  for (;;) {
    try {
      return await deployment.start('api,worker', env);
    } catch (error) {
      if (isUncaught((error as Error).message.replaceAll(/^.*ended with/gm, ''))) throw error;
      failed();
    }
  }
}

/** A tenant without the sample's records, which the load did not make. */
async function newTenant(deployment: Deployment, baseUrl: string) {
  const operator = openApi(baseUrl, await deployment.operatorKey());
  const facts = await operator.post('/portal/api/tenants', { name: 'Terminations' });
  const { rows } = await deployment.pool.query(
    'select tenant_id from clients where client_id = $1',
    [facts.client_id],
  );
  return { tenantId: rows[0].tenant_id, token: await fetchToken(baseUrl, facts) };
}

async function prove({ seed, rounds, progress }: ProofContext): Promise<Verdict> {
  const database = await testDatabase(true);
  const deployment = await openDeployment(database);
  const { pool } = deployment;
  const env = { PORT: String(await freePort()) };
  const baseUrl = `http://localhost:${env.PORT}`;
  const violations: string[] = [];
  const figures = { starts: 1, failedStarts: 0, failedStops: 0 };

  let alive: ServiceProcess = await deployment.start('api,worker', env);
  const { tenantId, token } = await newTenant(deployment, baseUrl);
  const api = openApi(baseUrl, token);
  await api.settings({ rate_limit_per_minute: 1_000_000, confirmation_grace_seconds: 0 });
  const engine = {
    query: async (sql: string, ...values: readonly unknown[]) =>
      (await pool.query(sql, [tenantId, ...values])).rows,
  };
  const load = await startLoad({ api, call: api.call, engine }, seed);
  const login = new URL(database.serviceUrl).username;
  const strikes = openStrikes(pool, login, choicesOf(seed, 'strikes'));
  while (strikes.count < rounds) {
    strikes.isStarting = false;
    const until = Math.min(rounds, strikes.count + perLife);
    while (strikes.count < until && alive.child.exitCode === null) {
      progress(strikes.count);
      await sleep(10);
    }
    if (alive.child.exitCode !== null) violations.push(`it fell: ${alive.log()}`);
    else if ((await terminate(alive)) !== 0) figures.failedStops += 1;
    if (isUncaught(alive.log())) violations.push(`nobody caught: ${alive.log()}`);
    strikes.isStarting = true;
    figures.starts += 1;
    alive = await startAgain(deployment, env, () => (figures.failedStarts += 1));
  }
  strikes.isOver = true;
  await strikes.ended;
  const { violations: found, ...ambiguous } = await load.end();
  violations.push(...found);
  await deployment.stop().catch((error: Error) => void violations.push(error.message));
  const { counts } = load;
  return { rounds: strikes.count, violations, figures: { ...figures, ...counts, ...ambiguous } };
}

const name =
  'a process whose backends end at any moment, while it starts and stops too, neither falls nor loses what it acknowledged';
if (process.env.ROUNDS) proofTest(name, 20, prove);
else test.skip(`${name} (run by npm run prove: it starts a process again and again)`);
