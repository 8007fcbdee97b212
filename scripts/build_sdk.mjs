import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';

const contractName = '@tenant-payments/contract/';

/** What is built for others, by the workspace that it is made of. */
const kinds = {
  'sdk/server': {
    description: "The Tenant's side of Tenant Payments: a typed client, and verified webhooks",
    config: 'tsconfig.json',
    bundle: { platform: 'node', target: 'node20' },
    isForNode: true,
    /** What the declarations name beside their own files; it is also in the bundle. */
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

/** The one file of an SDK, with what it takes from the contract. */
export const bundleSdk = ({ root, folder, outfile }) =>
  build({
    ...kinds[folder].bundle,
    absWorkingDir: root,
    entryPoints: [`${folder}/index.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'warning',
    // The map of a file whose sources do not come along would lead nowhere.
    sourcemap: false,
  });

/**
 * Writes `<folder>/dist`: a package of its own, which needs nothing of this repository. The contract
 * comes along in its one file and in its declarations.
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

/** The package as others install it; inside this repository the SDK is its source. */
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

/** What the licence of the code that is bundled asks for. */
function notice(root) {
  const license = readFileSync(join(root, 'node_modules/typebox/license'), 'utf8');
  return `index.js contains TypeBox, https://github.com/sinclairzx81/typebox:\n\n${license}`;
}

/** Declarations of the SDK and of what it takes from the contract, as they lie in this repository. */
async function writeDeclarations({ root, folder, kind, outDir }) {
  // Only whoever builds the SDK has a compiler; `npm ci` builds the service without one.
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
    // By way of node_modules it would be somebody else's package, of which nothing is written.
    paths: { [`${contractName}*`]: [join(root, 'contract/*')] },
  });
  // Whether the sources are right is asked by `npm run types`; here only whether they can be declared.
  const { diagnostics } = program.emit();
  const [first] = diagnostics;
  if (first) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, '\n'));
  for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.d.ts')) relink(outDir, file);
}

/** Makes one declaration file name its neighbours as files of this package. */
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
