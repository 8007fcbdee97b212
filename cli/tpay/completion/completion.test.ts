import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';
import { shells } from './scripts.ts';

const server = await openServer({ workers: false });
const person = await server.api.applied('individual');
const tpay = () => openTpay(accountEnv(server.baseUrl, server.tenant));
const completed = async (...words: string[]) => (await tpay()('__complete', ...words)).out;

test.each([
  [['paym'], ['payment-requests', 'payments']],
  [
    ['payments', ''],
    ['list', 'get', 'create', 'cancel'],
  ],
  [['payments', 'create', '--so'], ['--source']],
  [
    ['payments', 'create', '--source', ''],
    ['balance', 'bank_account'],
  ],
  [['payments', 'list', '--json', '--status', 'comp'], ['completed']],
  [['trigger', 'payment.com'], ['payment.completed']],
  [['listen', '--events', 'load.s'], ['load.settled']],
  [
    ['clock', 'n'],
    ['next-retry', 'next-due'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['nothing', 'at', 'all', ''], []],
])('%j is completed', async (words, expected) => {
  expect(await completed(...words)).toEqual(expected);
});

test('ids come from the account, and none where it cannot be asked', async () => {
  expect(await completed('customers', 'get', 'cus_')).toEqual([person.id]);
  expect(await completed('loads', 'create', '--customer-id', '')).toEqual([person.id]);
  expect(await completed('simulate', 'customer.approved', 'cus')).toContain(person.id);
  const nowhere = openTpay({ ...accountEnv('http://127.0.0.1:1', server.tenant) });
  expect(await nowhere('__complete', 'customers', 'get', '')).toEqual({
    code: 0,
    out: [],
    err: [],
  });
});

test('an unknown shell is wrong usage and names the others', async () => {
  const { code, err } = await tpay()('completion', 'bassh');
  expect([code, err.at(-1)]).toEqual([2, 'hint: Did you mean bash?']);
});

/** A shell in which `tpay` prints what it was asked, to see the script itself. */
const stub = `tpay() { printf '%s\\n' "$@" one two; }`;

test('bash offers what tpay answers', () => {
  const script = `${stub}\n${shells.bash}
    COMP_WORDS=(tpay payments get pay_); COMP_CWORD=3; _tpay; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p tpay`;
  const { stdout, stderr } = run('bash', '--norc', '-c', script);
  expect([stdout, stderr]).toEqual([
    '__complete\npayments\nget\npay_\none\ntwo\ncomplete -o default -F _tpay tpay\n',
    '',
  ]);
});

const run = (shell: string, ...args: string[]) => spawnSync(shell, args, { encoding: 'utf8' });
const has = (shell: string) => run(shell, '--version').status === 0;
const missing = ['zsh', 'fish'].filter((shell) => !has(shell));
if (missing.length > 0) console.warn(`not on this machine, so not tried: ${missing.join(', ')}`);

test.skipIf(!has('zsh'))('zsh takes its script, and offers what tpay answers', () => {
  const script = `autoload -U compinit; compinit -u -D; ${stub}\n${shells.zsh}
    compadd() { printf '%s\\n' "$@"; }
    words=(tpay payments get pay_ behind); CURRENT=4; _tpay; echo "$_comps[tpay]"`;
  const { stdout, stderr } = run('zsh', '-f', '-c', script);
  expect([stdout, stderr]).toEqual(['--\n__complete\npayments\nget\npay_\none\ntwo\n_tpay\n', '']);
});

test.skipIf(!has('fish'))('fish offers what tpay answers', () => {
  const tpay = `function tpay; printf 'pay_%s\\n' $argv one; end`;
  const script = `${tpay}\n${shells.fish}\ncomplete -C 'tpay payments get pay_'`;
  const { stdout } = run('fish', '-c', script);
  const offered = ['pay___complete', 'pay_get', 'pay_one', 'pay_pay_', 'pay_payments'];
  expect(stdout.trimEnd().split('\n').toSorted()).toEqual(offered);
});
