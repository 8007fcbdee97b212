import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AdapterSettings } from '../rails/adapter.ts';
import { ConfigError, parseConfig } from './config.ts';

const bothPorts: AdapterSettings = {
  name: 'both',
  ports: { aggregator: ['both'], identity: ['both'] },
  settings: {
    BOTH_KEY: {
      isSecret: true,
      environmentOf: (value) => (value.startsWith('test_') ? 'sandbox' : 'production'),
    },
    BOTH_ID: { fault: (value) => (/^\d+$/.test(value) ? null : 'must be a number') },
    BOTH_TEMPLATE: { port: 'identity' },
    BOTH_URL: { isOptional: true },
  },
};
const post: AdapterSettings = { name: 'post', ports: { mail: ['smtp', 'smtps'] }, settings: {} };
const texts: AdapterSettings = { name: 'texts', ports: { sms: ['texts'] }, settings: {} };
const known = [bothPorts, post, texts];

type Env = Readonly<Record<string, string>>;

function faultsOf(env: Env): readonly string[] {
  try {
    parseConfig(env, known);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
const chosenBy = (env: Env) => parseConfig(env, known).adapters;

const both = { AGGREGATOR: 'both', BOTH_KEY: 'test_1', BOTH_ID: '12' };

test('no setting chooses no adapter, and what adapters would want may be set', () => {
  expect(chosenBy({ BOTH_ID: 'wrong' })).toEqual([]);
});

test('a setting gives a port to an adapter, with the settings that the port needs', () => {
  expect(chosenBy({ ...both, BOTH_TEMPLATE: 'unused' })).toEqual([
    { name: 'both', ports: ['aggregator'], values: both },
  ]);
});

test('two ports may have one adapter, and the two channels of messages one each', () => {
  const MAIL = 'smtp://user:hunter2@mail.example';
  const env = { ...both, IDENTITY: 'both', BOTH_TEMPLATE: 't', MAIL, SMS: 'texts' };
  expect(chosenBy(env).map(({ name, ports }) => [name, ports])).toEqual([
    ['both', ['aggregator', 'identity']],
    ['post', ['mail']],
    ['texts', ['sms']],
  ]);
  expect(chosenBy({ MAIL: 'smtps://mail.example' })[0]?.values).toEqual({
    MAIL: 'smtps://mail.example',
  });
});

test('all faults of adapters are said at once, each with its setting and never a value', () => {
  const faults = faultsOf({
    AGGREGATOR: 'both',
    IDENTITY: 'both',
    BOTH_ID: 'hunter2',
    MAIL: 'hunter2',
    SMS: 'hunter2',
    BANK: 'hunter2',
  });
  expect(faults).toEqual([
    'BANK cannot be set: this release has no adapter for it',
    'MAIL must be an address that begins with smtp:// or smtps://',
    'SMS must be one of texts',
    'BOTH_KEY is required by AGGREGATOR=both and IDENTITY=both (or BOTH_KEY_FILE)',
    'BOTH_ID must be a number',
    'BOTH_TEMPLATE is required by AGGREGATOR=both and IDENTITY=both',
  ]);
});

test("a key of a provider's sandbox stops production with one line, and the other way round", () => {
  const of = (env: Env) => faultsOf(env).filter((line) => line.startsWith('BOTH_KEY'));
  expect(of({ ...both, ENVIRONMENT: 'production' })).toEqual([
    "BOTH_KEY is of the provider's sandbox, and ENVIRONMENT is production",
  ]);
  expect(of({ ...both, BOTH_KEY: 'live_1' })).toEqual([
    "BOTH_KEY is of the provider's production, and ENVIRONMENT is sandbox",
  ]);
});

test('production demands RAILS for the ports that no setting names, and for none otherwise', () => {
  const rails = (env: Env) =>
    faultsOf({ ENVIRONMENT: 'production', ...env }).filter((line) => line.startsWith('RAILS'));
  const live = { ...both, BOTH_KEY: 'live_1', IDENTITY: 'both', BOTH_TEMPLATE: 't' };
  expect(rails({ ...live, MAIL: 'smtp://mail.example' })).toEqual([
    'RAILS is required in production: the module that implements service/rails/ for bank, sms',
  ]);
  expect(rails({ ...live, RAILS: './rails.js' })).toEqual([]);
});

test('a secret of an adapter, and the address of mail, may stand in a file of their own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tpay-adapters-'));
  const [key, mail] = [join(folder, 'key'), join(folder, 'mail')];
  await writeFile(key, 'live_1\n', { mode: 0o600 });
  await writeFile(mail, 'smtp://mail.example\n', { mode: 0o600 });
  const { BOTH_KEY: _, ...env } = both;
  const withFiles = { ...env, BOTH_KEY_FILE: key, MAIL_FILE: mail, ENVIRONMENT: 'production' };
  const readable = () => faultsOf(withFiles).filter((line) => line.includes('every user'));
  expect(readable()).toEqual([]);
  await chmod(key, 0o644);
  await chmod(mail, 0o644);
  expect(readable().map((line) => line.split(':')[0])).toEqual(['MAIL_FILE', 'BOTH_KEY_FILE']);
  const missing = faultsOf({ ...env, BOTH_KEY_FILE: join(folder, 'nowhere') });
  expect(missing).toEqual([expect.stringMatching(/^BOTH_KEY_FILE: .*ENOENT/)]);
});
