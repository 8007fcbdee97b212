import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program and its arguments, run from the repository's root. */
export type Command = readonly [string, ...string[]];

/** The command of `npm start`, with further options of Node before it. */
export function serviceCommand(...nodeOptions: readonly string[]): Command {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const node = [process.execPath, ...nodeOptions].join(' ');
  return ['sh', '-c', String(scripts.start).replace(/\bnode\b/, node)];
}

/** The built service, started like `npm start`. */
export interface ServiceProcess {
  /** The process's id, or npm's if npm started it. */
  readonly pid: number;
  readonly port: number;
  readonly dataDir: string;
  /** From the spawn to the first 200 of /readyz. */
  readonly secondsToReady: number;
  /** SIGTERM. @throws when it does not end with exit code 0 */
  readonly stop: () => Promise<void>;
}

export interface ServiceOptions {
  readonly dataDir: string;
  readonly command?: Command;
  /** The database of a service on the same folder: this process then has only the role `api`. */
  readonly databaseUrl?: string;
  /** Its `CELLS`; absent: it serves its database's one cell. */
  readonly cells?: readonly string[];
  /** Other settings. */
  readonly more?: Readonly<Record<string, string>>;
}

/** The repository's root: `npm run` starts there. */
export const root = new URL('..', import.meta.url).pathname;

const pollMs = 8;
const startLimitMs = 60_000;

export function buildService(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', 'service'], { cwd: root, stdio: 'inherit' });
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function isReady(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
    await reply.arrayBuffer();
    return reply.status === 200;
  } catch {
    return false;
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

async function stop(child: ChildProcess, logFile: string): Promise<void> {
  if (isRunning(child)) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  if (child.exitCode !== 0)
    throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}: ${logFile}`);
}

/** Its own settings, not the caller's, on free ports. */
async function environmentOf({ dataDir, databaseUrl, cells, more }: ServiceOptions) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'warn',
    SAMPLE_WEEK: '0',
    ...(cells === undefined ? {} : { CELLS: cells.join(',') }),
    ...(databaseUrl === undefined
      ? {}
      : { ENVIRONMENT: 'sandbox', DATABASE_URL: databaseUrl, ROLES: 'api' }),
    ...more,
  };
  return { port, environment };
}

/**
 * Starts the service on a folder, with its own settings, not the caller's.
 * @throws when it is not ready in time; its log is beside the data
 */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const { dataDir, command = serviceCommand(), databaseUrl } = options;
  const { port, environment } = await environmentOf(options);
  const logFile = databaseUrl === undefined ? `${dataDir}.log` : `${dataDir}-second.log`;
  const output = openSync(logFile, 'a');
  const [program, ...args] = command;
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', output, output],
    env: environment,
  });
  const kill = () => {
    if (child.pid !== undefined && isRunning(child)) process.kill(-child.pid, 'SIGTERM');
  };
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  while (!(await isReady(port))) {
    const isLate = performance.now() - started > startLimitMs;
    if (isLate || !isRunning(child)) throw new Error(`the service did not start: ${logFile}`);
    await sleep(pollMs);
  }
  const secondsToReady = (performance.now() - started) / 1000;
  const stopIt = () => stop(child, logFile);
  return { pid: child.pid ?? 0, port, dataDir, secondsToReady, stop: stopIt };
}

/** The path of a sandbox's credentials file (rules/sandbox#24). */
export const sandboxFile = (dataDir: string): string => join(dataDir, 'sandbox.json');
