import { spawnSync } from 'node:child_process';

/**
 * `npm run check`, which is also `npm test`: everything that must hold before a commit, from the
 * cheapest to the dearest. It stops at the first step that fails and says what mends it.
 */
const steps: readonly { name: string; script: string; mend: string }[] = [
  { name: 'format and lint', script: 'lint', mend: 'npm run format' },
  { name: 'types', script: 'types', mend: 'read the errors above' },
  { name: 'import rules', script: 'rules', mend: 'each rule says why in .dependency-cruiser.cjs' },
  { name: 'unused code', script: 'unused', mend: 'remove what nothing uses' },
  { name: 'generated files', script: 'generated', mend: 'npm run emit' },
  { name: 'tests', script: 'unit', mend: 'npm run unit -- FILE' },
];

const only = process.argv[2];
const chosen = only ? steps.filter((step) => step.name.startsWith(only)) : steps;

for (const [index, { name, script, mend }] of chosen.entries()) {
  const started = performance.now();
  process.stdout.write(`\n[${index + 1}/${chosen.length}] ${name} (npm run ${script})\n`);
  const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    process.stdout.write(`\n${name} failed after ${seconds} s. To mend it: ${mend}\n`);
    process.exit(1);
  }
  process.stdout.write(`${name}: fine (${seconds} s)\n`);
}
