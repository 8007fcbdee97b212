import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildIfStale } from '../kit/processes/built.ts';

/**
 * The bytes that a browser loads before portal or console shows its first page, and for each group of pages besides.
 */
const firstLoadBytes = 250_000;
const ownPartBytes = 60_000;
/** The scales of charts. */
const chartBytes = 15_000;
/** The bytes that a customer loads, or a person who signs in. */
const smallPageBytes = 70_000;

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

beforeAll(() => buildIfStale('web'));

/** Each application with the group of its first page; null: the heading of that page comes with the application. */
const applications = [
  ['portal', null],
  ['console', 'home'],
] as const;
/** The most files of an application and a group together. */
const filesAtMost = 12;

test.each(applications)(
  'the first page of the %s comes with at most 250 kB, each group of pages with at most 60 kB more, in few files',
  (name, home) => {
    const { [name]: application } = JSON.parse(read('manifest.json').toString());
    const shell = closureOf(application.script);
    const own = importedLater(application.script).map((page) => {
      const parts = [...closureOf(page)].filter((part) => !shell.has(part));
      return { page, bytes: sizeOf(parts), files: shell.size + parts.length };
    });
    expect(own.length).toBeGreaterThan(2);
    const first = own.find(({ page }) => page.startsWith(`${home}-`));
    const firstBytes = home === null ? 0 : (first?.bytes ?? Infinity);
    expect(sizeOf([...shell, application.style]) + firstBytes).toBeLessThan(firstLoadBytes);
    const large = own.filter(({ bytes, files }) => bytes > ownPartBytes || files > filesAtMost);
    expect(large).toEqual([]);
  },
);

test.each(applications)(
  'the scales of the charts of the %s come after the page, with at most 15 kB',
  (name) => {
    const { [name]: application } = JSON.parse(read('manifest.json').toString());
    const shell = closureOf(application.script);
    const pages = [...new Set(importedLater(application.script))];
    const charts = pages.flatMap((page) => [...closureOf(page)].flatMap(importedLater));
    const found = charts.filter((script) => script.startsWith('scales-'));
    expect(found.length).toBeGreaterThan(0);
    const withPages = pages.flatMap((page) => [...closureOf(page)]);
    expect(withPages.filter((script) => found.includes(script))).toEqual([]);
    for (const script of new Set(found)) {
      const parts = [...closureOf(script)].filter(
        (part) => !shell.has(part) && !withPages.includes(part),
      );
      expect(sizeOf(parts)).toBeLessThan(chartBytes);
    }
  },
);

test.each(['flows', 'sign_in'])(
  '%s is one script and one style of 70 kB at most, so it shows after three round trips',
  (name) => {
    const { script, style } = JSON.parse(read('manifest.json').toString())[name];
    expect([...closureOf(script)]).toEqual([script]);
    expect(sizeOf([script, style])).toBeLessThan(smallPageBytes);
  },
);

test('every part of Mantine that portal or console shows has its style', () => {
  const styles = readFileSync(join(root, 'web/staff/mantine.css'), 'utf8');
  const shown = ['web/staff', 'web/portal', 'web/console']
    .flatMap(sources)
    .flatMap((text) =>
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
