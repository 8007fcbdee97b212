import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReceiverStore, webhooks } from '@tenant-payments/sdk-server';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkedScript,
  filesOf,
  type Kind,
  printedBy,
  programOf,
  type Snippet,
  snippetsOf,
} from '../kit/guides/snippets.ts';
import {
  type Desk,
  hasTool,
  openWorkshop,
  root,
  startServer,
  type Workshop,
} from '../kit/guides/workshop.ts';
import { freePort } from '../kit/processes/free_port.ts';
import { until } from '../kit/wait.ts';

const textOf = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');
const pagesIn = (folder: string) =>
  readdirSync(join(root, 'docs', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** Guides whose commands another test runs, or that name only how to start. */
const elsewhere = [
  'alarms',
  'alerts',
  'command-line',
  'commands',
  'console',
  'install',
  'portal',
  'production',
  'production-customers',
  'production-walk',
  'running',
];
const guides = pagesIn('guide').filter(
  (page) => !elsewhere.some((name) => page.endsWith(`/${name}.md`)),
);
const snippets = new Map(guides.map((page) => [page, snippetsOf(textOf(page))]));
const quickstart = snippets.get('guide/quickstart.md') ?? [];

/** Three pages define what they repeat: the bank's own port, and the walk, which runs as one script (rules/docs-site#14). */
const withFunctions = ['bank', 'production-customers', 'production-walk'];

test('a command of a guide is pasted by itself: no block defines a function of the shell', () => {
  const defining = pagesIn('guide')
    .filter((page) => snippetsOf(textOf(page)).some(({ text }) => /^\w+\(\) *\{/m.test(text)))
    .filter((page) => !withFunctions.some((name) => page.endsWith(`/${name}.md`)));
  expect(defining).toEqual([]);
});

test('no guide takes a key from RANDOM, whose subshells begin with seeds that repeat', () => {
  const lines = pagesIn('guide').flatMap((page) => textOf(page).split('\n'));
  expect(lines.filter((line) => /Idempotency-Key.*\$RANDOM/.test(line))).toEqual([]);
});

const tools: Readonly<Record<Kind, boolean>> = {
  shell: ['bash', 'curl', 'jq'].every((tool) => hasTool(tool)) && hasTool('openssl', 'version'),
  SDK: true,
  Node: true,
  Python: hasTool('python3'),
  Go: hasTool('go', 'version'),
};
const missing = Object.entries(tools).flatMap(([kind, has]) => (has ? [] : [kind]));
if (missing.length > 0) console.warn(`not on this machine, so not tried: ${missing.join(', ')}`);

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

/** The definitions of the quickstart's step 2, before the blocks of another page. */
const preamble = (kind: Kind) =>
  programOf(
    quickstart.filter((_, index) => index < stepThree),
    kind,
  );
const stepThree = quickstart.findIndex(({ text }) => /^ANA=/m.test(text));

const needsPreamble = (page: string, kind: Kind) =>
  page !== 'guide/quickstart.md' && (kind === 'shell' || kind === 'SDK');

const programFor = (page: string, kind: Kind, own: readonly Snippet[]): string => {
  const program = programOf(own, kind);
  return program !== '' && needsPreamble(page, kind) ? `${preamble(kind)}\n${program}` : program;
};

/** Shell functions in place of what belongs to a checkout, and where a script ended. */
const aroundShell = `set -Eeuo pipefail
trap 'echo "failed: $BASH_COMMAND"' ERR
npm() { case "$*" in *'tpay -- status'*) env | grep ^PAY_;; *) (cd '${root}' && command npm "$@");; esac; }
`;

const commands: Readonly<Record<Kind, (desk: Desk, program: string) => [string, string[]]>> = {
  shell: (_, program) => ['bash', ['-c', aroundShell + checkedScript(program)]],
  SDK: (desk, program) => [process.execPath, [desk.write('sdk.mjs', program)]],
  Node: (desk, program) => [process.execPath, [desk.write('node.mjs', program)]],
  Python: (desk, program) => ['python3', [desk.write('program.py', program)]],
  Go: (desk, program) => ['go', ['run', desk.write('program.go', program)]],
};

/** Runs all that a page has of one kind, in its order. */
async function runPage(desk: Desk, page: string, kind: Kind, own: readonly Snippet[]) {
  const program = programFor(page, kind, own);
  if (program === '' || !tools[kind]) return;
  const { code, output } = await desk.run(...commands[kind](desk, program));
  expect(code, `${page}, ${kind}: ${output.slice(-3_000)}`).toBe(0);
  if (kind === 'shell') return;
  const lines = output.split('\n');
  const said = printedBy(program).filter((value) => lines.includes(value));
  expect(said, output).toEqual(printedBy(program));
}

const bodyJson =
  /```text\n(\{"id":"evt_.*\})\n```/.exec(textOf('guide/webhooks-verify.md'))?.[1] ?? '';
const kindsInOrder = ['shell', 'SDK', 'Node', 'Python', 'Go'] as const;
const programs = [...snippets].flatMap(([page, own]) =>
  kindsInOrder
    .filter((kind) => tools[kind] && programOf(own, kind) !== '')
    .map((kind) => ({ page, kind, own })),
);

describe.concurrent('what a guide has one run', () => {
  test.each(programs)(
    '$page, $kind works as it stands',
    async ({ page, kind, own }) => {
      const desk = await workshop.desk(`${page}.${kind}`.replaceAll(/\W/g, '_'));
      desk.write('body.json', bodyJson);
      await runPage(desk, page, kind, own);
    },
    120_000,
  );
});

const runners: Readonly<Record<string, string[]>> = {
  mjs: [process.execPath],
  py: ['python3'],
  go: ['go', 'run'],
};
const receivers = [
  ['guide/quickstart.md', 'receiver.mjs'],
  ['guide/webhooks-receivers.md', 'plain_receiver.mjs'],
  ['guide/webhooks-receivers.md', 'receiver.py'],
  ['guide/webhooks-receivers.md', 'receiver.go'],
  ['guide/webhooks.md', 'express.mjs'],
  ['guide/webhooks.md', 'fastify.mjs'],
  ['guide/webhooks.md', 'nest.mjs'],
  ['guide/webhooks.md', 'node.mjs'],
].filter(
  ([, file = '']) => tools[file.endsWith('.py') ? 'Python' : file.endsWith('.go') ? 'Go' : 'Node'],
);

/** The files of a page in a folder of their own, with a free port in place of 3000. */
async function unpack(page: string, file: string): Promise<{ desk: Desk; port: number }> {
  const desk = await workshop.desk(`receiver_${file}`);
  const port = await freePort();
  for (const [name, text] of filesOf(snippets.get(page) ?? []))
    desk.write(
      name.replace(/\.ts$/, '.mjs'),
      await compiled(name, text.replaceAll('3000', `${port}`)),
    );
  return { desk, port };
}

/** TypeScript as a project of Nest compiles it; everything else as it stands. */
async function compiled(name: string, text: string): Promise<string> {
  if (!name.endsWith('.ts')) return text;
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } };
  return (await transform(text, { loader: 'ts', tsconfigRaw })).code;
}

const completed = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'payment.completed',
  data: { object: { id: 'pay_1', object: 'payment', version: 2 } },
});

