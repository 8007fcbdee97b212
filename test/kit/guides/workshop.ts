import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openRails, sandboxSample } from '../../../start/composition.ts';
import { caller } from '../http/http.ts';
import { startTestServer } from '../server.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Whether a tool is on this machine, by its version. */
export const hasTool = (tool: string, option = '--version'): boolean =>
  spawnSync(tool, [option]).status === 0;

export interface Ran {
  readonly code: number | null;
  /** The output, on either stream. */
  readonly output: string;
}

/** A folder and a sandbox Tenant with the sample people: what a reader of one page has. */
export interface Desk {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** @returns the path */
  write(name: string, text: string): string;
  /** Runs a program to its end, in this folder and for this Tenant. */
  run(command: string, args: readonly string[]): Promise<Ran>;
  /** Has the service send a sample event to an address. @returns the event and its first attempt */
  deliver(url: string, type: string): Promise<ReturnType<typeof JSON.parse>>;
}

/** A running sandbox in which pages are tried, each with a Tenant of its own. */
export interface Workshop {
  desk(name: string): Promise<Desk>;
  close(): Promise<void>;
}

/** Packages of frameworks that the pages show. */
const frameworks = ['express', 'fastify', 'hono', '@nestjs', 'reflect-metadata'];

/** `node_modules` as a reader's project has it: the packed SDK, and the frameworks. */
async function installPackages(folder: string): Promise<void> {
  const sdk = join(folder, 'node_modules/@tenant-payments/sdk-server');
  mkdirSync(sdk, { recursive: true });
  await build({
    entryPoints: [join(root, 'sdk/server/index.ts')],
    outfile: join(sdk, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const manifest = { name: '@tenant-payments/sdk-server', type: 'module', exports: './index.js' };
  writeFileSync(join(sdk, 'package.json'), JSON.stringify(manifest));
  for (const name of frameworks)
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
}

interface Started {
  readonly child: ChildProcess;
  /** The output so far, on either stream. */
  output(): string;
}

function start(
  desk: Pick<Desk, 'folder' | 'env'>,
  command: string,
  args: readonly string[],
): Started {
  const child = spawn(command, args, { cwd: desk.folder, env: desk.env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return { child, output: () => output };
}

/** Starts a program of a page that listens, and waits until it does. */
export async function startServer(
  desk: Desk,
  command: string,
  args: readonly string[],
  port: number,
): Promise<{ output(): string; stop(): void }> {
  const { child, output } = start(desk, command, args);
  const url = `http://localhost:${port}/`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`it ended: ${output()}`);
    await sleep(50);
  }
  return { output, stop: () => void child.kill() };
}

function runIn(folder: string, env: NodeJS.ProcessEnv): Desk['run'] {
  return async (command, args) => {
    const { child, output } = start({ folder, env }, command, args);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { code, output: output() };
  };
}

export async function openWorkshop(): Promise<Workshop> {
  const house = await startTestServer({ answerAfterSeconds: 0 });
  const rails = await openRails(house.service);
  const sample = sandboxSample(house.service, rails);
  const folder = mkdtempSync(join(tmpdir(), 'tpay-guides-'));
  await installPackages(folder);
  return {
    async desk(name) {
      const tenant = await house.anotherTenant({ sample: true, settings: sampleGrace });
      await sample.seed(tenant.tenantId);
      const own = join(folder, name);
      mkdirSync(own, { recursive: true });
      const write = (file: string, text: string) => {
        mkdirSync(dirname(join(own, file)), { recursive: true });
        writeFileSync(join(own, file), text);
        return join(own, file);
      };
      write('sandbox.json', JSON.stringify({ ...tenant, base_url: house.baseUrl }));
      // A call that is answered 4xx or 5xx ends a script.
      write('.curlrc', 'fail-with-body\nshow-error\n');
      const env = {
        ...process.env,
        CURL_HOME: own,
        DATA_DIR: own,
        PAY_BASE_URL: house.baseUrl,
        PAY_CLIENT_ID: tenant.client_id,
        PAY_CLIENT_SECRET: tenant.client_secret,
        PAY_WEBHOOK_SECRET: tenant.webhook_secret,
      };
      const call = caller(house.baseUrl, tenant.token);
      const deliver: Desk['deliver'] = async (url, type) => {
        await call('PUT', '/portal/api/webhook-endpoint', { body: { url, enabled: true } });
        return (await call('POST', '/portal/api/webhook-endpoint/test', { body: { type } })).body;
      };
      return { folder: own, env, write, run: runIn(own, env), deliver };
    },
    async close() {
      rmSync(folder, { recursive: true });
      await house.stop();
    },
  };
}

/** The grace of a new sandbox. */
const sampleGrace = { confirmation_grace_seconds: 120 };
