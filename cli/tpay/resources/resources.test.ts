import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';
import { type Operation, type ResourceCommands, resources } from './table.ts';

const server = await openServer({ workers: false });
const env = accountEnv(server.baseUrl, server.tenant);
const open = () => openTpay(env);
let people = 0;
const newPerson = () => {
  people += 1;
  const number = `+1212555${String(1000 + people)}`;
  return [
    '--type',
    'individual',
    '--external-ref',
    `p${people}`,
    '--email',
    `p${people}@example.com`,
    '--mobile-number',
    number,
  ];
};

test('every operation of the Tenant API is a command, but those that other commands call', () => {
  const others = [
    'createToken',
    'getWebhookEvent',
    'listWebhookEvents',
    'resendWebhookEvent',
    'recoverWebhookEvents',
    'simulateEvent',
  ];
  const called = Object.values<ResourceCommands>(resources).flatMap(({ verbs }) =>
    Object.values<Operation>(verbs).flatMap((operation) =>
      'api' in operation ? [operation.api] : [],
    ),
  );
  expect([...called, ...others].sort()).toEqual(Object.keys(endpoints).sort());
});

test('a record is made by flags, found, got and listed', async () => {
  const tpay = open();
  const made = await tpay('customers', 'create', ...newPerson());
  expect([made.code, made.err]).toEqual([
    0,
    [expect.stringMatching(/^Idempotency-Key: [0-9a-f-]{36}$/)],
  ]);
  expect(made.out[0]).toMatch(/^id +cus_/);
  const { data } = await tpay.json('customers', 'find', '--external-ref', `p${people}`);
  const [found] = data;
  expect(await tpay.json('customers', 'get', found.id)).toEqual(found);
  const listed = await tpay('customers', 'list', '--limit', '1');
  expect(listed.out[0]).toMatch(/^ID +TYPE +EXTERNAL_REF/);
  expect(listed.out[1]).toContain(found.id);
});

test('the same key makes nothing twice, and says that the reply is the first one', async () => {
  const tpay = open();
  const person = newPerson();
  const key = ['--idempotency-key', 'order-7'];
  const first = await tpay.json('customers', 'create', ...person, ...key);
  const again = await tpay('customers', 'create', ...person, ...key, '--json');
  expect(JSON.parse(again.out.join())).toEqual(first);
  expect(again.err).toEqual([
    'Idempotency-Key: order-7',
    expect.stringMatching(/^note: .*made before/),
  ]);
});

