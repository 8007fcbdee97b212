import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildIfStale } from '../kit/processes/built.ts';

/** What a browser loads before the portal shows its first page, and for each page besides. */
const firstLoadBytes = 250_000;
const ownPartBytes = 60_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(root, 'dist/web', name));
const sizeOf = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(read(name)).length, 0);

const named = (script: string, form: RegExp): string[] =>
  [...read(script).toString().matchAll(form)].map(([, name]) => name ?? '');
const imported = (script: string) => named(script, /(?:from|import)"\.\/([\w.-]+\.js)"/g);
const importedLater = (script: string) => named(script, /import\("\.\/([\w.-]+\.js)"\)/g);

/** A script with all that it cannot start without. */
function closureOf(script: string, found = new Set<string>()): Set<string> {
  if (found.has(script)) return found;
  found.add(script);
  for (const one of imported(script)) closureOf(one, found);
  return found;
}

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));

beforeAll(buildIfStale, 60_000);

test('the first page of the portal comes with at most 250 kB, each other page with at most 60 kB more', () => {
  const { portal } = JSON.parse(read('manifest.json').toString());
  const shell = closureOf(portal.script);
  const own = importedLater(portal.script).map((page) => {
    const parts = [...closureOf(page)].filter((name) => !shell.has(name));
    return { page, bytes: sizeOf(parts) };
  });
  expect(own.length).toBeGreaterThan(10);
  const home = own.find(({ page }) => page.startsWith('home-'));
  expect(sizeOf(shell) + sizeOf([portal.style]) + (home?.bytes ?? 0)).toBeLessThan(firstLoadBytes);
  expect(own.filter(({ bytes }) => bytes > ownPartBytes)).toEqual([]);
});

test('every part of Mantine that the portal shows has its style', () => {
  const styles = readFileSync(join(root, 'web/portal/mantine.css'), 'utf8');
  const shown = sources('web/portal').flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim().replace(/^type /, '')),
    ),
  );
  const missing = [...new Set(shown)].filter(
    (name) =>
      existsSync(join(root, `node_modules/@mantine/core/styles/${name}.css`)) &&
      !styles.includes(`/${name}.css`),
  );
  expect(shown.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
