import { statSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { keptText } from './kept_file.ts';

const folder = await mkdtemp(join(tmpdir(), 'tpay-kept-'));
afterAll(() => rm(folder, { recursive: true }));

test('processes that start together read one whole secret', async () => {
  for (let round = 0; round < 50; round += 1) {
    const path = join(folder, `${round}.key`);
    const texts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => keptText(path, () => `secret-${index}`)),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^secret-\d+$/);
  }
});

test('nobody finds a secret that is still being written', async () => {
  for (let round = 0; round < 50; round += 1) {
    const path = join(folder, `${round}.pem`);
    let isMade = false;
    const made = keptText(path, () => 'secret').then(() => {
      isMade = true;
    });
    while (!isMade) {
      expect(statSync(path, { throwIfNoEntry: false })?.size).not.toBe(0);
      await turn();
    }
    await made;
  }
});

test('a kept file is readable by its owner alone, and nothing else is left', async () => {
  await keptText(join(folder, '0.key'), () => 'another');
  const { mode } = await stat(join(folder, '0.key'));
  expect(mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toHaveLength(100);
});
