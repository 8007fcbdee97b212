import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beside } from './build_apart.mjs';

const loader = fileURLToPath(new URL('../start/compiled.ts', import.meta.url));

/** The function that CommonJS calls a module by; strict, as modules are. */
const wrapped = {
  before: "(function (exports, require, module, __filename, __dirname) { 'use strict';",
  after: '})',
};
/** An import's address has no name in CommonJS. */
const address = "const __address = require('node:url').pathToFileURL(__filename).href;";

/** Leaves `start/import_module.ts` out of the script. */
const importing = {
  name: 'importing',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/import_module\.ts$/ }, () => ({
      path: './import_module.cjs',
      external: true,
    })),
};

/**
 * Leaves packages and adapters that are imported when they are needed out of the script: a start reads each of its
 * bytes.
 */
const apart = (external, packages) => ({
  name: 'apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[@\w]|\/adapters\/\w+\/index\.ts$/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || external.includes(path)) return;
      if (path.startsWith('@tenant-payments/')) return;
      const adapter = /adapters\/(\w+)\/index\.ts$/.exec(path);
      const name = adapter ? `adapter_${adapter[1]}` : path.replace(/^@/, '').replaceAll('/', '_');
      packages[name] = adapter ? adapter[0] : path;
      return { path: `./${name}.cjs`, external: true };
    }),
});

/** The same of programs that are modules: an adapter is one file for all of them. */
export const adaptersBeside = {
  name: 'adapters beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/adapters\/\w+\/index\.ts$/ }, ({ kind, path }) => {
      const [, name] = /adapters\/(\w+)\/index\.ts$/.exec(path);
      return kind === 'dynamic-import'
        ? { path: `./adapter_${name}.cjs`, external: true }
        : undefined;
    }),
};

/** Has a program's first file load the script, and keep its compiled code. */
const loading = {
  name: 'loading',
  setup: ({ onResolve }) => onResolve({ filter: /\/load_service\.ts$/ }, () => ({ path: loader })),
};

/**
 * Bundles a service into one script, and what starts it into `main.js`, where `start/compiled.ts` stands in the
 * place of `start/load_service.ts`. The script's name holds a hash of its content, so that no kept code outlives it.
 * @param main the file that starts it
 * @param service the file that the script is made from
 */
export async function buildCompiled({ main, service, banner, ...options }) {
  const packages = {};
  const script = await build({
    ...options,
    format: 'cjs',
    entryPoints: { service },
    entryNames: '[name]-[hash]',
    banner: { js: [wrapped.before, address, banner].join(' ') },
    footer: { js: wrapped.after },
    define: { 'import.meta.url': '__address' },
    // A module imported by its name is required instead.
    supported: { 'dynamic-import': false },
    plugins: [importing, beside, apart(options.external ?? [], packages)],
    metafile: true,
  });
  const written = Object.keys(script.metafile.outputs).find((path) => path.endsWith('.js'));
  await build({
    ...options,
    format: 'cjs',
    entryPoints: { ...packages, import_module: 'start/import_module.ts' },
    outExtension: { '.js': '.cjs' },
  });
  await build({
    ...options,
    format: 'esm',
    entryPoints: { main },
    define: { BUNDLE: JSON.stringify(`./${basename(written)}`) },
    plugins: [loading],
  });
}
