import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Config } from '../../../service/config/config.ts';
import { freePort } from '../../kit/free_port.ts';
import { type Fate, openStatementProxy, type Statement } from '../database/statement_proxy.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pollMs = 5;
const startLimitMs = 30_000;

/** Loading hundreds of small modules one by one costs a start 0.2 s, as in scripts/build.mjs. */
const bundled = new Set(['kysely', 'typebox']);

/** The service in a few files, which start several times faster than its sources. */
export interface Program {
  readonly main: string;
  remove(): Promise<void>;
}

/** Builds it in a folder of its own, from which what is installed is found. */
export async function buildProgram(): Promise<Program> {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'tenant-payments-crash-'));
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const external = Object.keys(dependencies).filter((name) => !bundled.has(name));
  await build({
    absWorkingDir: root,
    entryPoints: ['start/main.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: external.flatMap((name) => [name, `${name}/*`]),
    logLevel: 'error',
  });
  const migrations = join(root, 'service/db/migrations');
  await cp(migrations, join(folder, 'migrations'), { recursive: true });
  return {
    main: join(folder, 'main.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A service process whose every statement passes a proxy of its own, and which can be killed at one. */
export interface Victim {
  readonly baseUrl: string;
  /**
   * From now on counts the statements of requests.
   * @param fateOf what becomes of the n-th from 0; at any other than `pass` the process is killed
   */
  watch(fateOf: (index: number) => Fate): void;
  /** The statements since `watch`, in order; the last one is the one at which it was killed. */
  seen(): readonly string[];
  /** Kills it, if it lives; resolves when it is gone. */
  kill(): Promise<void>;
}

export interface VictimOptions {
  readonly program: Program;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly secrets: Pick<Config, 'pinPepper' | 'sealingKey' | 'qrSigningKey'>;
}

/** What a process says of itself now and then, whatever is asked of it. */
const ofNoRequest = /\b(processes|requests)\b/;

/** Starts a process with the role `api` and waits until it is ready. */
export async function startVictim(options: VictimOptions): Promise<Victim> {
  const { program, databaseUrl, dataDir, secrets } = options;
  let fateOf: ((index: number) => Fate) | null = null;
  let seen: string[] = [];
  const judge = ({ sql }: Statement): Fate => {
    if (fateOf === null || ofNoRequest.test(sql)) return 'pass';
    seen.push(sql);
    return fateOf(seen.length - 1);
  };
  const proxy = await openStatementProxy(databaseUrl, { judge, onCut: () => end() });
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const child = spawn(process.execPath, [program.main], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'silent',
      ROLES: 'api',
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATA_DIR: dataDir,
      DATABASE_URL: proxy.url,
      PIN_PEPPER: secrets.pinPepper.toString('hex'),
      SEALING_KEY: secrets.sealingKey.toString('hex'),
      QR_SIGNING_KEY: secrets.qrSigningKey,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'exit');
  /** The process first, so that it never learns that its connections broke. */
  function end(): void {
    child.kill('SIGKILL');
    proxy.cutAll();
  }
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  void ended.then(() => process.off('exit', endWithUs));

  const baseUrl = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const giveUpAtMs = performance.now() + startLimitMs;
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > giveUpAtMs)
      throw new Error(`the service did not start: ${log}`);
    await sleep(pollMs);
  }
  return {
    baseUrl,
    watch(fates) {
      seen = [];
      fateOf = fates;
    },
    seen: () => seen,
    async kill() {
      end();
      await ended;
      await proxy.close();
    },
  };
}