const report = JSON.stringify({
  id: 'evt_2',
  object: 'event',
  type: 'reconciliation_report.available',
  data: { object: { object: 'reconciliation_report', date: '2026-03-02' } },
});

describe.concurrent('a receiver', () => {
  test.each(receivers)(
    'of %s, %s takes what the service sends and nothing that was changed',
    async (page = '', file = '') => {
      const { desk, port } = await unpack(page, file);
      const [command = '', ...args] = runners[file.split('.').at(-1) ?? ''] ?? [];
      const server = await startServer(desk, command, [...args, file], port);
      const url = `http://localhost:${port}/webhooks`;
      const { attempt } = await desk.deliver(url, 'payment.completed');
      expect(attempt).toMatchObject({ response_status: 200, error: null });
      const answered = async (body: string, signature: string) =>
        (
          await fetch(url, {
            method: 'POST',
            body,
            headers: { 'content-type': 'application/json', 'service-signature': signature },
          })
        ).status;
      const secret = desk.env.PAY_WEBHOOK_SECRET ?? '';
      const right = webhooks.sign(completed, secret);
      const old = webhooks.sign(completed, secret, new Date(Date.now() - 600_000));
      expect(await answered(completed, right)).toBe(200);
      expect(await answered(`${completed} `, right)).toBe(400);
      expect(await answered(completed, old)).toBe(400);
      expect(await answered(completed, webhooks.sign(completed, 'whsec_another'))).toBe(400);
      await until(() => server.output().includes('pay_1'));
      server.stop();
    },
    60_000,
  );

  test.each(receivers)(
    'of %s, %s takes a record without an id, and answers 2xx only when it has handled the event',
    async (page = '', file = '') => {
      const { desk, port } = await unpack(page, file);
      const [command = '', ...args] = runners[file.split('.').at(-1) ?? ''] ?? [];
      const server = await startServer(desk, command, [...args, file], port);
      const answered = async (body: string) => {
        const signature = webhooks.sign(body, desk.env.PAY_WEBHOOK_SECRET ?? '');
        const request = { method: 'POST', body, headers: headersOf(signature) };
        // No answer at all is no 2xx either: the service sends the event again.
        return fetch(`http://localhost:${port}/webhooks`, request).then(
          ({ ok }) => ok,
          () => false,
        );
      };
      expect(await answered(report)).toBe(true);
      expect(await answered('no event')).toBe(false);
      expect(await answered(completed)).toBe(true);
      server.stop();
    },
    60_000,
  );
});

