import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { personalFields, secretFields } from '@tenant-payments/contract/catalog.ts';
import { expect, it } from 'vitest';

/** The log goes to the process's own stderr, so another process writes it. */
function run(script: string, argument = '', stderr: 'pipe' | number = 'pipe') {
  const imported = `import { openLog } from './service/log.ts'; ${script}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', imported, argument];
  const stdio = ['ignore', 'pipe', stderr] as const;
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: [...stdio],
    timeout: 60_000,
  });
}

function logged(value: object): string {
  const script = `openLog('info').info(JSON.parse(process.argv[1]), 'logged');`;
  const { stdout, stderr } = run(script, JSON.stringify(value));
  expect(stdout).toBe('');
  return stderr;
}

it("writes to stderr without any secret or personal field of the contract's lists, nor a credential's header", () => {
  const secrets = Object.fromEntries(
    [...secretFields, ...personalFields, 'authorization', 'cookie', 'idempotency-key'].map(
      (name) => [name, 'S3CRET'],
    ),
  );
  const text = logged({ ...secrets, body: secrets, request: { headers: secrets }, kept: 'kept' });
  expect(text).toContain('"msg":"logged"');
  expect(text).toContain('kept');
  expect(text).not.toContain('S3CRET');
});

it.skipIf(!existsSync('/dev/full'))(
  'a log that cannot be written costs its lines, and neither ends the process nor keeps it from ending',
  () => {
    const script = `const log = openLog('info');
    log.info('one');
    setTimeout(() => {
      log.info('two');
      console.log('goes on');
      process.exit(3);
    }, 100);`;
    const full = openSync('/dev/full', 'w');
    const { status, stdout } = run(script, '', full);
    closeSync(full);
    expect([status, stdout]).toEqual([3, 'goes on\n']);
  },
);
