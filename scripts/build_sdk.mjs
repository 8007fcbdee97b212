import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';

const contractName = '@tenant-payments/contract/';

/** The packages to build, by workspace. */
const kinds = {
  'sdk/server': {
    description: "The Tenant's side of Tenant Payments: a typed client, and verified webhooks",
    config: 'tsconfig.json',
    bundle: { platform: 'node', target: 'node20' },
    isForNode: true,
    /** Packages that the declarations import; they are also in the bundle. */
    dependencies: ['typebox'],
  },
  'sdk/browser': {
    description: 'Opens the hosted pages of Tenant Payments from a web page',
    config: 'web/tsconfig.json',
    bundle: { platform: 'browser', target: ['chrome109', 'firefox115', 'safari16.4'] },
    isForNode: false,
    dependencies: [],
  },
};

/** Bundles an SDK, with its parts of the contract, into one file. */
export const bundleSdk = ({ root, folder, outfile }) =>
  build({
    ...kinds[folder].bundle,
    absWorkingDir: root,
    entryPoints: [`${folder}/index.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'warning',
    // The package has no sources, so a source map would be useless.
    sourcemap: false,
  });

/**
 * Writes `<folder>/dist`: a package that needs nothing of this repository. The file and the
 * declarations include the contract.
 */
export async function buildSdk({ root, folder }) {
  const kind = kinds[folder];
  const dist = join(root, folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await bundleSdk({ root, folder, outfile: `${folder}/dist/index.js` });
  await writeDeclarations({ root, folder, kind, outDir: join(dist, 'types') });
  writeFileSync(join(dist, 'package.json'), manifest({ root, folder, kind }));
  cpSync(join(root, folder, 'README.md'), join(dist, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  if (kind.dependencies.includes('typebox')) writeFileSync(join(dist, 'NOTICE'), notice(root));
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The package.json of the built package; inside this repository the SDK is its source. */
function manifest({ root, folder, kind }) {
  const whole = readJson(join(root, 'package.json'));
  const { name, version } = readJson(join(root, folder, 'package.json'));
  const versions = kind.dependencies.map((key) => [key, whole.dependencies[key]]);
  const entry = { types: `./types/${folder}/index.d.ts`, default: './index.js' };
  const content = {
    name,
    version,
    description: kind.description,
    license: whole.license,
    type: 'module',
    ...(kind.isForNode ? { engines: whole.engines } : {}),
    exports: { '.': entry },
    types: entry.types,
    sideEffects: false,
    dependencies: Object.fromEntries(versions),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The notice that the licence of the bundled code requires. */
function notice(root) {
  const license = readFileSync(join(root, 'node_modules/typebox/license'), 'utf8');
  return `index.js contains TypeBox, https://github.com/sinclairzx81/typebox:\n\n${license}`;
}

/** Writes the declarations of the SDK and of its parts of the contract. */
async function writeDeclarations({ root, folder, kind, outDir }) {
  // Loaded only here: building the service needs no compiler.
  const { default: ts } = await import('typescript');
  const path = join(root, kind.config);
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const program = ts.createProgram([join(root, folder, 'index.ts')], {
    ...options,
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: undefined,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir,
    // Through node_modules it would be an external package, for which nothing is written.
    paths: { [`${contractName}*`]: [join(root, 'contract/*')] },
  });
  // `npm run types` checks the types; this only needs the declarations to be possible.
  const { diagnostics } = program.emit();
  const [first] = diagnostics;
  if (first) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, '\n'));
  for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.d.ts')) relink(outDir, file);
}

/** Rewrites the imports of one declaration file to files of this package. */
function relink(outDir, file) {
  const path = join(outDir, file);
  const text = readFileSync(path, 'utf8');
  const here = dirname(file);
  const neighbour = (target) => {
    const inside = target.startsWith(contractName)
      ? relative(here, join('contract', target.slice(contractName.length)))
      : target;
    const relativePath = inside.split('\\').join(posix.sep);
    const named = relativePath.startsWith('.') ? relativePath : `./${relativePath}`;
    return named.replace(/\.ts$/, '.js');
  };
  const linked = text.replaceAll(
    /(from |import\()(["'])((?:@tenant-payments\/contract\/|\.)[^"']+)\2/g,
    (_, before, quote, target) => `${before}${quote}${neighbour(target)}${quote}`,
  );
  writeFileSync(path, linked);
}
