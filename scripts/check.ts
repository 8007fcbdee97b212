import { spawnSync } from 'node:child_process';

/**
 * `npm run check`, which is also `npm test`: everything that must hold before a commit, from the
 * cheapest to the dearest. It stops at the first step that fails and says what mends it.
 */
const steps: readonly { name: string; command: string; mend: string }[] = [
  { name: 'format and lint', command: 'biome check .', mend: 'npm run format' },
  { name: 'types', command: 'tsc --noEmit', mend: 'read the errors above' },
  {
    name: 'import rules',
    command:
      'depcruise --config .dependency-cruiser.cjs contract service sdk cli bench test scripts',
    mend: 'each rule says why in .dependency-cruiser.cjs',
  },
  { name: 'unused code', command: 'knip', mend: 'remove what nothing uses' },
  {
    name: 'generated files',
    command: 'tsx contract/emit/write.ts --check && tsx scripts/schema_dump.ts --check',
    mend: 'npm run emit',
  },
  { name: 'tests', command: 'vitest run', mend: 'npm run unit -- <file>' },
];

const only = process.argv[2];
const chosen = only ? steps.filter((step) => step.name.startsWith(only)) : steps;

for (const [index, { name, command, mend }] of chosen.entries()) {
  const started = performance.now();
  process.stdout.write(`\n[${index + 1}/${chosen.length}] ${name}: ${command}\n`);
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    process.stdout.write(`\n${name} failed after ${seconds} s. To mend it: ${mend}\n`);
    process.exit(1);
  }
  process.stdout.write(`${name}: fine (${seconds} s)\n`);
}
