import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A seed with which a test failed once: from then on the test runs with it every day (vitest.config.ts). */
export interface KeptSeed {
  /** The test file, as a path from the root of the repository. */
  readonly file: string;
  readonly seed: number;
  /** The day on which it was found, as `2026-11-28`. */
  readonly found: string;
  /** The test that failed. */
  readonly failed: string;
}

const folder = fileURLToPath(new URL('./kept/', import.meta.url));

function readKept(): KeptSeed[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** Each is a file in `test/seeds/kept`; whoever has mended the fault commits it with the change. */
export const keptSeeds: readonly KeptSeed[] = readKept();

/** Writes a seed down. @returns the path of its file from the root of the repository */
export function keepSeed(kept: KeptSeed): string {
  mkdirSync(folder, { recursive: true });
  const name = `${kept.file.replaceAll(/[^a-z0-9]+/g, '-')}-${kept.seed}.json`;
  writeFileSync(join(folder, name), `${JSON.stringify(kept, null, 2)}\n`);
  return `test/seeds/kept/${name}`;
}
