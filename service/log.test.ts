import { spawnSync } from 'node:child_process';
import { personalFields, secretFields } from '@tenant-payments/contract/catalog.ts';
import { expect, it } from 'vitest';

/** The log goes to the process's own stderr, so another process writes it. */
function logged(value: object): string {
  const script = `import { openLog } from './service/log.ts';
    openLog('info').info(JSON.parse(process.argv[1]), 'logged');`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script, JSON.stringify(value)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
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
