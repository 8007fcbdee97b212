import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** `npm test` runs the tests of `gate`, `npm run test:rest` all others. */
export const tiers = ['gate', 'rest'] as const;
type Tier = (typeof tiers)[number];

/** The tests of the gate that reach the database or a browser, by the beginning of their paths; all pure ones besides. */
export const gate: readonly string[] = [
  'engine/',
  'service/flows/',
  'service/inbound/',
  'service/resources/',
  'service/webhooks/',
  'test/contract/',
  'test/docs/',
  'test/e2e/smoke.test.ts',
  'test/ledger/model/model.test.ts',
  'test/ledger/races/',
  'test/style/',
  'test/upgrade/',
];

/** Tests that would be of the gate and take too long for it. */
const tooLongForTheGate: readonly string[] = [
  'service/resources/reconciliation/long_run.test.ts',
  'test/published/openapi/tomorrow.test.ts',
];

/** A test that reaches one of these needs PostgreSQL, another process, a name server or a browser. */
const outside = new Set(['pg', 'node:child_process', 'node:dgram', 'playwright-core']);

/** A test that reaches one of these needs what `npm run build` makes, as its sources are now. */
const ofBuilt = ['test/kit/processes/built.ts', 'test/kit/pages/browser/web.ts'];

/** Imports that leave something behind when types are stripped. */
const importing =
  /^(?:import|export)\s(?!type\b)(?:[^;']*?from\s)?'([^']+)'|\bimport\(\s*'([^']+)'/gm;
/** `import { type A, type B } from` is types alone. */
const typesAlone = /^import \{(?:\s*type \w+(?: as \w+)?,?)*\s*\} from '[^']+';/gm;

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(typesAlone, '');
  return [...text.matchAll(importing)].map(([, plain, lazy]) => plain ?? lazy ?? '');
}

/** An SDK by the name that it is published under. */
const published = /^@tenant-payments\/sdk-(server|browser)(?:\/(\w+))?$/;

/** The file that an import names; null: it is another package. Our own are folders of their last name. */
export function ownFile(root: string, from: string, name: string): string | null {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [, sdk, part = 'index'] = published.exec(name) ?? [];
  if (sdk) return join(root, 'sdk', sdk, `${part}.ts`);
  const [scope, own = '', ...path] = name.split('/');
  return scope === '@tenant-payments' && path.length > 0 ? join(root, own, ...path) : null;
}

/** The direct importers of each file and each package, of all that the tests reach. */
function importersOf(root: string, tests: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  const files = new Set(tests.map((test) => join(root, test)));
  for (const file of files)
    for (const name of existsSync(file) ? importsOf(file) : []) {
      const path = ownFile(root, file, name);
      if (path !== null && /\.tsx?$/.test(path)) files.add(path);
      const imported = path ?? name;
      const known = importers.get(imported);
      if (known) known.push(file);
      else importers.set(imported, [file]);
    }
  return importers;
}

/** The files of ours that these import, directly or through others. */
export function filesReached(root: string, files: readonly string[]): string[] {
  const reached = [...importersOf(root, files).keys()].filter((path) => path.startsWith(root));
  return reached.map((path) => relative(root, path));
}

/** The files that import one of these, directly or through others, and these. */
function reaching(importers: ReadonlyMap<string, string[]>, names: Iterable<string>): Set<string> {
  const found = new Set(names);
  for (const name of found) for (const file of importers.get(name) ?? []) found.add(file);
  return found;
}

const skipped = new Set(['node_modules', 'dist']);

/** All files of a folder, as paths from it; of ours none that was made. */
export function filesIn(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return path;
    return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : filesIn(root, path);
  });
}

/** All test files of the repository. */
const testsIn = (root: string) => filesIn(root).filter((path) => path.endsWith('.test.ts'));

/** How a test file is run (see test/kit/README.md). */
type Project = 'pure' | 'database' | 'isolated' | 'built';

/** Whether a test replaces a module or measures memory. */
const isAlone = (path: string): boolean =>
  /^vi\.mock\(|process\.memoryUsage/m.test(readFileSync(path, 'utf8'));

function tierOf(file: string, project: Project): Tier {
  const begins = (path: string) => file.startsWith(path);
  if (tooLongForTheGate.some(begins)) return 'rest';
  return project === 'pure' || gate.some(begins) ? 'gate' : 'rest';
}

/** The tests that a command may mean by what it names, at least those that vitest takes; all where it names none. */
function meant(root: string, tests: readonly string[], named: readonly string[]): string[] {
  const parts = named.flatMap((name) => {
    const text = name.replace(/:\d+$/, '').toLowerCase();
    return [text, relative(root.toLowerCase(), resolve(root.toLowerCase(), text))];
  });
  const found = tests.filter((test) => parts.some((part) => test.toLowerCase().includes(part)));
  return found.length > 0 ? found : [...tests];
}

interface Choice {
  /** Absent: of both. */
  readonly tier?: string | undefined;
  /** Paths and parts of paths, as a command names tests. */
  readonly named?: readonly string[];
}

/** The test files of each project, as paths from the root. */
export function sortTests(
  root: string,
  { tier, named = [] }: Choice = {},
): Record<Project, string[]> {
  const tests = meant(root, testsIn(root), named);
  const importers = importersOf(root, tests);
  const needBuilt = reaching(
    importers,
    ofBuilt.map((path) => join(root, path)),
  );
  const needOutside = reaching(importers, outside);
  const projectOf = (path: string): Project => {
    if (needBuilt.has(path)) return 'built';
    if (isAlone(path)) return 'isolated';
    return needOutside.has(path) ? 'database' : 'pure';
  };
  const sorted: Record<Project, string[]> = { pure: [], database: [], isolated: [], built: [] };
  for (const file of tests) {
    const project = projectOf(join(root, file));
    if (tier === undefined || tier === tierOf(file, project)) sorted[project].push(file);
  }
  return sorted;
}

/** The test files that import a file of the repository, directly or through others. */
export function testsThatReach(root: string, path: string): string[] {
  const tests = testsIn(root);
  const found = reaching(importersOf(root, tests), [join(root, path)]);
  return tests.filter((test) => found.has(join(root, test)));
}
