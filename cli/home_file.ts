import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Terminal, UsageError } from './terminal.ts';

/** A relative XDG_CONFIG_HOME is to be ignored (XDG Base Directory Specification). */
export function homePath({ env }: Terminal, name: string): string {
  const { XDG_CONFIG_HOME: given = '', HOME: home = '' } = env;
  const base = isAbsolute(given) ? given : join(home || homedir(), '.config');
  return join(base, 'tenant-payments', name);
}

const unusable = (path: string, error: unknown): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new UsageError(
    `${path} cannot be used (${code})`,
    'Make it yours alone to read and write.',
  );
};

/**
 * Reads a file of JSON; null: there is none.
 * @param next what to do where it is not JSON
 * @throws UsageError for a file that cannot be read, or is not ours
 */
export function readHomeFile<T>(path: string, next: string): T | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(path, error);
  }
  try {
    return JSON.parse(text) as T | null;
  } catch {
    throw new UsageError(`${path} is not JSON`, `Remove the file, and ${next}`);
  }
}

/** Written beside it and moved, so that a crash leaves the earlier file whole. Nobody else reads it. */
export function writeHomeFile(path: string, content: object): void {
  const beside = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(beside, path);
  } catch (error) {
    throw unusable(path, error);
  }
}
