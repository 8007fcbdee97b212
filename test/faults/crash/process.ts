import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Config } from '../../../service/config/config.ts';
import type { Deployment } from '../../kit/processes.ts';
import { type Action, openStatementProxy } from '../database/statement_proxy.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Loading hundreds of small modules one by one costs a start 0.2 s, as in scripts/build.mjs. */
const bundled = new Set(['kysely', 'typebox']);

/** The service in a few files, which start several times faster than its sources. */
export async function buildProgram(): Promise<{ readonly main: string; remove(): Promise<void> }> {
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

/** A service process whose every statement passes a proxy, and which can be killed at one. */
export interface CrashProcess {
  readonly baseUrl: string;
  /**
   * From now on counts the statements of requests.
   * @param actionOf what is done with the n-th from 0; at any other than `pass` the process is killed
   */
  watch(actionOf: (index: number) => Action): void;
  /** The statements since `watch`, in order; the last one is the one at which it was killed. */
  seen(): readonly string[];
  /** Kills it, if it lives; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Statements that the process runs now and then, whatever is requested. */
const ofNoRequest = /\b(processes|requests)\b/;

/** Starts a process with the role `api`. */
export async function startCrashProcess(
  deployment: Deployment,
  databaseUrl: string,
  secrets: Pick<Config, 'pinPepper' | 'sealingKey' | 'qrSigningKey'>,
): Promise<CrashProcess> {
  let actionOf: ((index: number) => Action) | null = null;
  let seen: string[] = [];
  let kill = () => {};
  const proxy = await openStatementProxy(databaseUrl, {
    actionOf({ sql }) {
      if (actionOf === null || ofNoRequest.test(sql)) return 'pass';
      seen.push(sql);
      return actionOf(seen.length - 1);
    },
    onCut: () => kill(),
  });
  const { baseUrl, child, ended } = await deployment.start('api', {
    DATABASE_URL: proxy.url,
    LOG_LEVEL: 'silent',
    PIN_PEPPER: secrets.pinPepper.toString('hex'),
    SEALING_KEY: secrets.sealingKey.toString('hex'),
    QR_SIGNING_KEY: secrets.qrSigningKey,
  });
  /** The process first, so that it never learns that its connections broke. */
  kill = () => {
    child.kill('SIGKILL');
    proxy.cutAll();
  };
  return {
    baseUrl,
    watch(decide) {
      seen = [];
      actionOf = decide;
    },
    seen: () => seen,
    async kill() {
      kill();
      await ended;
      await proxy.close();
    },
  };
}
