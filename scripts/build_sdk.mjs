import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { declarationsOf } from './sdk_declarations.mjs';
import { packageText } from './site/texts.mjs';

/** The packages to build, by workspace. Each entry is a file of the package, as module and as CommonJS. */
const kinds = {
  'sdk/server': {
    description: "The Tenant's side of Tenant Payments: a typed client, and verified webhooks",
    bundle: { platform: 'node', target: 'node20' },
    entries: { '.': 'index' },
    more: ({ engines }) => ({ engines }),
  },
  'sdk/browser': {
    description: 'Opens the hosted pages of Tenant Payments from a web page',
    bundle: { platform: 'browser', target: ['chrome109', 'firefox115', 'safari16.4'] },
    entries: { '.': 'index', './react': 'react' },
    more: () => ({
      peerDependencies: { react: '>=18' },
      peerDependenciesMeta: { react: { optional: true } },
    }),
  },
};

const formats = { esm: { code: 'js', types: 'd.ts' }, cjs: { code: 'cjs', types: 'd.cts' } };

/** The other entries of the package stay files of their own, so that all share one state. */
const apart = (entry, entries, extension) => ({
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ path, kind }) => {
      const name = path.slice('./'.length, -'.ts'.length);
      const isOther = kind !== 'entry-point' && name !== entry && entries.includes(name);
      return isOther ? { path: `./${name}.${extension}`, external: true } : undefined;
    });
  },
});

const bundle = ({ root, folder, kind, entry, format }) =>
  build({
    ...kind.bundle,
    absWorkingDir: root,
    entryPoints: [`${folder}/${entry}.ts`],
    outfile: `${folder}/dist/${entry}.${formats[format].code}`,
    bundle: true,
    format,
    external: ['react'],
    // Frameworks that render on a server look for it before they call a hook.
    banner: entry === 'react' ? { js: "'use client';" } : {},
    plugins: [apart(entry, Object.values(kind.entries), formats[format].code)],
    logLevel: 'warning',
    // The package has no sources, so a source map would be useless.
    sourcemap: false,
  });

/** Writes `<folder>/dist`: a package that needs nothing of this repository, nor of others. */
export async function buildSdk({ root, folder }) {
  const kind = kinds[folder];
  const dist = join(root, folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const entries = Object.values(kind.entries);
  for (const entry of entries)
    for (const [format, { code, types }] of Object.entries(formats)) {
      await bundle({ root, folder, kind, entry, format });
      const text = await declarationsOf({ folder: join(root, folder), entry, entries });
      writeFileSync(
        join(dist, `${entry}.${types}`),
        text.replaceAll(/(from '\.\/\w+)\.ts'/g, `$1.${code}'`),
      );
    }
  writeFileSync(join(dist, 'package.json'), manifest({ root, folder, kind }));
  const readme = packageText({ root, source: `${folder}/README.md` });
  writeFileSync(join(dist, 'README.md'), readme);
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The types stand first: a reader takes the first condition that it knows. */
const conditions = (entry) =>
  Object.fromEntries(
    [
      ['import', formats.esm],
      ['require', formats.cjs],
    ].map(([name, { code, types }]) => [
      name,
      { types: `./${entry}.${types}`, default: `./${entry}.${code}` },
    ]),
  );

/** The package.json of the built package; inside this repository the SDK is its source. */
function manifest({ root, folder, kind }) {
  const whole = readJson(join(root, 'package.json'));
  const { name, version } = readJson(join(root, folder, 'package.json'));
  const content = {
    name,
    version,
    description: kind.description,
    license: whole.license,
    type: 'module',
    main: './index.cjs',
    module: './index.js',
    types: './index.d.ts',
    exports: {
      ...Object.fromEntries(
        Object.entries(kind.entries).map(([path, entry]) => [path, conditions(entry)]),
      ),
      './package.json': './package.json',
    },
    files: ['*.js', '*.cjs', '*.d.ts', '*.d.cts'],
    sideEffects: false,
    ...kind.more(whole),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
