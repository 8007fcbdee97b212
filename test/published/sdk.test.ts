import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { methods } from '@tenant-payments/contract/emit/sdk/methods.ts';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Runtime } from '../../scripts/runtimes.ts';
import { root } from '../kit/processes/built.ts';
import { runNode } from '../kit/processes/run_node.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** A project of somebody else, who has installed the packed SDKs and nothing else of ours. */
let project: string;
let server: TestServer;
const packed = new Map<string, Packed>();

function install(side: string): void {
  const modules = join(project, 'node_modules');
  const scope = join(modules, '@tenant-payments');
  const to = join(project, `packed-${side}`);
  for (const folder of [to, scope]) mkdirSync(folder, { recursive: true });
  const from = join(root, 'sdk', side, 'dist');
  const said = execFileSync('npm', ['pack', from, '--pack-destination', to, '--silent', '--json'], {
    cwd: project,
    encoding: 'utf8',
  });
  const [archive] = JSON.parse(said) as Packed[];
  if (!archive) throw new Error(`nothing was packed of ${side}`);
  packed.set(side, archive);
  const [file = ''] = readdirSync(to);
  execFileSync('tar', ['-xzf', join(to, file), '-C', to]);
  execFileSync('mv', [join(to, 'package'), join(scope, `sdk-${side}`)]);
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'tpay-sdk-'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const starting = startTestServer({ workers: false });
  install('server');
  install('browser');
  server = await starting;
});
afterAll(async () => {
  await server.stop();
  rmSync(project, { recursive: true });
});

test('the client has a method for every operation but the token, which is its own', () => {
  const reached = Object.values(methods).flatMap((group) => Object.values<{ id: string }>(group));
  const expected = Object.keys(endpoints).filter((id) => id !== 'createToken');
  expect(reached.map(({ id }) => id).sort()).toEqual(expected.sort());
});

const everywhere = ['LICENSE', 'README.md', 'package.json'];
const codeOf = (entry: string) => ['cjs', 'd.cts', 'd.ts', 'js'].map((end) => `${entry}.${end}`);

test.each([
  ['server', [...everywhere, ...codeOf('index')]],
  ['browser', [...everywhere, ...codeOf('index'), ...codeOf('react')]],
])('the package of sdk/%s holds just these files, and asks for no other package', (side, files) => {
  const names = packed.get(side)?.files.map(({ path }) => path);
  expect(names?.sort()).toEqual(files.sort());
  const installed = join(project, 'node_modules/@tenant-payments', `sdk-${side}`);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  for (const name of names ?? []) {
    const text = readFileSync(join(installed, name), 'utf8');
    expect(text.includes('@tenant-payments/contract') || text.includes(root), name).toBe(false);
    expect(text, name).not.toMatch(/(from |import\(|require\()["']([^"']+\.ts|node:[a-z]+)["']/);
    if (/\.d\.c?ts$/.test(name)) expect(text, name).not.toContain('rules/');
  }
});

test.each(['server', 'browser'])(
  'the README of the package of sdk/%s links to served pages',
  (side) => {
    const folder = join(project, 'node_modules/@tenant-payments', `sdk-${side}`);
    const links = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g);
    const pages = [...links].map(([, link = '']) => link).filter((link) => !link.startsWith('#'));
    const served = 'https://pay.example/docs/';
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.filter((link) => !link.startsWith(served) || link.includes('.md'))).toEqual([]);
  },
);

test('the hook for React stays within 1 kB of gzip, and the client within 16', () => {
  const sizeOf = (file: string) =>
    gzipSync(readFileSync(join(project, 'node_modules/@tenant-payments', file))).length;
  expect(sizeOf('sdk-browser/react.js')).toBeLessThanOrEqual(1_000);
  expect(sizeOf('sdk-server/index.js')).toBeLessThanOrEqual(16_000);
});

test('a framework that renders on a server is told that the hook is for browsers', () => {
  const folder = join(project, 'node_modules/@tenant-payments/sdk-browser');
  for (const file of ['react.js', 'react.cjs'])
    expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^'use client';/);
});

