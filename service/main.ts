import { writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp, buildService, closeService } from './app.ts';
import { banner } from './banner.ts';
import { type Config, ConfigError } from './config.ts';
import { loadConfig } from './config_secrets.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { listen } from './http/listen.ts';
import { openLog } from './log.ts';
import { sandboxFile, sandboxTenant } from './tenants/sandbox_file.ts';

const drainMs = 10_000;

/** What has been opened, to be closed in the opposite order. */
type Closers = (() => Promise<unknown>)[];

/** Where this process is reached, for the command line on the same machine (mode 0600). */
async function noteWhereItRuns(config: Config, databaseUrl: string): Promise<() => Promise<void>> {
  const path = join(config.dataDir, 'running.json');
  const facts = { pid: process.pid, port: config.port, database_url: databaseUrl };
  await writeFile(path, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  return () => rm(path, { force: true });
}

/** The settings once the port is known: 0 asks for any. */
function withPort(config: Config, port: number): Config {
  const isDefault = config.publicUrl === `http://localhost:${config.port}`;
  return { ...config, port, publicUrl: isDefault ? `http://localhost:${port}` : config.publicUrl };
}

/** Starts everything; each step adds how it ends. @throws the reason, in one line a person can use */
async function start(closers: Closers): Promise<void> {
  const startedAt = performance.now() - process.uptime() * 1_000;
  const asked = await loadConfig(process.env);
  const log = openLog(asked.logLevel);
  const listener = asked.roles.has('api') ? await listen(asked.hosts, asked.port) : null;
  if (listener) closers.push(() => listener.close(drainMs));
  const config = withPort(asked, listener?.port ?? asked.port);

  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({ dataDir: config.dataDir, log: (line) => log.warn(line) })
      : null;
  if (embedded) closers.unshift(() => embedded.stop());
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  await migrate(databaseUrl);
  const service = await buildService(config, { databaseUrl, log });
  closers.splice(embedded ? 1 : 0, 0, () => closeService(service));

  let isReady = false;
  if (listener) {
    const app = await buildApp(service, () => isReady);
    listener.use(app.routing);
  }
  closers.push(await noteWhereItRuns(config, databaseUrl));
  if (config.environment === 'sandbox') {
    const { facts, save } = await sandboxTenant(service);
    await save();
    const tookMs = performance.now() - startedAt;
    writeFileSync(1, banner(facts, sandboxFile(config.dataDir), tookMs));
  }
  isReady = true;
}
