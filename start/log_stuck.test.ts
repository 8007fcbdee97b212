import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Deployment,
  openDeployment,
  type ServiceProcess,
  terminate,
} from '../test/kit/processes/processes.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment();
});
afterAll(() => deployment.stop());

const requests = 600;
const fifoCommand = 'mkfifo';

/** Each leaves a line of the log: more than a pipe takes. */
async function refused({ baseUrl }: ServiceProcess): Promise<number> {
  const ask = () => fetch(`${baseUrl}/v1/customers`, { signal: AbortSignal.timeout(5_000) });
  let count = 0;
  for (let round = 0; round < requests / 20; round += 1) {
    const replies = await Promise.all(Array.from({ length: 20 }, ask));
    count += replies.filter(({ status }) => status === 401).length;
  }
  return count;
}

async function servesAndEnds(stderr: number): Promise<void> {
  const one = await deployment.start('api,worker', { LOG_LEVEL: 'debug' }, { stderr });
  expect(await refused(one)).toBe(requests);
  expect(await one.status('/readyz')).toBe(200);
  const beganMs = performance.now();
  expect(await terminate(one)).toBe(0);
  expect(performance.now() - beganMs).toBeLessThan(15_000);
}

test.skipIf(!existsSync('/dev/full'))(
  'with a log on a full disk all requests are served, and SIGTERM ends the process',
  async () => {
    const full = openSync('/dev/full', 'w');
    await servesAndEnds(full);
    closeSync(full);
  },
);

test('with a log whose reader has stopped all requests are served, and SIGTERM ends the process', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'stuck-')), 'fifo');
  execFileSync(fifoCommand, [path]);
  const stuck = openSync(path, 'r+');
  await servesAndEnds(stuck);
  closeSync(stuck);
});
