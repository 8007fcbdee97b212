import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../kit/free_port.ts';

/** What a sandbox writes to `DATA_DIR/sandbox.json` (surfaces: Start). */
export interface SandboxFacts {
  readonly base_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly webhook_secret: string;
}

/** A sandbox of one's own: its process, its database and its folder. */
export interface SandboxProcess {
  readonly facts: SandboxFacts;
  readonly startedInMs: number;
  /** Ends the process as an operator would (SIGTERM) and removes its folder; the exit code. */
  stop(): Promise<number | null>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyWithinMs = 60_000;
const endsWithinMs = 15_000;
const pollMs = 25;
const keptOutput = 8_000;

/** Settings of whoever calls must not reach a sandbox that is meant to be fresh. */
const ownSettings =
  /^(PORT|HOST|PUBLIC_URL|DATA_DIR|DATABASE_URL|ENVIRONMENT|ROLES|RAILS|METRICS_PORT|LOG_LEVEL|(PIN_PEPPER|SEALING_KEY|QR_SIGNING_KEY)(_FILE)?)$/;

/** When a file of the folder was last written, in epoch milliseconds. */
async function lastWritten(folder: string): Promise<number> {
  const names = await readdir(join(root, folder), { recursive: true });
  const sources = names.filter(
    (name) => /\.(ts|sql)$/.test(name) && !/^dist|[.]test[.]/.test(name),
  );
  const stats = await Promise.all(sources.map((name) => stat(join(root, folder, name))));
  return Math.max(...stats.map(({ mtimeMs }) => mtimeMs));
}

/** What `npm start` runs where it was built after the last change, else the sources themselves. */
async function serviceCommand(): Promise<string[]> {
  const built = await stat(join(root, 'dist/main.js')).catch(() => null);
  const sources = ['start', 'service', 'contract', 'examples/corner-shop', 'sdk/server'];
  const written = await Promise.all(sources.map(lastWritten));
  const isFresh = built !== null && built.mtimeMs > Math.max(...written);
  return isFresh ? ['dist/main.js'] : ['--import', 'tsx', 'start/main.ts'];
}

async function spawnService(dataDir: string): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const inherited = Object.entries(process.env).filter(([name]) => !ownSettings.test(name));
  const child = spawn(process.execPath, await serviceCommand(), {
    cwd: root,
    env: {
      ...Object.fromEntries(inherited),
      DATA_DIR: dataDir,
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, port };
}

/** The last of what a process wrote, for whoever must find out why it did not start. */
function lastOutput(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-keptOutput);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text;
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (reply) => {
      await reply.arrayBuffer();
      return reply.status === 200;
    },
    () => false,
  );

async function untilReady(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (!(await isReady(port))) {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`the sandbox ended (${ended}):\n${output()}`);
    if (performance.now() > deadline)
      throw new Error(`the sandbox was not ready in ${readyWithinMs} ms:\n${output()}`);
    await sleep(pollMs);
  }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), endsWithinMs);
  await exited;
  clearTimeout(timer);
  return child.exitCode;
}

/**
 * Starts a fresh sandbox on a free port, with an empty temporary DATA_DIR and its own PostgreSQL.
 * @param signal ends it while it starts; rejects with what the process said when it cannot start
 */
export async function startSandbox(signal?: AbortSignal): Promise<SandboxProcess> {
  const startedAt = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), 'tenant-payments-demo-'));
  // Started by root the database runs as another user, who must be able to enter.
  await chmod(dataDir, 0o711);
  const { child, port } = await spawnService(dataDir);
  const output = lastOutput(child);
  const stop = async () => {
    const code = await end(child);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    return code;
  };
  const onAbort = () => void child.kill('SIGTERM');
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    await untilReady(child, port, output);
    const text = await readFile(join(dataDir, 'sandbox.json'), 'utf8');
    const startedInMs = performance.now() - startedAt;
    return { facts: JSON.parse(text) as SandboxFacts, startedInMs, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
