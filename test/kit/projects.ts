import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A test that reaches one of these needs PostgreSQL, another process, a name server or a browser. */
const outside = new Set(['pg', 'node:child_process', 'node:dgram', 'playwright-core']);

/** Imports that leave something behind when types are stripped. */
const importing =
  /^(?:import|export)\s(?!type\b)(?:[^;']*?from\s)?'([^']+)'|\bimport\(\s*'([^']+)'/gm;
/** `import { type A, type B } from` is types alone. */
const typesAlone = /^import \{(?:\s*type \w+(?: as \w+)?,?)*\s*\} from '[^']+';/gm;

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(typesAlone, '');
  return [...text.matchAll(importing)].map(([, plain, lazy]) => plain ?? lazy ?? '');
}

const workspaces: Readonly<Record<string, string>> = {
  '@tenant-payments/contract': 'contract',
  '@tenant-payments/service': 'service',
  '@tenant-payments/cli': 'cli',
};

/** The file that an import names; null: it is another package. */
function resolved(root: string, from: string, name: string): string | null {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [scope = '', own = '', ...path] = name.split('/');
  const folder = workspaces[`${scope}/${own}`];
  return folder && path.length > 0 ? join(root, folder, ...path) : null;
}

/** Tells pure tests from others by what they import, directly or through other files. */
function openPureTests(root: string): (file: string) => boolean {
  const known = new Map<string, readonly string[]>();
  const reads = (file: string) => {
    const found = known.get(file) ?? (existsSync(file) ? importsOf(file) : []);
    known.set(file, found);
    return found;
  };
  return (test) => {
    const seen = new Set([join(root, test)]);
    for (const file of seen)
      for (const name of reads(file)) {
        if (outside.has(name)) return false;
        const next = resolved(root, file, name);
        if (next !== null && /\.tsx?$/.test(next)) seen.add(next);
      }
    return true;
  };
}

const skipped = new Set(['node_modules', 'dist']);

/** All test files of the repository, as paths from its root. */
function testsIn(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skipped.has(entry.name) && !entry.name.startsWith('.'))
      return testsIn(root, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

interface Projects {
  readonly pure: string[];
  readonly isolated: string[];
  readonly database: string[];
}

/** The test files of each project, as paths from the root of the repository. */
export function sortTests(root: string): Projects {
  const isPure = openPureTests(root);
  const isAlone = (file: string) =>
    /^vi\.mock\(|process\.memoryUsage/m.test(readFileSync(join(root, file), 'utf8'));
  const projects: Projects = { pure: [], isolated: [], database: [] };
  for (const file of testsIn(root))
    projects[isAlone(file) ? 'isolated' : isPure(file) ? 'pure' : 'database'].push(file);
  return projects;
}
