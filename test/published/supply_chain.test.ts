import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly hasInstallScript?: boolean;
}
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const packages: [name: string, locked: Locked][] = Object.entries<Locked>(
  read('package-lock.json').packages,
)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, locked]) => [path.slice(path.lastIndexOf('node_modules/') + 13), locked]);

/**
 * Binaries of two development tools for systems that we neither build nor test on; the registry that
 * the lockfile was made with has none of them, so npm could not note their hash.
 */
const unhashed = /^@(biomejs\/cli|oxc-parser\/binding)-/;
const testedOn = 'linux';

test('each package in the lockfile has its hash', () => {
  expect(packages.length).toBeGreaterThan(400);
  const without = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(
    without
      .filter(([name, { dev, os }]) => !unhashed.test(name) || !dev || !os)
      .map(([name]) => name),
  ).toEqual([]);
  const installed = packages.filter(([name]) => name === '@biomejs/cli-linux-x64');
  expect(installed.every(([, { integrity, os }]) => integrity && os?.includes(testedOn))).toBe(
    true,
  );
});

test('each dependency is pinned to one version', () => {
  const manifests = ['.', 'contract', 'service', 'sdk/server', 'sdk/browser', 'cli'];
  for (const folder of [...manifests, 'examples/corner-shop']) {
    const { dependencies, devDependencies, optionalDependencies } = read(`${folder}/package.json`);
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
    for (const [name, range] of Object.entries(all))
      if (!name.startsWith('@tenant-payments/'))
        expect(`${name} ${range}`).toMatch(/ (npm:[a-z-]+@)?\d[\d.]+\S*$/);
  }
});

test('only packages that package.json names run a script when they are installed', () => {
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript);
  const { allowScripts } = read('package.json');
  expect(scripted.map(([name]) => name).sort()).toEqual(Object.keys(allowScripts).sort());
});

/** Licences under which a business may run and change the service; each is one of SPDX. */
const permissive = ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'];
/** The licence of fonts: they may be embedded in any document, and are not sold by themselves. */
const ofFonts = 'OFL-1.1';
const allowed = new Set([
  ...permissive,
  'BlueOak-1.0.0',
  'Python-2.0',
  '(MIT OR CC0-1.0)',
  ofFonts,
]);

/** Their package.json names none; the licence is a file beside it. */
const namedInFile: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

test('each package that the service runs on has a permissive licence', () => {
  const others = packages
    .filter(([, { dev }]) => !dev)
    .map(([name, { license }]) => [name, license ?? namedInFile[name] ?? 'none'] as const)
    .filter(([, licence]) => !allowed.has(licence));
  expect(others).toEqual([]);
});

test("a script of somebody else's in the repository is what its hash says, with version and licence", () => {
  const folder = 'site/vendor/scalar';
  const { version, licence, script, sha256 } = read(`${folder}/source.json`);
  expect(readdirSync(folder).sort()).toEqual(['LICENSE', script, 'source.json'].sort());
  expect([licence, script]).toEqual(['MIT', `api-reference-${version}.js.gz`]);
  expect(readFileSync(`${folder}/LICENSE`, 'utf8')).toMatch(/^MIT License\n\nCopyright .*Scalar\n/);
  const text = gunzipSync(readFileSync(`${folder}/${script}`));
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
});

/** The same project's own package, in another version or for another machine. */
const sameUnderTwoNames =
  /(^|\/)rollup is @rollup\/wasm-node$|(^|\/)typescript-native is typescript$/;

test('no package stands in the tree under the name of another', () => {
  const aliases = Object.entries<{ name?: string }>(read('package-lock.json').packages).flatMap(
    ([path, { name }]) =>
      path.includes('node_modules/') && name && !path.endsWith(name) ? [`${path} is ${name}`] : [],
  );
  expect(aliases.filter((alias) => !sameUnderTwoNames.test(alias))).toEqual([]);
});
