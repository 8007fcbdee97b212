import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sdkModule, sdkScript } from '../../kit/pages/browser/web.ts';

const maximumGzipBytes = 6_000;

let folder: string;
let path: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tpay-sdk-browser-'));
  path = join(folder, 'index.mjs');
  writeFileSync(path, await sdkModule());
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the script and the package stay within 6 kB of gzip', async () => {
  const { text } = await sdkScript();
  expect(gzipSync(text).length).toBeLessThanOrEqual(maximumGzipBytes);
  expect(gzipSync(readFileSync(path)).length).toBeLessThanOrEqual(maximumGzipBytes);
});

test('a server may import it: nothing of a browser is touched before it is asked for', () => {
  const program = `import * as sdk from ${JSON.stringify(pathToFileURL(path).href)};
    console.log(Object.keys(sdk).sort().join(' '));`;
  const node = process.execPath;
  const said = execFileSync(node, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(said.trim()).toBe('handleReturn open');
});

test('it takes nothing of anybody else along', () => {
  expect(readFileSync(path, 'utf8')).not.toMatch(/node_modules|\bimport\b|\brequire\(/);
});
