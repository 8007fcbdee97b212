import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { methods } from '../../sdk/server/methods.ts';
import { runNode } from '../kit/processes/run_node.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const typescript = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** A project of somebody else, who has installed the packed SDK and what it asks for. */
let project: string;
let server: TestServer;

function install(): void {
  const packed = join(project, 'packed');
  const modules = join(project, 'node_modules');
  const scope = join(modules, '@tenant-payments');
  for (const folder of [packed, scope, join(modules, '@types')])
    mkdirSync(folder, { recursive: true });
  const dist = join(root, 'sdk/server/dist');
  execFileSync('npm', ['pack', dist, '--pack-destination', packed, '--silent'], { cwd: project });
  const [archive = ''] = readdirSync(packed);
  execFileSync('tar', ['-xzf', join(packed, archive), '-C', packed]);
  execFileSync('mv', [join(packed, 'package'), join(scope, 'sdk-server')]);
  for (const name of ['typebox', '@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'tpay-sdk-'));
  const built = await runNode([join(root, 'scripts/build.mjs'), 'sdk'], { cwd: root });
  expect(built.stderr).toBe('');
  install();
  server = await startTestServer({ workers: false });
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(project, { recursive: true });
});

test('the client has a method for every operation but the token, which is its own', () => {
  const paths = Object.values(methods).flatMap((group) =>
    Object.values<{ method: string; path: string }>(group).map(
      ({ method, path }) => `${method} ${path}`,
    ),
  );
  const expected = Object.values(endpoints)
    .filter(({ id }) => id !== 'createToken')
    .map(({ method, path }) => `${method} ${path}`);
  expect(paths.sort()).toEqual(expected.sort());
});

const program = `
import { createClient, isCode, webhooks, type Event } from '@tenant-payments/sdk-server';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = createClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const made = await client.customers.create({
  type: 'individual',
  external_ref: 'packed',
  email: 'packed@example.com',
  mobile_number: '+12125550101',
});
const status: 'created' | 'pending' | 'in_review' | 'approved' | 'rejected' = made.verification.status;
const refused: number | undefined = await client.payments
  .create({ payer_customer_id: made.id, payee_customer_id: 'cus_x', amount: 1, source: 'balance' })
  .then(
    () => undefined,
    (error: unknown) => (isCode(error, 'customer_not_verified') ? 422 : undefined),
  );
const bytes = (event: Event): number =>
  event.type === 'payment.completed' ? event.data.object.net_amount : event.id.length;
console.log(JSON.stringify([status, refused, typeof bytes, typeof webhooks.sign]));
`;

const mistakes = `
import { createClient } from '@tenant-payments/sdk-server';
const client = createClient({ baseUrl: '', clientId: '', clientSecret: '' });
// @ts-expect-error there is no such field
await client.payments.create({ payer_customer_id: 'a', source: 'balance', amout: 1 });
// @ts-expect-error amounts are numbers
await client.loads.create({ customer_id: 'a', amount: '1' });
// @ts-expect-error no such method
await client.payments.list();
// @ts-expect-error a payment has no such field
(await client.payments.get('a')).amount_paid;
`;

const settings = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'out',
  },
  include: ['*.ts'],
};

test('a fresh project compiles against the packed SDK, is told of its mistakes, and runs', async () => {
  const write = (name: string, text: string) => writeFileSync(join(project, name), text);
  write('package.json', JSON.stringify({ type: 'module' }));
  write('tsconfig.json', JSON.stringify(settings));
  write('program.ts', program);
  write('mistakes.ts', mistakes);
  const { code, stdout } = await runNode([typescript, '-p', '.'], { cwd: project });
  expect([code, stdout]).toEqual([0, '']);
  const { client_id, client_secret } = server.tenant;
  const env = { BASE_URL: server.baseUrl, CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
  const ran = await runNode([join('out', 'program.js')], { cwd: project, env });
  expect(ran).toEqual({
    code: 0,
    stderr: '',
    stdout: `${JSON.stringify(['created', 422, 'function', 'function'])}\n`,
  });
}, 120_000);

test.each(['server', 'browser'])(
  'the source of sdk/%s packs nothing, and says what does',
  (side) => {
    const target = mkdtempSync(join(project, 'refused-'));
    const pack = (from: readonly string[]) =>
      spawnSync('npm', ['pack', ...from, '--pack-destination', target, '--silent'], {
        cwd: root,
        encoding: 'utf8',
      });
    const refused = pack(['-w', `sdk/${side}`]);
    expect([refused.status, readdirSync(target)]).toEqual([1, []]);
    const lines = refused.stderr
      .split('\n')
      .filter((line) => line.includes('this folder is source'));
    expect(lines).toEqual([expect.stringContaining(`npm pack ./sdk/${side}/dist`)]);

    expect(pack([`./sdk/${side}/dist`]).status).toBe(0);
    expect(readdirSync(target)).toHaveLength(1);
  },
);

test('nothing in the package points back into a repository', () => {
  const installed = join(project, 'node_modules/@tenant-payments/sdk-server');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  const code = files.filter((name) => /\.(ts|js)$/.test(name));
  expect(code.length).toBeGreaterThan(30);
  for (const name of code) {
    const text = readFileSync(join(installed, name), 'utf8');
    expect(text.includes('@tenant-payments/contract') || text.includes(root), name).toBe(false);
    expect(text, name).not.toMatch(/(from |import\()["'][^"']+\.ts["']/);
  }
});
