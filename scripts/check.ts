import { spawnSync } from 'node:child_process';
import { installNode, nodeVersions, testOn } from './check_node.ts';

/**
 * `npm run check`, which is also `npm test`: all checks before a commit, the cheapest first. It
 * stops at the first step that fails and says how to fix it.
 */
const steps: readonly { name: string; script: string; fix: string }[] = [
  { name: 'format and lint', script: 'lint', fix: 'npm run format' },
  { name: 'types', script: 'types', fix: 'read the errors above' },
  { name: 'import rules', script: 'rules', fix: 'each rule says why in .dependency-cruiser.cjs' },
  { name: 'unused code', script: 'unused', fix: 'remove what nothing uses' },
  { name: 'generated files', script: 'generated', fix: 'npm run emit' },
  { name: 'tests', script: 'unit', fix: 'npm run unit -- FILE' },
];

const msPerDay = 86_400_000;

/** In CI the tests run under each supported Node in turn, a day each; elsewhere under the one at hand. */
function runTests(): number | null {
  const version = nodeVersions[Math.floor(Date.now() / msPerDay) % nodeVersions.length];
  if (process.env.CI === undefined || !version) return runScript('unit');
  try {
    const bin = installNode(version);
    process.stdout.write(`Today under Node ${version}\n`);
    return testOn(bin);
  } catch {
    process.stdout.write(`npm could not bring Node ${version}: under ${process.version} instead\n`);
    return runScript('unit');
  }
}

const runScript = (script: string): number | null =>
  spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' }).status;

const only = process.argv[2];
const chosen = only ? steps.filter((step) => step.name.startsWith(only)) : steps;

for (const [index, { name, script, fix }] of chosen.entries()) {
  const started = performance.now();
  process.stdout.write(`\n[${index + 1}/${chosen.length}] ${name} (npm run ${script})\n`);
  const status = script === 'unit' ? runTests() : runScript(script);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    process.stdout.write(`\n${name} failed after ${seconds} s. To fix it: ${fix}\n`);
    process.exit(1);
  }
  process.stdout.write(`${name}: fine (${seconds} s)\n`);
}