const program = `
import {
  createClient, createReceiver, isCode, webhooks, NotFoundError,
  type Event, type Payment, type PaymentCreateParams,
} from '@tenant-payments/sdk-server';
import { createServer } from 'node:http';
import { open } from '@tenant-payments/sdk-browser';
import { useHostedFlow } from '@tenant-payments/sdk-browser/react';

const client = createClient();
export async function main(wanted: PaymentCreateParams): Promise<Payment | undefined> {
  for await (const row of client.accounts.listTransactions('acct_1')) row.net_amount.toFixed(2);
  try {
    return await client.payments.create(wanted);
  } catch (error) {
    if (isCode(error, 'limit_exceeded')) error.details.maximum.toFixed(2);
    if (error instanceof NotFoundError) error.requestId?.trim();
    return undefined;
  }
}
export const bytes = (event: Event): number =>
  event.type === 'payment.completed' ? event.data.object.net_amount : event.id.length;
export const receiver = createReceiver({ secrets: 'a', on: { 'load.settled': bytes } });
export const used = [webhooks.sign, open, useHostedFlow];

// @ts-expect-error there is no such field
client.payments.create({ payer_customer_id: 'a', source: 'balance', amout: 1 });
// @ts-expect-error amounts are numbers
client.loads.create({ customer_id: 'a', amount: '1' });
// @ts-expect-error no such method
client.payments.lst();
// @ts-expect-error no such event
createReceiver({ secrets: 'a', on: { 'load.sattled': () => {} } });
`;
const ofNode = 'createServer(receiver.nodeHandler());\n';
const withoutNode = program.replace("import { createServer } from 'node:http';\n", '');

/** The compiler's messages on a file of the project, as lines. */
function problemsIn(file: string, text: string, options: ts.CompilerOptions): string[] {
  writeFileSync(join(project, file), text);
  const compiled = ts.createProgram([join(project, file)], {
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    ...options,
  });
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('a fresh project compiles against the packed SDKs and is told of its mistakes', () => {
  test('with a bundler and without the types of Node', () => {
    const found = problemsIn('app.ts', withoutNode, {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
    });
    expect(found).toEqual([]);
  });

  test.each(['mts', 'cts'])(
    'on Node, from a .%s',
    (end) => {
      mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
      for (const name of ['@types/node', 'undici-types']) {
        const to = join(project, 'node_modules', name);
        if (end === 'mts') symlinkSync(join(root, 'node_modules', name), to);
      }
      const found = problemsIn(`app.${end}`, program + ofNode, {
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        lib: ['lib.es2023.d.ts'],
        types: ['node'],
        typeRoots: [join(project, 'node_modules/@types')],
        skipLibCheck: true,
      });
      expect(found).toEqual([]);
    },
    60_000,
  );
});

/** The Node at hand; `npm run check:runtimes` names all others too. */
const here: Runtime = { name: `Node ${process.version}`, bin: process.execPath, args: [] };
const runtimes: readonly Runtime[] = process.env.SDK_RUNTIMES
  ? JSON.parse(process.env.SDK_RUNTIMES)
  : [here];
const programs = ['module.mjs', 'common.cjs'];
const runs = runtimes.flatMap((runtime) => programs.map((file) => ({ ...runtime, file })));

test.each(runs.map((run, index) => ({ ...run, index })))(
  'the packed SDK works on $name from a $file',
  async ({ bin, args, file, index }) => {
    cpSync(fileURLToPath(new URL('runtimes', import.meta.url)), project, { recursive: true });
    const { client_id: clientId, client_secret: clientSecret } = server.tenant;
    const facts = { baseUrl: server.baseUrl, clientId, clientSecret, run: index };
    const ran = await runNode([...args, file, JSON.stringify(facts)], { cwd: project, bin });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout)).toHaveLength(22);
  },
);

test.each(['server', 'browser'])(
  'the source of sdk/%s packs nothing, and says what does',
  (side) => {
    const target = mkdtempSync(join(project, 'refused-'));
    const refused = spawnSync(
      'npm',
      ['pack', '-w', `sdk/${side}`, '--pack-destination', target, '--silent'],
      { cwd: root, encoding: 'utf8' },
    );
    expect([refused.status, readdirSync(target)]).toEqual([1, []]);
    const lines = refused.stderr
      .split('\n')
      .filter((line) => line.includes('this folder is source'));
    expect(lines).toEqual([expect.stringContaining(`npm pack ./sdk/${side}/dist`)]);
  },
);
