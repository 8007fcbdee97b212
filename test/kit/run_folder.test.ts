import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { removeEndedRuns } from './database/database_server.ts';
import { runNode } from './processes/run_node.ts';

const cwd = fileURLToPath(new URL('.', import.meta.url));
/** The environment where no run has begun. */
const env = { ...process.env, TPAY_TMPDIR_ON_DISK: undefined };
const opening = `import { useRunFolder } from './run_folder.ts'; useRunFolder();
  console.log(process.env.TMPDIR);`;
const program = (then: string) => ['--import', 'tsx', '--input-type=module', '-e', opening + then];

test('the temporary folder of a run takes files of other users and ends with it', async () => {
  const { mode } = statSync(process.env.TMPDIR ?? '');
  expect(mode & 0o7777).toBe(0o1777);
  const writes = `import { writeFileSync } from 'node:fs';
    writeFileSync(process.env.TMPDIR + '/one', ''); process.exitCode = 3;`;
  const { code, stdout, stderr } = await runNode(program(writes), { cwd, env });
  expect(code, stderr).toBe(3);
  expect(stdout).toContain('tpay-run-');
  expect(existsSync(stdout.trim())).toBe(false);
});

test('what a killed run left is removed by the next, and a run that goes on keeps its folder', async () => {
  const child = spawn(process.execPath, program('setInterval(() => {}, 1_000);'), { cwd, env });
  const [said] = await once(child.stdout, 'data');
  const folder = String(said).trim();
  await removeEndedRuns();
  expect(existsSync(folder)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await removeEndedRuns();
  expect(existsSync(folder)).toBe(false);
});
