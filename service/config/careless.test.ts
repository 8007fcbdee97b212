import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportCareless, warningsOf } from './careless.ts';
import { ConfigError, parseConfig } from './config.ts';

const key = () => randomBytes(32).toString('base64');
const production: Readonly<Record<string, string>> = {
  ENVIRONMENT: 'production',
  RAILS: './rails.js',
  PUBLIC_URL: 'https://pay.example',
  PIN_PEPPER: key(),
  SEALING_KEY: key(),
  QR_SIGNING_KEY: key(),
};

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    parseConfig(env, []);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

test.each<[string, Record<string, string>, RegExp]>([
  ['proxies of the whole world', { TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' }, /^TRUSTED_PROXIES /],
  ['proxies of half of it', { TRUSTED_PROXIES: '128.0.0.0/1' }, /^TRUSTED_PROXIES /],
  ['every address of IPv6', { TRUSTED_PROXIES: '::/0' }, /^TRUSTED_PROXIES /],
  ['all of IPv4 in IPv6', { TRUSTED_PROXIES: '::ffff:0:0/96' }, /^TRUSTED_PROXIES /],
  ['half of IPv4 in IPv6', { TRUSTED_PROXIES: '::FFFF:128.0.0.0/97' }, /^TRUSTED_PROXIES /],
  ['a key of zeros', { SEALING_KEY: '0'.repeat(64) }, /^SEALING_KEY has a key that is not random/],
  ['a signing key of zeros', { QR_SIGNING_KEY: '0'.repeat(64) }, /^QR_SIGNING_KEY has a key/],
  ['a typed key', { PIN_PEPPER: '0123456789abcdef'.repeat(4) }, /^PIN_PEPPER has a key/],
  ['servers that prove nothing', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^NODE_TLS_REJECT_/],
  ['a debugger', { NODE_OPTIONS: '--no-opt --inspect=0.0.0.0:9229' }, /^NODE_OPTIONS /],
  ['a debugger in quotes', { NODE_OPTIONS: '"\\--inspect"' }, /^NODE_OPTIONS /],
  ['a debugger with an underscore', { NODE_OPTIONS: '--inspect_brk=0' }, /^NODE_OPTIONS /],
])('production is not started with %s, and a sandbox is', (_what, more, line) => {
  expect(faultsOf({ ...production, ...more })).toEqual([expect.stringMatching(line)]);
  expect(faultsOf(more)).toEqual([]);
});

test('a debugger that the command line names is seen too', () => {
  const faults: string[] = [];
  const execArgv = ['--inspect-brk'];
  reportCareless({}, parseConfig(production, []), faults, { execArgv, node: '24.0.0' });
  expect(faults).toEqual([expect.stringMatching(/--inspect/)]);
});

test('a file of keys that every user may read is refused, and one for its group is taken', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'tpay-careless-')), 'sealing');
  await writeFile(path, key());
  const { SEALING_KEY: _, ...env } = production;
  const withFile = { ...env, SEALING_KEY_FILE: path };
  await chmod(path, 0o644);
  expect(faultsOf(withFile)).toEqual([
    `SEALING_KEY_FILE: every user of the machine may read ${path}; run: chmod 600 ${path}`,
  ]);
  await chmod(path, 0o640);
  expect(faultsOf(withFile)).toEqual([]);
});

test('careful settings of production are taken', () => {
  const TRUSTED_PROXIES = '10.0.0.0/8,2001:db8::/32,192.0.2.1,::ffff:10.0.0.0/104';
  expect(faultsOf({ ...production, TRUSTED_PROXIES, NODE_OPTIONS: '--no-opt' })).toEqual([]);
});

test('a Node past its end is warned of from that day on, and goes on', () => {
  const of = (node: string) => warningsOf(Date.parse('2026-11-28'), { execArgv: [], node });
  expect(of('20.20.2')).toEqual([
    'Node 20 has had no security fixes since 2026-04-30; take a newer one',
  ]);
  expect([of('22.11.0'), of('24.1.0'), of('99.0.0')]).toEqual([[], [], []]);
});
