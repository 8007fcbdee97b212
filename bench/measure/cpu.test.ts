import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { canReadCpu, familySeconds } from './cpu.ts';

const looks = 150;
/** Each lives for a moment that can be measured. */
const children = `for (;;) require('node:child_process').spawnSync('sh', ['-c', 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'])`;

test.runIf(canReadCpu)('the time of a process whose children end all the time only grows', () => {
  const parent = spawn(process.execPath, ['-e', children], { stdio: 'ignore' });
  try {
    const seen = Array.from({ length: looks }, () => familySeconds(parent.pid ?? 0));
    const falls = seen.filter((one, at) => one < (seen[at - 1] ?? 0) - 1e-9);
    expect(falls).toEqual([]);
  } finally {
    parent.kill('SIGKILL');
  }
});
