import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personalFields, secretFields } from '@tenant-payments/contract/catalog.ts';
import { expect, it } from 'vitest';

/** The log goes to the process's own stderr, so another process writes it. */
function run(script: string, argument = '', stderr: 'pipe' | number = 'pipe') {
  const imported = `import { openLog } from './service/log.ts';
    import { linesDropped, stderrSink } from './service/operations/log_sink.ts'; ${script}`;
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

const fifoCommand = 'mkfifo';

/** 8 MB of lines at once, and when the event loop turned again after them. */
const flood = `const log = openLog('info');
  const text = 'x'.repeat(8_000);
  for (let count = 0; count < 1_000; count += 1) log.info({ text }, 'a line');
  setTimeout(async () => {
    const dropped = linesDropped();
    await stderrSink().flush(1_000);
    console.log(JSON.stringify({ dropped, megabytes: process.memoryUsage().rss / 1e6 }));
    process.exit(0);
  }, 200);`;

it('a log whose reader has stopped holds nothing up: 4 MB of it wait, and the lines after them are counted', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'log-')), 'fifo');
  spawnSync(fifoCommand, [path]);
  const stuck = openSync(path, 'r+');
  const { status, stdout } = run(flood, '', stuck);
  closeSync(stuck);
  const { dropped, megabytes } = JSON.parse(stdout);
  expect(status).toBe(0);
  expect(dropped).toBeGreaterThan(400);
  expect(dropped).toBeLessThan(520);
  expect(megabytes).toBeLessThan(250);
});

it('a log that was behind says in one line how many lines it has dropped, and writes no line twice', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'log-')), 'log');
  const file = openSync(path, 'w');
  const { stdout } = run(flood, '', file);
  closeSync(file);
  const { dropped } = JSON.parse(stdout);
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = lines.filter(({ left_out }) => left_out !== undefined);
  expect(told).toMatchObject([{ left_out: dropped, msg: 'the log could not be written' }]);
  expect(lines).toHaveLength(1_000 - dropped + 1);
});
