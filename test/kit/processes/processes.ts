import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { TenantFacts } from '../../../backoffice/tenants/create.ts';
import { openPool } from '../../../engine/database/pool.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { caller, fetchToken } from '../http/http.ts';
import { proveLedger } from '../ledger/prove_ledger.ts';
import { root, type StartCommand, startLine } from './built.ts';
import { freePort } from './free_port.ts';

const pollMs = 20;

/** A service in a process of its own. */
export interface ServiceProcess {
  /** The address where it serves the API, if it does. */
  readonly baseUrl: string;
  readonly child: ChildProcess;
  /** The text on stdout: the banner of a sandbox. */
  out(): string;
  /** The text on stderr: its log. */
  log(): string;
  /** Resolves with the exit code, or the signal that ended it, once all that it has started has ended too. */
  readonly ended: Promise<number | string>;
  /** Every series of `/metrics` with its value. */
  metrics(): Promise<Map<string, number>>;
  /** The status of an answer of METRICS_PORT. */
  status(path: string): Promise<number>;
}

export interface HowToStart {
  /** Absent: that of `npm start`, without npm. */
  readonly command?: StartCommand;
  /** In a group of its own, as a shell gives one to a command that it starts: Ctrl-C reaches all of it. */
  readonly leadsGroup?: boolean;
  /** The file that its log goes to instead of to `log()`. */
  readonly stderr?: number;
}

/** Several processes on one database and one DATA_DIR, as on one machine. */
export interface Deployment {
  readonly pool: pg.Pool;
  readonly dataDir: string;
  /** Starts a process and waits until it is ready. */
  start(roles: string, env?: Record<string, string>, how?: HowToStart): Promise<ServiceProcess>;
  /** The sample tenant's credentials, once the API was ready; its rate is raised for loads. */
  facts(): Promise<TenantFacts>;
  operatorKey(): Promise<string>;
  /** Ends all processes and proves the whole ledger. @throws when an invariant is violated */
  stop(): Promise<void>;
}

export function seriesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => line.split(/ (?=\S+$)/) as [string, string]);
  return new Map(pairs.map(([name, value]) => [name, Number(value)]));
}

export async function spawnService(
  given: Record<string, string>,
  { command: [program, ...args] = startLine, leadsGroup = false, stderr }: HowToStart = {},
): Promise<ServiceProcess> {
  const metricsPort = await freePort();
  const { PORT = String(await freePort()) } = given;
  const env = {
    PATH: process.env.PATH,
    LOG_LEVEL: given.ENVIRONMENT === 'production' ? 'info' : 'warn',
    SAMPLE_WEEK: '0',
    METRICS_PORT: String(metricsPort),
    // npm would ask its registry for news of itself.
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    ...given,
    PORT,
  };
  const stdio = ['ignore', 'pipe', stderr ?? 'pipe'] as const;
  const child = spawn(program, args, { cwd: root, env, stdio: [...stdio], detached: leadsGroup });
  const said = { out: '', log: '' };
  child.stdout?.on('data', (chunk) => (said.out += chunk));
  child.stderr?.on('data', (chunk) => (said.log += chunk));
  const vitals = (path: string) => fetch(`http://127.0.0.1:${metricsPort}${path}`);
  return {
    baseUrl: `http://localhost:${PORT}`,
    child,
    out: () => said.out,
    log: () => said.log,
    ended: once(child, 'close').then(([code, signal]) => code ?? signal),
    metrics: async () => seriesOf(await (await vitals('/metrics')).text()),
    status: (path) => vitals(path).then(({ status }) => status),
  };
}

/** Waits until it serves. @throws with its log when it ends first */
export async function untilReady(started: ServiceProcess): Promise<void> {
  const { child, status, log } = started;
  while ((await status('/readyz').catch(() => 0)) !== 200) {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`ended with ${ended}: ${log()}`);
    await sleep(pollMs);
  }
}

/** Asks a process to end and gives what it ended with. */
export function terminate({ child, ended }: ServiceProcess): Promise<number | string> {
  child.kill('SIGTERM');
  return ended;
}

/** @param given a migrated database; absent: one of this deployment's own */
export async function openDeployment(given?: TestDatabase): Promise<Deployment> {
  const database = given ?? (await testDatabase(true));
  const dataDir = await mkdtemp(join(tmpdir(), 'tpay-processes-'));
  await chmod(dataDir, 0o711);
  const pool = openPool(database.url, { max: 2, statementTimeoutMs: 10_000 });
  const started: ServiceProcess[] = [];
  const read = (name: string) => readFile(join(dataDir, name), 'utf8');

  return {
    pool,
    dataDir,
    async start(roles, env = {}, how = {}) {
      const DATABASE_URL = database.serviceUrl;
      const place = { ENVIRONMENT: 'sandbox', DATA_DIR: dataDir, DATABASE_URL };
      const settings = { ...place, ROLES: roles, ...env };
      const one = await spawnService(settings, how);
      started.push(one);
      await untilReady(one);
      return one;
    },
    async facts() {
      // A load on the sample tenant would meet the limit of production.
      await pool.query(`update tenants set revision = revision + 1,
        settings = jsonb_set(settings, '{rate_limit_per_minute}', '1000000')
        where name = 'Sample Tenant'`);
      return JSON.parse(await read('sandbox.json'));
    },
    operatorKey: async () => (await read('operator.key')).trim(),
    async stop() {
      const open = started.filter(({ child }) => child.exitCode === null && !child.signalCode);
      await Promise.all(open.map(terminate));
      try {
        await proveLedger(pool);
      } finally {
        await pool.end();
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** The sample tenant's hand at one of the processes; replies are held against the contract. */
export async function callerAt({ baseUrl }: ServiceProcess, facts: TenantFacts) {
  return caller(baseUrl, await fetchToken(baseUrl, facts));
}
