import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { installNode, nodeVersions, testOn } from './check_node.ts';

/**
 * `npm run check`, which is also `npm test`: all checks before a commit. Those that only read run side by
 * side, the tests after them. It says of each step that fails how to fix it.
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
const tests: Step = { name: 'tests', script: 'unit', fix: 'npm run unit -- FILE' };

const msPerDay = 86_400_000;

/** Runs a script of package.json; resolves to whether it passed. */
async function runScript(script: string, stdio: 'inherit' | 'pipe'): Promise<[boolean, string]> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', stdio, stdio] });
  const ended = new Promise<boolean>((resolve) => child.on('close', (code) => resolve(code === 0)));
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const output = await Promise.all(streams.map((stream) => text(stream)));
  return [await ended, output.join('')];
}

/** On these days each test server in CI serves an empty cell before the tested one: a fifth more work. */
const beside = { TEST_CELL_BESIDE: 'cell_b' };
const daysOfTwoCells: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  6: beside,
  // On Sundays in another database.
  0: { ...beside, TEST_CELL_REMOTE: '1' },
};

/** In CI the tests run under each supported Node in turn, a day each; elsewhere under the one at hand. */
async function runTests(): Promise<boolean> {
  const runHere = async () => (await runScript('unit', 'inherit'))[0];
  if (process.env.CI === undefined) return runHere();
  const day = Math.floor(Date.now() / msPerDay);
  const version = nodeVersions[day % nodeVersions.length] ?? nodeVersions[0];
  const settings = daysOfTwoCells[new Date().getUTCDay()];
  Object.assign(process.env, settings);
  const cells = settings ? `, with ${Object.keys(settings).join(' and ')}` : '';
  try {
    const bin = installNode(version);
    process.stdout.write(`Today under Node ${version}${cells}\n`);
    return testOn(bin) === 0;
  } catch {
    process.stdout.write(
      `npm could not bring Node ${version}: under ${process.version} instead${cells}\n`,
    );
    return runHere();
  }
}

/** Tells how a step ended; resolves to whether it passed. */
async function run({ name, fix }: Step, work: () => Promise<boolean>): Promise<boolean> {
  const started = performance.now();
  const passed = await work();
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const said = passed ? `fine (${seconds} s)` : `failed after ${seconds} s. To fix it: ${fix}`;
  process.stdout.write(`${name}: ${said}\n`);
  return passed;
}

const runQuietly = (step: Step) =>
  run(step, async () => {
    const [passed, output] = await runScript(step.script, 'pipe');
    if (!passed) process.stdout.write(`\n${output}\n`);
    return passed;
  });

const [only = ''] = process.argv.slice(2);
const isChosen = ({ name }: Step) => name.startsWith(only);

const chosen = reading.filter(isChosen);
if (chosen.length > 1) process.stdout.write(`${chosen.length} checks side by side\n`);
const passed = await Promise.all(chosen.map(runQuietly));
if (passed.includes(false)) process.exit(1);
if (isChosen(tests) && !(await run(tests, runTests))) process.exit(1);
