import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';

/** How far a week has been played, so that the next start goes on (rules/sandbox#45). */
export interface Progress {
  /** When the week ends: the plan's days count back from it. */
  readonly end: Instant;
  /** How many moments of the plan have been played. */
  readonly played: number;
  /** The ids of the records, by the names of the plan. */
  readonly ids: Readonly<Record<string, string>>;
  /** Everything has been played, and the clock has come to real time. */
  readonly isDone: boolean;
}

const fileIn = (dataDir: string): string => join(dataDir, 'sample_week.json');

/** @returns null where nothing is there that can be read */
export async function readProgress(dataDir: string): Promise<Progress | null> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
  } catch {
    return null;
  }
}

/** Replaced as a whole, so that a crash leaves the old file or the new one. */
export async function writeProgress(dataDir: string, progress: Progress): Promise<void> {
  const path = fileIn(dataDir);
  await writeFile(`${path}.new`, JSON.stringify(progress), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
