import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Terminal, UsageError } from './terminal.ts';

/** Keys of whoever signed in by `login`, in the own home and by the address of the service. */
export interface SavedKey {
  readonly id: string;
  readonly key: string;
  readonly scope: string;
  readonly roles: readonly string[];
  readonly expires_at: string;
}

type Saved = Readonly<Record<string, SavedKey>>;

/** A relative XDG_CONFIG_HOME is to be ignored (XDG Base Directory Specification). */
export function savedKeysPath({ env }: Terminal): string {
  const { XDG_CONFIG_HOME: given = '', HOME: home = '' } = env;
  const base = isAbsolute(given) ? given : join(home || homedir(), '.config');
  return join(base, 'tenant-payments', 'credentials.json');
}

/** One address is written in one way: `https://pay.example.com`. */
export function addressOf(baseUrl: string): string {
  const address = URL.canParse(baseUrl) ? new URL(baseUrl).href : baseUrl;
  return address.endsWith('/') ? address.slice(0, -1) : address;
}

const unusable = (path: string, error: unknown): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new UsageError(
    `${path} cannot be used (${code})`,
    'Make it yours alone to read and write.',
  );
};

/** @throws UsageError for a file that cannot be read, or is not ours */
function read(terminal: Terminal): Saved {
  const path = savedKeysPath(terminal);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw unusable(path, error);
  }
  try {
    return (JSON.parse(text) ?? {}) as Saved;
  } catch {
    const hint = 'Remove the file, and sign in again with: npm run cli -- login';
    throw new UsageError(`${path} is not JSON`, hint);
  }
}

/** Written beside it and moved, so that a crash leaves the earlier file whole. Nobody else reads it. */
function write(terminal: Terminal, saved: Saved): void {
  const path = savedKeysPath(terminal);
  const beside = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(beside, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 });
    renameSync(beside, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Before somebody is asked for a key. @throws UsageError when it could not be saved */
export const assertSaving = (terminal: Terminal): void => write(terminal, read(terminal));

export function savedKeyOf(terminal: Terminal, baseUrl: string): SavedKey | null {
  return read(terminal)[addressOf(baseUrl)] ?? null;
}

export function saveKey(terminal: Terminal, baseUrl: string, key: SavedKey): void {
  write(terminal, { ...read(terminal), [addressOf(baseUrl)]: key });
}

export function removeKey(terminal: Terminal, baseUrl: string): void {
  const { [addressOf(baseUrl)]: _, ...others } = read(terminal);
  write(terminal, others);
}
