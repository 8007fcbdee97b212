import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TestDatabase } from '../database/database.ts';
import { root } from './built.ts';
import { freePort } from './free_port.ts';
import { runNode } from './run_node.ts';

/** Waits until it ends. @returns what it printed. @throws what it said, when it fails */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<string> {
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`it ended with ${code}: ${errors}${out}`);
  return out;
}

/** Runs a program to its end. */
export const run = (
  program: string,
  args: readonly string[],
  how: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> => ended(spawn(program, args, how));

/** Packs what is built, for this machine, into a folder. @returns the archive */
export async function packRelease(folder: string): Promise<string> {
  const packed = await runNode(['scripts/release.mjs', '--here', '--to', folder], { cwd: root });
  if (packed.code !== 0) throw new Error(packed.stderr);
  return join(folder, basename(packed.stdout.split(':')[0] ?? ''));
}

const railsModule = `
const never = async () => { throw new Error('not asked'); };
export const rails = {
  identity: { collect: never, check: never, matches: never },
  aggregator: { linkToken: never, exchange: never, verify: never },
  bank: { take: never },
  messages: { send: never },
  listen: () => {},
};`;

const newKey = () => randomBytes(32).toString('base64');

/** Settings of production on a migrated database, with an outside that nobody asks. @param folder for its module */
export async function productionSettings(
  { url, serviceUrl }: TestDatabase,
  folder: string,
): Promise<Record<string, string>> {
  const RAILS = join(folder, 'rails.mjs');
  await writeFile(RAILS, railsModule);
  return {
    ENVIRONMENT: 'production',
    DATABASE_URL: serviceUrl,
    MIGRATION_DATABASE_URL: url,
    PUBLIC_URL: 'https://pay.example.com',
    RAILS,
    PIN_PEPPER: newKey(),
    SEALING_KEY: newKey(),
    QR_SIGNING_KEY: newKey(),
    METRICS_PORT: String(await freePort()),
    PORT: String(await freePort()),
  };
}