/** Answers a signed and a changed request by a module of the webhooks page. */
async function statusesOf(
  desk: Desk,
  receive: (body: string, signature: string) => Promise<number>,
) {
  const right = webhooks.sign(completed, desk.env.PAY_WEBHOOK_SECRET ?? '');
  return [await receive(completed, right), await receive(`${completed} `, right)];
}

const headersOf = (signature: string) => ({
  'content-type': 'application/json',
  'service-signature': signature,
});
const requestOf = (body: string, signature: string) =>
  new Request('http://shop.example/webhooks', {
    method: 'POST',
    body,
    headers: headersOf(signature),
  });

test('the handlers for Next and Hono answer a request by its signature', async () => {
  const { desk } = await unpack('guide/webhooks.md', 'hono.mjs');
  process.env.PAY_WEBHOOK_SECRET = desk.env.PAY_WEBHOOK_SECRET;
  const next = await import(join(desk.folder, 'route.mjs'));
  const hono = await import(join(desk.folder, 'hono.mjs'));
  const byNext = async (body: string, signature: string) =>
    (await next.POST(requestOf(body, signature))).status;
  const byHono = async (body: string, signature: string) =>
    (await hono.default.fetch(requestOf(body, signature))).status;
  expect(await statusesOf(desk, byNext)).toEqual([200, 400]);
  expect(await statusesOf(desk, byHono)).toEqual([200, 400]);
});

test('the store on a file forgets nothing in a restart, also where a crash cut a line off', async () => {
  const { desk } = await unpack('guide/webhooks-verify.md', 'file_store.mjs');
  const { fileStore } = await import(join(desk.folder, 'file_store.mjs'));
  const path = join(desk.folder, 'handled.jsonl');
  const newer: unknown[] = [];
  const once = (store: ReceiverStore, eventId: string, version: number | null) =>
    store.once(
      { eventId, record: 'payment/pay_1', version, object: { version } },
      async (_, given) => newer.push(given),
    );
  const first = fileStore(path);
  expect(await once(first, 'evt_2', 2)).toBe('handled');
  expect(await once(first, 'evt_none', null)).toBe('handled');
  const failing = { eventId: 'evt_3', record: 'payment/pay_1', version: 3, object: {} };
  await expect(first.once(failing, () => Promise.reject(new Error('busy')))).rejects.toThrow(
    'busy',
  );
  appendFileSync(path, '{"eventId":"evt_3","record":"pay');

  const second = fileStore(path);
  expect(await once(second, 'evt_2', 2)).toBe('duplicate');
  expect(await once(second, 'evt_none', null)).toBe('duplicate');
  expect(await once(second, 'evt_1', 1)).toBe('outdated');
  const atOnce = [once(second, 'evt_3', 3), once(second, 'evt_4', 3)];
  expect(await Promise.all(atOnce)).toEqual(['handled', 'duplicate']);

  expect(await once(fileStore(path), 'evt_3', 3)).toBe('duplicate');
  expect(newer).toEqual([null, null, { version: 2 }, null]);
});

test('the test vector is what the service signs', () => {
  const text = textOf('guide/webhooks-verify.md');
  const value = (name: string) => new RegExp(`\\| ${name} +\\| \`(.+?)\``).exec(text)?.[1] ?? '';
  const at = new Date(Number(value('`t`')) * 1_000);
  expect(webhooks.sign(bodyJson, value('secret'), at)).toBe(
    `t=${value('`t`')},v1=${value('signature')}`,
  );
  const withoutPrefix = webhooks.sign(bodyJson, value('secret').slice('whsec_'.length), at);
  expect(withoutPrefix).toContain(`v1=${/begins with `(\w+)`/.exec(text)?.[1]}`);
});
