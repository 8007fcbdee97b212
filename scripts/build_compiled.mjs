import { basename } from 'node:path';
import { build } from 'esbuild';

/** What CommonJS calls a module with; strict, as modules are. */
const wrapped = {
  before: "(function (exports, require, module, __filename, __dirname) { 'use strict';",
  after: '})',
};
/** An import's address has no name in CommonJS. */
const address = "const __address = require('node:url').pathToFileURL(__filename).href;";

/** Leaves `service/import_module.ts` out of the script. */
const importing = {
  name: 'importing',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/import_module\.ts$/ }, () => ({
      path: './import_module.cjs',
      external: true,
    })),
};

/**
 * Bundles a program into one script, and `main.js`, which runs it and keeps its compiled code
 * (start/compiled.ts). The script's name holds a hash of its content, so that no kept code outlives it.
 * @param entry [the script's name, the program's file]
 */
export async function buildCompiled({ entry: [name, file], banner, ...options }) {
  const script = await build({
    ...options,
    format: 'cjs',
    entryPoints: { [name]: file },
    entryNames: '[name]-[hash]',
    banner: { js: [wrapped.before, address, banner].join(' ') },
    footer: { js: wrapped.after },
    define: { 'import.meta.url': '__address' },
    // What is imported by its name is required instead.
    supported: { 'dynamic-import': false },
    plugins: [importing],
    metafile: true,
  });
  const written = Object.keys(script.metafile.outputs).find((path) => path.endsWith('.js'));
  await build({
    ...options,
    format: 'cjs',
    entryPoints: ['service/import_module.ts'],
    outExtension: { '.js': '.cjs' },
  });
  await build({
    ...options,
    format: 'esm',
    entryPoints: { main: 'start/compiled.ts' },
    define: { BUNDLE: JSON.stringify(`./${basename(written)}`) },
  });
}
