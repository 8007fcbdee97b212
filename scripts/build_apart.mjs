import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Packages that become one file each beside the programs: a release runs without a `node_modules`. */
const files = { pdfkit: 'pdfkit', wawoff2: 'wawoff2', '@node-rs/argon2': 'argon2' };

/** Has programs find them there. */
export const beside = {
  name: 'beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(?:pdfkit|wawoff2|@node-rs\/argon2)$/ }, ({ path }) => ({
      path: `./${files[path]}.cjs`,
      external: true,
    })),
};

/** pdfkit requires its fonts by a function of its own, which hides them from a bundler. */
const fontsOfPdfkit = {
  name: 'fonts of pdfkit',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/pdfkit\/js\/pdfkit\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const hidden = "require$1('#standard-fonts/";
      if (!text.includes(hidden)) throw new Error(`${path} no longer requires fonts by require$1`);
      return { contents: text.replaceAll(hidden, "require('#standard-fonts/"), loader: 'js' };
    }),
};

export async function buildApart({ root, ...options }) {
  await build({
    ...options,
    format: 'cjs',
    external: [],
    plugins: [fontsOfPdfkit],
    entryPoints: ['pdfkit', 'wawoff2'].map((name) => join(root, `scripts/apart/${name}.cjs`)),
    outExtension: { '.js': '.cjs' },
  });
  // A thread of its own, which images are written anew in.
  await build({
    ...options,
    format: 'cjs',
    external: [],
    entryPoints: { reencode: join(root, 'service/identity/documents/worker.ts') },
    outExtension: { '.js': '.cjs' },
  });
  // As it is: Node reads the names of its exports from its text.
  cpSync(join(root, 'scripts/apart/argon2.cjs'), join(root, 'dist/argon2.cjs'));
}
