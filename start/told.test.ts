import { expect, test } from 'vitest';
import { openDeployment, terminate } from '../test/kit/processes/processes.ts';

test('a start says what it is in one line, without a secret, and each line has process, machine and version', async () => {
  const deployment = await openDeployment();
  const one = await deployment.start('api,worker', { LOG_LEVEL: 'info' });
  const lines = one
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const line = lines.find(({ started }) => started);
  expect(line.started).toMatchObject({
    environment: 'sandbox',
    roles: ['api', 'worker'],
    port: Number(new URL(one.baseUrl).port),
    metrics_host: '127.0.0.1',
    cells: [],
    rails: null,
  });
  expect(line.started.database).toMatch(/^\S+\/\w+$/);
  expect(line.started.database).not.toContain('@');
  for (const { pid, host, version } of lines) {
    expect(pid).toBe(one.child.pid);
    expect(host).toMatch(/\S/);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
  }
  expect(await terminate(one)).toBe(0);
  await deployment.stop();
});
