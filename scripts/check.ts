import { runProgram } from './run_program.ts';

/**
 * `npm run check`, which is also `npm test`: all checks before a commit. Those that only read run side by
 * side, the tests of the gate after them. It says of each step that fails how to fix it.
 */
interface Step {
  readonly name: string;
  readonly script: string;
  readonly fix: string;
}

const reading: readonly Step[] = [
  { name: 'format and lint', script: 'lint', fix: 'npm run format' },
  { name: 'types', script: 'types', fix: 'read the errors above' },
  { name: 'types of pages', script: 'types:pages', fix: 'read the errors above' },
  { name: 'import rules', script: 'rules', fix: 'each rule says why in .dependency-cruiser.cjs' },
  { name: 'unused code', script: 'unused', fix: 'remove what nothing uses' },
  { name: 'generated files', script: 'generated', fix: 'npm run emit' },
];
const tests: Step = { name: 'tests', script: 'test:gate', fix: 'npm run unit -- FILE' };

/** Runs a step and tells how it ended; resolves to whether it passed. */
async function run({ name, script, fix }: Step, stdio: 'inherit' | 'pipe'): Promise<boolean> {
  const started = performance.now();
  const { passed, output } = await runProgram(['npm', 'run', '--silent', script], stdio);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  if (!passed && output !== '') process.stdout.write(`\n${output}\n`);
  const said = passed ? `fine (${seconds} s)` : `failed after ${seconds} s. To fix it: ${fix}`;
  process.stdout.write(`${name}: ${said}\n`);
  return passed;
}

const [only = ''] = process.argv.slice(2);
const isChosen = ({ name }: Step) => name.startsWith(only);

const chosen = reading.filter(isChosen);
if (chosen.length > 1) process.stdout.write(`${chosen.length} checks side by side\n`);
const passed = await Promise.all(chosen.map((step) => run(step, 'pipe')));
if (passed.includes(false)) process.exit(1);
if (isChosen(tests) && !(await run(tests, 'inherit'))) process.exit(1);
