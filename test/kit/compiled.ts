import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { init, parse } from 'es-module-lexer';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';
import { filesIn, ownFile } from './projects.ts';

/*
 * Vitest serves a module at a time to a worker that asks for it, which is most of the time of a small test. What
 * our tests import is therefore compiled in one go, each file where its source has changed, and Node loads it.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const makers = ['compiled.ts', 'projects.ts', '../../package-lock.json'].map((name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8'),
);
const key = [root, ...makers].join();
/** Another package, place of the tree or way to compile begins a new folder. */
const compiled = join(
  root,
  'node_modules/.cache',
  `tests-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`,
);

/** Whether tests may import the file: the site of the docs is built. */
const isImported = (path: string) => /\.tsx?$/.test(path) && !/\.(test|d)\.ts$|^site\//.test(path);

const compiledOf = (path: string) => join(compiled, `${path}.mjs`);

/** Packages of hundreds of small modules, which nothing but our own code imports: each part is one file here. */
const packed = ['typebox', 'typebox/value', 'kysely', 'libphonenumber-js/max'];
const packedOf = (name: string) => join(compiled, `packages/${name}.mjs`);

/** How the compiled file names what its source imports; null: as the source does. */
function nameOf(name: string, from: string): string | null {
  const file = ownFile(root, join(root, from), name);
  const path = file && relative(root, file);
  if (path && !isImported(path)) return pathToFileURL(join(root, path)).href;
  const target = path ? compiledOf(path) : packed.includes(name) ? packedOf(name) : null;
  if (target === null) return null;
  const to = relative(dirname(compiledOf(from)), target);
  return to.startsWith('.') ? to : `./${to}`;
}

/** The lexer's words for `import.meta` and an import that is no call, whose quotes it leaves out. */
const metaKind = -2;
const staticKind = -1;

await init;

/** The code with the imports of its compiled neighbours, and the address of its source as its own. */
export function placed(code: string, path: string): string {
  const address = JSON.stringify(pathToFileURL(join(root, path)).href);
  const [imports] = parse(code);
  let text = '';
  let at = 0;
  const replace = (start: number, end: number, by: string): void => {
    text += code.slice(at, start) + by;
    at = end;
  };
  for (const { n: name, s: start, e: end, d: kind } of imports) {
    if (kind === metaKind && code.startsWith('.url', end)) replace(start, end + 4, address);
    const to = name === undefined ? null : nameOf(name, path);
    if (to !== null) replace(start, end, kind === staticKind ? to : JSON.stringify(to));
  }
  return text + code.slice(at);
}

const output = {
  format: 'esm',
  target: 'node20.19',
  outExtension: { '.js': '.mjs' },
  logLevel: 'error',
} as const;

const changedAt = (path: string): Date | undefined =>
  statSync(path, { throwIfNoEntry: false })?.mtime;
/** A compiled file has the time of its source. */
const isFresh = (path: string, changed: Date) =>
  changedAt(compiledOf(path))?.getTime() === changed.getTime();

/** Whole or not at all: another run may read it. */
function write(path: string, text: string, changed: Date): void {
  const to = compiledOf(path);
  const draft = `${to}.${process.pid}`;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(draft, text);
  utimesSync(draft, changed, changed);
  renameSync(draft, to);
}

/** Makes the packages' files once, all or none: another run may make them too. */
async function pack(): Promise<void> {
  const folder = join(compiled, 'packages');
  if (existsSync(folder)) return;
  const draft = `${folder}.${process.pid}`;
  await build({
    ...output,
    entryPoints: packed.map((name) => ({ in: name, out: name })),
    outdir: draft,
    bundle: true,
    splitting: true,
    platform: 'node',
  });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Compiles what has changed, and removes what is gone. */
async function compile(): Promise<void> {
  await pack();
  const sources = filesIn(root).filter(isImported);
  // Read before the files are: what changes meanwhile is compiled by the next run.
  const times = new Map(sources.map((path) => [path, statSync(join(root, path)).mtime]));
  const stale = sources.filter((path) => !isFresh(path, times.get(path) as Date));
  const there = new Set(sources.map(compiledOf));
  // Drafts may be another run's.
  for (const file of existsSync(compiled) ? filesIn(compiled) : [])
    if (file.endsWith('.mjs') && !file.startsWith('packages') && !there.has(join(compiled, file)))
      rmSync(join(compiled, file), { force: true });
  if (stale.length === 0) return;
  const { outputFiles } = await build({
    ...output,
    entryPoints: stale.map((path) => ({ in: join(root, path), out: path })),
    outdir: compiled,
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    const source = relative(compiled, path).replace(/\.mjs$/, '');
    write(source, placed(text, source), times.get(source) as Date);
  }
}

let compiling: Promise<void> | undefined;

/** Has tests load our own modules compiled. While files are watched vitest has to know them, so it serves them. */
export function compiledModules(): Plugin {
  let isOn = false;
  return {
    name: 'compiled-modules',
    enforce: 'pre',
    async configureVitest({ vitest }) {
      isOn = !vitest.config.watch;
      compiling ??= isOn ? compile() : undefined;
      await compiling;
    },
    resolveId(name, importer) {
      if (!isOn || !importer?.startsWith(root)) return null;
      if (packed.includes(name)) return packedOf(name);
      const file = ownFile(root, importer, name);
      const path = file === null ? null : relative(root, file);
      return path !== null && isImported(path) ? compiledOf(path) : null;
    },
  };
}
