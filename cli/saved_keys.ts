import { homePath, readHomeFile, writeHomeFile } from './home_file.ts';
import type { Terminal } from './terminal.ts';

/** Keys of whoever signed in by `login`, in the own home and by the address of the service. */
export interface SavedKey {
  readonly id: string;
  readonly key: string;
  readonly scope: string;
  readonly roles: readonly string[];
  readonly expires_at: string;
}

type Saved = Readonly<Record<string, SavedKey>>;

export const savedKeysPath = (terminal: Terminal): string => homePath(terminal, 'credentials.json');

/** One address is written in one way: `https://pay.example.com`. */
export function addressOf(baseUrl: string): string {
  const address = URL.canParse(baseUrl) ? new URL(baseUrl).href : baseUrl;
  return address.endsWith('/') ? address.slice(0, -1) : address;
}

const read = (terminal: Terminal): Saved =>
  readHomeFile<Saved>(savedKeysPath(terminal), 'sign in again with: npm run cli -- login') ?? {};

const write = (terminal: Terminal, saved: Saved): void =>
  writeHomeFile(savedKeysPath(terminal), saved);

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
