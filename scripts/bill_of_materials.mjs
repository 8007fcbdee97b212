import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An SBOM names its licences as an SPDX id, an expression or free text; some stand only in a file. */
const licenceOf = ({ licenses = [] }) =>
  licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name)
    .join(', ') || 'see its LICENSE file';

const isOwn = ({ name }) => name.startsWith('@tenant-payments/');

/** The documentation site is made by VitePress, and holds these. */
const ofSite = ['@vueuse/core', 'vitepress', 'vue'];

/** Packages that only a build needs as packages, since pages hold them. */
function ofPages(root) {
  const manifest = JSON.parse(readFileSync(join(root, 'dist/web/manifest.json'), 'utf8'));
  return [...manifest.made_of, ...ofSite].map((name) => {
    const file = join(root, 'node_modules', name, 'package.json');
    const { version, license } = JSON.parse(readFileSync(file, 'utf8'));
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const licenses = license ? [{ license: { id: license } }] : [];
    return { 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl, licenses };
  });
}

/**
 * Writes what the service is made of, without what only its development needs: `sbom.cdx.json`
 * (CycloneDX) and `licences.md`. @param isIn leaves packages out. @returns the number of packages
 */
export function writeBillOfMaterials({ root, folder, isIn = () => true }) {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev'];
  const text = execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8' });
  const bill = JSON.parse(text);
  const known = new Set(bill.components.map((one) => one['bom-ref']));
  const more = ofPages(root).filter((one) => !known.has(one['bom-ref']));
  bill.components = [...bill.components.filter(isIn), ...more];
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  const packages = bill.components.filter((one) => !isOwn(one));
  const rows = packages.map((one) => `| ${one.name} | ${one.version} | ${licenceOf(one)} |`).sort();
  const head = ['# Licences', '', '| package | version | licence |', '|---|---|---|'];
  writeFileSync(join(folder, 'licences.md'), `${[...head, ...rows].join('\n')}\n`);
  return packages.length;
}
