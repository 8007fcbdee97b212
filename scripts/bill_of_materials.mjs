import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An SBOM names its licences as an SPDX id, an expression or free text; some stand only in a file. */
const licenceOf = ({ licenses = [] }) =>
  licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name)
    .join(', ') || 'see its LICENSE file';

const isOwn = ({ name }) => name.startsWith('@tenant-payments/');

/**
 * Writes what the service is made of, without what only its development needs: `sbom.cdx.json`
 * (CycloneDX) and `licences.md`. @param isIn leaves packages out. @returns the number of packages
 */
export function writeBillOfMaterials({ root, folder, isIn = () => true }) {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev'];
  const text = execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8' });
  const bill = JSON.parse(text);
  bill.components = bill.components.filter(isIn);
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  const packages = bill.components.filter((one) => !isOwn(one));
  const rows = packages.map((one) => `| ${one.name} | ${one.version} | ${licenceOf(one)} |`).sort();
  const head = ['# Licences', '', '| package | version | licence |', '|---|---|---|'];
  writeFileSync(join(folder, 'licences.md'), `${[...head, ...rows].join('\n')}\n`);
  return packages.length;
}
