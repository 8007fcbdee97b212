import { writeSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp, buildService, closeService } from './app.ts';
import { banner } from './banner.ts';
import { type Config, ConfigError } from './config.ts';
import { loadConfig } from './config_secrets.ts';
import { type EmbeddedServer, startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { type Listener, listen } from './http/listen.ts';
import { openLog } from './log.ts';
import type { Service } from './service.ts';
import { sandboxFile, sandboxTenant } from './tenants/sandbox_file.ts';
import { buildWorkers, type Workers } from './workers.ts';

const drainMs = 10_000;

/** What this process has opened so far. */
interface Open {
  listener?: Listener;
  embedded?: EmbeddedServer;
  service?: Service;
  workers?: Workers;
  noteFile?: string;
}

/** The settings once the port is known: 0 asks for any. */
function withPort(config: Config, port: number): Config {
  const isDefault = config.publicUrl === `http://localhost:${config.port}`;
  return { ...config, port, publicUrl: isDefault ? `http://localhost:${port}` : config.publicUrl };
}

/** Where this process is reached, for the command line on the same machine. */
async function noteWhereItRuns(config: Config, databaseUrl: string): Promise<string> {
  const path = join(config.dataDir, 'running.json');
  const facts = { pid: process.pid, port: config.port, database_url: databaseUrl };
  await writeFile(path, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  return path;
}

async function openDatabase(open: Open, config: Config, log: (line: string) => void) {
  if (config.databaseUrl === null)
    open.embedded = await startEmbedded({ dataDir: config.dataDir, log });
  const url = config.databaseUrl ?? open.embedded?.url ?? '';
  try {
    await migrate(url);
  } catch (error) {
    if (config.databaseUrl === null) throw error;
    throw new Error(`DATABASE_URL: ${reasonOf(error)}`);
  }
  return url;
}

/** Starts everything. @throws the reason, as one line for whoever starts it */
async function start(open: Open): Promise<void> {
  const asked = await loadConfig(process.env);
  const log = openLog(asked.logLevel);
  if (asked.roles.has('api')) open.listener = await listen(asked.hosts, asked.port);
  const config = withPort(asked, open.listener?.port ?? asked.port);
  const databaseUrl = await openDatabase(open, config, (line) => log.warn(line));
  open.service = await buildService(config, { databaseUrl, log });

  let isReady = false;
  open.workers = buildWorkers(open.service);
  const app = await buildApp(open.service, open.workers, () => isReady);
  open.listener?.use(app.routing);
  open.noteFile = await noteWhereItRuns(config, databaseUrl);
  if (config.environment === 'sandbox') {
    const { facts, save } = await sandboxTenant(open.service);
    await save();
    const tookMs = process.uptime() * 1_000;
    writeSync(process.stdout.fd, banner(facts, sandboxFile(config.dataDir), tookMs));
  }
  if (config.roles.has('worker')) open.workers.start();
  isReady = true;
}

/** Lets what is under way end, then closes in the order in which one thing needs another. */
async function stop({ listener, workers, service, embedded, noteFile }: Open): Promise<void> {
  await listener?.close(drainMs);
  await workers?.stop();
  if (service) await closeService(service);
  await embedded?.stop();
  if (noteFile) await rm(noteFile, { force: true });
}

/** The reason why a start failed, a line for each fault. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}

/** Resolves when somebody asks the process to end; who asks twice ends it at once. */
const endAsked = new Promise<void>((resolve) => {
  let isAsked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isAsked) process.exit(1);
      isAsked = true;
      resolve();
    });
});

const open: Open = {};
try {
  await start(open);
  await endAsked;
  await stop(open);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  await stop(open).catch(() => {});
  process.exit(1);
}