test('a body comes from a file, a pipe or text, flags go before it, and --set reaches within', async () => {
  const tpay = open();
  const { id } = await tpay.json('customers', 'create', ...newPerson());
  const folder = mkdtempSync(join(tmpdir(), 'tpay-body-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'body.json');
  writeFileSync(file, JSON.stringify({ flow: 'onboarding', customer_id: 'cus_other' }));
  const session = await tpay.json('sessions', 'create', '--data', `@${file}`, '--customer-id', id);
  expect(session).toMatchObject({ flow: 'onboarding', customer_id: id });
  const piped = tpay.with({ readInput: async () => '{"type":"static"}' });
  const printed = await piped(
    'payment-requests',
    'create',
    '--data',
    '-',
    '--curl',
    '--merchant-customer-id',
    id,
    '--set',
    'collection_point.name=Till 1',
    '--set',
    'amount=450',
  );
  expect(printed.code, printed.err.join()).toBe(0);
  expect(printed.out.join()).toContain(
    JSON.stringify({
      type: 'static',
      merchant_customer_id: id,
      collection_point: { name: 'Till 1' },
      amount: 450,
    }),
  );
});

test('a token of a reply is hidden until it is asked for', async () => {
  const tpay = open();
  const { id } = await tpay.json('customers', 'create', ...newPerson());
  const asked = ['sessions', 'create', '--flow', 'onboarding', '--customer-id', id];
  const words = await tpay(...asked);
  expect(words.out.join('\n')).toMatch(/^token +\(hidden: --reveal shows it\)$/m);
  expect(JSON.stringify(await tpay.json(...asked))).not.toContain('"st_');
  expect((await tpay.json(...asked, '--reveal')).token).toMatch(/^st_/);
});

test('a record is shown in paragraphs, with a table where its parts have the same fields', async () => {
  const tpay = open();
  const { id } = await tpay.json('customers', 'create', ...newPerson());
  const { out } = await tpay('records', 'get', id);
  expect(out[0]).toMatch(new RegExp(`^id +${id}$`));
  const paragraphs = new Map(
    out
      .join('\n')
      .split('\n\n')
      .map((text): [string, string[]] => [text.split('\n', 1)[0] ?? '', text.split('\n').slice(1)]),
  );
  const partOf = (name: string) => paragraphs.get(`${name}:`) ?? [];
  expect(partOf('record')).toContainEqual(expect.stringMatching(/^ {2}external_ref +p\d/));
  expect(partOf('moves')[0]).toMatch(/^ {2}NAME +TO +BY +EVENT/);
  expect(partOf('timeline')).toContainEqual(
    expect.stringMatching(/^ {2}event {2}\S+Z {2}evt_\w+ {2}customer\.created/),
  );
});

test('a search takes its word in the line', async () => {
  const tpay = open();
  const { id } = await tpay.json('customers', 'create', ...newPerson());
  expect((await tpay.json('records', 'search', `p${people}`)).data).toMatchObject([{ id }]);
});

test('--curl sends nothing and shows no secret, and what it prints works in a shell', async () => {
  const tpay = open();
  const { code, out, err } = await tpay('customers', 'create', ...newPerson(), '--curl');
  expect([code, err]).toEqual([
    0,
    ['hint: Nothing was sent. Set the token with: PAY_TOKEN=$(tpay token)'],
  ]);
  expect(out.join()).not.toContain(env.PAY_CLIENT_SECRET);
  expect((await tpay.json('customers', 'find', '--external-ref', `p${people}`)).data).toEqual([]);
  const token = (await tpay('token')).out.join();
  const shell = { env: { ...process.env, PAY_TOKEN: token }, encoding: 'utf8' } as const;
  // In a process beside this one, which answers the call.
  const said = await promisify(execFile)('bash', ['-c', `${out.join('\n')} -s`], shell);
  expect(JSON.parse(said.stdout)).toMatchObject({ object: 'customer', external_ref: `p${people}` });
});

test.each([
  [['payments', 'crate'], 'Did you mean create?'],
  [['paymnts', 'list'], 'Did you mean payments?'],
  [['payments', 'list', '--stauts', 'completed'], 'Did you mean --status?'],
  [['payments', 'list', '--status', 'complete'], 'Did you mean completed'],
  [['payments', 'create', '--source', 'balance'], '--payer-customer-id'],
  [['loads', 'create', '--customer-id', 'x', '--amount', 'ten'], 'is not a number'],
  [['loads', 'create', '--data', '[1]'], '--data is not an object'],
  [['loads', 'create', '--data', '@/nowhere'], 'cannot be read (ENOENT)'],
  [['loads', 'create', '--data', '{}', '--set', 'amount'], 'is not path=value'],
])('%j is wrong usage, and says what was meant', async (args, meant) => {
  const { code, out, err } = await open()(...args);
  expect([code, out]).toEqual([2, []]);
  expect(err.join('\n')).toContain(meant);
});

test('a refusal names code, field and request, and what to do', async () => {
  const { code, out, err } = await open()('payments', 'get', 'pay_unknown');
  expect([code, out]).toEqual([1, []]);
  expect(err[0]).toMatch(/^error: not_found.*\(request req_/);
  expect(err.at(-1)).toBe('hint: Look for it with: tpay records search TEXT');
});

test('a text of a stranger steers no terminal', async () => {
  const tpay = open();
  const person = newPerson();
  person[3] = 'x\u001b[31m';
  await tpay.json('customers', 'create', ...person);
  const { out } = await tpay('customers', 'list', '--limit', '1');
  expect(out.join('\n')).not.toContain('\u001b');
  expect(out[1]).toContain('\\u001b[31m');
});
