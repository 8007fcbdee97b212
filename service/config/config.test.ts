import { createPrivateKey, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manual } from '../../adapters/manual/settings.ts';
import { ConfigError, parseConfig as parse } from './config.ts';
import { completeConfig } from './secrets.ts';

/** With no built-in adapter, unless a test names some. */
const parseConfig = (
  env: Parameters<typeof parse>[0],
  known: Parameters<typeof parse>[1] = [],
): ReturnType<typeof parse> => parse(env, known);

const key = randomBytes(32);
const secrets = {
  PIN_PEPPER: key.toString('base64'),
  SEALING_KEY: key.toString('hex'),
  QR_SIGNING_KEY: key.toString('base64'),
};
const PUBLIC_URL = 'https://pay.example';
const production = { ENVIRONMENT: 'production', RAILS: './rails.js', PUBLIC_URL, ...secrets };

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

it('needs no setting in the sandbox', () => {
  expect(parseConfig({})).toMatchObject({
    environment: 'sandbox',
    port: 8080,
    hosts: ['127.0.0.1', '::1'],
    publicUrl: 'http://localhost:8080',
    databaseUrl: null,
    metricsPort: 9464,
    metricsHost: '127.0.0.1',
    drainDelaySeconds: 0,
    shop: 'loopback',
    logLevel: 'warn',
    pinPeppers: null,
  });
});

it('wants a second person in production always, and in a sandbox where it is switched on', () => {
  expect(parseConfig({}).approvals).toBe(false);
  expect(parseConfig({ APPROVALS: 'on' }).approvals).toBe(true);
  expect(parseConfig(production).approvals).toBe(true);
  expect(faultsOf({ ...production, APPROVALS: 'off' })).toEqual([
    'APPROVALS cannot be off in production',
  ]);
});

it('gives console and hosted pages a host of their own where it is set, in production by https alone', () => {
  expect(parseConfig({})).toMatchObject({ consoleUrl: null, hostedUrl: null });
  const own = { CONSOLE_URL: 'https://console.example.com', HOSTED_URL: 'https://pay.example.com' };
  expect(parseConfig({ ...production, ...own })).toMatchObject({
    consoleUrl: own.CONSOLE_URL,
    hostedUrl: own.HOSTED_URL,
  });
  for (const name of ['CONSOLE_URL', 'HOSTED_URL']) {
    for (const wrong of ['http://a.example', 'https://10.0.0.1', 'https://a.example/x'])
      expect(faultsOf({ ...production, [name]: wrong })).toEqual([
        expect.stringMatching(`^${name} must`),
      ]);
    expect(faultsOf({ [name]: 'nonsense' })).toHaveLength(1);
  }
});

it('takes hours for all orders or for own ones and transfers, and refuses what is none', () => {
  const hoursOf = (text?: string) => parseConfig({ ORDER_ALARM_HOURS: text }).orderAlarmHours;
  expect(hoursOf()).toEqual({ own: 24, transfer: 24 });
  expect(hoursOf('720')).toEqual({ own: 720, transfer: 720 });
  expect(hoursOf('48, own=4')).toEqual({ own: 4, transfer: 48 });
  for (const wrong of ['0', '721', '1.5', 'load=3', 'own', 'own=', 'own=4=5'])
    expect(faultsOf({ ORDER_ALARM_HOURS: wrong }), wrong).toEqual([
      'ORDER_ALARM_HOURS must be hours from 1 to 720, or a list, by commas, such as 24,own=4 of own, transfer',
    ]);
});

it('the documentation is served unless it is switched off, or at another address', () => {
  expect(parseConfig({}).docs).toBe('on');
  expect(parseConfig({ DOCS: 'off' }).docs).toBe('off');
  const { docs } = parseConfig({ DOCS: 'https://docs.example.com/docs/' });
  expect(docs).toBe('https://docs.example.com/docs');
  for (const DOCS of ['no', 'ftp://docs.example.com', 'https://me:hunter2@docs.example.com'])
    expect(faultsOf({ DOCS })).toEqual([
      'DOCS must be on, off, or an http or https address without user, query and fragment',
    ]);
});

it('makes the sample week in a sandbox unless it is switched off, and never in production', () => {
  expect(parseConfig({}).sampleWeek).toBe(true);
  expect(parseConfig({ SAMPLE_WEEK: '0' }).sampleWeek).toBe(false);
  expect(parseConfig({ ...production, SAMPLE_WEEK: '1' }).sampleWeek).toBe(false);
  expect(faultsOf({ SAMPLE_WEEK: 'no' })).toEqual(['SAMPLE_WEEK must be one of 0, 1']);
});

it('takes the public address from the port, without a slash at its end', () => {
  expect(parseConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000');
  for (const given of [
    'https://pay.example/',
    'https://Pay.Example:443//',
    'https://pay.example/?',
  ])
    expect(parseConfig({ PUBLIC_URL: given }).publicUrl).toBe('https://pay.example');
});

it('takes no public address with a path, from which no page would load', () => {
  for (const given of ['https://pay.example/pay', 'https://pay.example/a/../b/'])
    expect(faultsOf({ PUBLIC_URL: given })).toEqual([
      'PUBLIC_URL must have no path: give the service a host name of its own',
    ]);
});

it('takes no IP address as the public one in production, where no passkey could be made', () => {
  for (const given of ['https://10.0.0.5', 'https://[2001:db8::1]:8443', 'https://167772165'])
    expect(faultsOf({ ...production, PUBLIC_URL: given })).toEqual([
      'PUBLIC_URL must name its host in production: an IP address has no passkeys',
    ]);
  expect(parseConfig({ PUBLIC_URL: 'http://10.0.0.5:8080' }).publicUrl).toBe(
    'http://10.0.0.5:8080',
  );
});

it('reports every fault at once, one line each, without the values', () => {
  const faults = faultsOf({
    ENVIRONMENT: 'staging',
    PORT: '70000',
    PUBLIC_URL: 'ftp://host',
    DATABASE_URL: 'mysql://user:hunter2@host/db',
    ROLES: 'api,cook',
    LOG_LEVEL: 'loud',
    SEALING_KEY: 'hunter2',
  });
  const names = ['ENVIRONMENT', 'PORT', 'PUBLIC_URL', 'DATABASE_URL', 'ROLES', 'LOG_LEVEL'];
  for (const name of [...names, 'SEALING_KEY'])
    expect(faults.filter((line) => line.startsWith(name))).toHaveLength(1);
  expect(faults.join()).not.toContain('hunter2');
  expect(faults.every((line) => !line.includes('\n'))).toBe(true);
});

it('wants the environment said where the database is one that others may use', () => {
  const DATABASE_URL = 'postgresql://pay@localhost/pay';
  const line = 'ENVIRONMENT must be set where DATABASE_URL is: sandbox or production';
  const unsaid: Record<string, string>[] = [{}, { ENVIRONMENT: '' }];
  for (const env of unsaid) expect(faultsOf({ ...env, DATABASE_URL })).toEqual([line]);
  expect(faultsOf({ ENVIRONMENT: 'sandbox', DATABASE_URL })).toEqual([]);
  expect(faultsOf({ ...production, DATABASE_URL })).toEqual([]);
});

it('takes the schema of a cell from behind the address of its database', () => {
  const address = 'postgresql://pay@localhost/pay';
  const urlOf = (DATABASE_URL: string) =>
    parseConfig({ ENVIRONMENT: 'sandbox', DATABASE_URL }).databaseUrl;
  expect(urlOf(address)).toBe(address);
  expect(urlOf(`${address}#public`)).toBe(address);
  expect(urlOf(`${address}#cell_b`)).toBe(`${address}?options=-c+search_path%3Dcell_b`);
  expect(urlOf(`${address}?sslmode=require#cell_b`)).toContain('sslmode=require&options=');
  for (const name of ['', 'control', 'pg_own', 'Cell', 'a,b', 'a#b'])
    expect(faultsOf({ ENVIRONMENT: 'sandbox', DATABASE_URL: `${address}#${name}` })).toHaveLength(
      1,
    );
});

it('migrates the cell that it serves and no other', () => {
  const [DATABASE_URL, other] = [
    'postgresql://pay@localhost/pay#cell_b',
    'postgresql://own@localhost/pay',
  ];
  const faults = (MIGRATION_DATABASE_URL: string) =>
    faultsOf({ ENVIRONMENT: 'sandbox', DATABASE_URL, MIGRATION_DATABASE_URL });
  expect(faults(`${other}#cell_b`)).toEqual([]);
  for (const another of [other, `${other}#cell_c`])
    expect(faults(another)).toEqual([
      'MIGRATION_DATABASE_URL must name the schema that DATABASE_URL names behind #',
    ]);
});

it('trusts the listed proxies, addresses and ranges, and no other', () => {
  expect(parseConfig({}).trustedProxies).toEqual([]);
  const TRUSTED_PROXIES = '10.0.0.0/8, ::1';
  expect(parseConfig({ TRUSTED_PROXIES }).trustedProxies).toEqual(['10.0.0.0/8', '::1']);
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x'])
    expect(faultsOf({ TRUSTED_PROXIES: wrong }).join()).toMatch(/^TRUSTED_PROXIES must be a list/);
});

it('takes the roles of a process, and a separate port for metrics', () => {
  const rolesOf = (ROLES: string) => [...parseConfig({ ROLES }).roles];
  expect(rolesOf('worker')).toEqual(['worker']);
  expect(rolesOf(' worker , api')).toEqual(['api', 'worker']);
  expect(faultsOf({ ROLES: ',' })).toHaveLength(1);
  for (const METRICS_PORT of ['-1', '65536', '9464.5', 'none'])
    expect(faultsOf({ METRICS_PORT })).toEqual(['METRICS_PORT must be a port from 0 to 65535']);
  const same = { PORT: '9464', METRICS_PORT: '9464' };
  expect(faultsOf(same)).toEqual(['METRICS_PORT must be another port than PORT']);
  expect(faultsOf({ PORT: '9464' })).toHaveLength(1);
  expect(faultsOf({ ...same, ROLES: 'worker' })).toEqual([]);
  expect(faultsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
});

it('takes no level of the log in production that hides the audit, security or alarms', () => {
  for (const LOG_LEVEL of ['warn', 'error', 'fatal', 'silent'])
    expect(faultsOf({ ...production, LOG_LEVEL })).toEqual([
      expect.stringMatching(/^LOG_LEVEL must be info, debug or trace in production/),
    ]);
  for (const LOG_LEVEL of ['', 'info', 'debug', 'trace'])
    expect(faultsOf({ ...production, LOG_LEVEL })).toEqual([]);
  expect(faultsOf({ LOG_LEVEL: 'error' })).toEqual([]);
});

it('takes the cells that it serves, and those whose work it does', () => {
  const CELLS = 'public, cell_b';
  const parsed = (ROLES: string) => {
    const { roles, cells, workerCells } = parseConfig({ CELLS, ROLES });
    return [[...roles], cells, workerCells];
  };
  const cells = ['public', 'cell_b'];
  expect(parsed('api,worker')).toEqual([['api', 'worker'], cells, null]);
  expect(parsed('worker:cell_b')).toEqual([['worker'], cells, ['cell_b']]);
  expect(parsed('api,worker:public')).toEqual([['api', 'worker'], cells, ['public']]);
  expect(parsed('api')).toEqual([['api'], cells, null]);
  for (const fault of ['public,public', 'public,Cell', 'public,', 'control'])
    expect(faultsOf({ CELLS: fault })).toHaveLength(1);
  expect(faultsOf({ CELLS, ROLES: 'worker:cell_c' })).toEqual([
    'ROLES must be a list, by commas, of api, worker, worker:public, worker:cell_b',
  ]);
  expect(faultsOf({ ROLES: 'worker:public' })).toHaveLength(1);
  const DATABASE_URL = 'postgresql://pay@localhost/pay#cell_b';
  expect(faultsOf({ ENVIRONMENT: 'sandbox', CELLS, DATABASE_URL })).toEqual([
    'CELLS names the schemas, so DATABASE_URL, MIGRATION_DATABASE_URL and DATABASE_READ_URL name none behind #',
  ]);
});

it('takes one server for reads, beside its database and in the same schema', () => {
  const DATABASE_URL = 'postgresql://pay@localhost/pay#cell_b';
  const base = { ENVIRONMENT: 'sandbox', DATABASE_URL };
  const { databaseReadUrl } = parseConfig({ ...base, DATABASE_READ_URL: DATABASE_URL });
  expect(databaseReadUrl).toContain('search_path');
  const faults = (url: string, more: object = base) =>
    faultsOf({ ...more, DATABASE_READ_URL: url });
  expect(faults('postgresql://pay@localhost/pay')).toEqual([
    'DATABASE_READ_URL must name the schema that DATABASE_URL names behind #',
  ]);
  expect(faults('postgresql://pay@localhost/pay?target_session_attrs=read-write#cell_b')).toEqual([
    'DATABASE_READ_URL names one server, which may take no writes: no target_session_attrs',
  ]);
  expect(faults('postgresql://pay@localhost/pay', {})).toEqual([
    'DATABASE_READ_URL is used with DATABASE_URL alone, which is not set',
  ]);
});

it('takes the database of a remote cell from the setting with its name, and refuses what leads nowhere', () => {
  const DATABASE_URL = 'postgresql://pay@localhost/pay';
  const far = 'postgresql://pay@localhost/far';
  const base = { ENVIRONMENT: 'sandbox', CELLS: 'public,cell_b', DATABASE_URL };
  const remote = { ...base, DATABASE_URL_CELL_B: far };
  expect(parseConfig(base)).toMatchObject({ remoteCells: new Map(), controlUrl: null });
  expect(parseConfig(remote)).toMatchObject({
    remoteCells: new Map([['cell_b', { databaseUrl: far, migrationDatabaseUrl: null }]]),
    controlUrl: DATABASE_URL,
  });
  const more = {
    MIGRATION_DATABASE_URL_CELL_B: `${far}2`,
    CONTROL_DATABASE_URL: `${DATABASE_URL}2`,
  };
  const { remoteCells, controlUrl } = parseConfig({ ...remote, ...more });
  expect([remoteCells.get('cell_b')?.migrationDatabaseUrl, controlUrl]).toEqual([
    `${far}2`,
    `${DATABASE_URL}2`,
  ]);
  expect(faultsOf({ ...base, DATABASE_URL_CELL_C: far })).toEqual([
    'DATABASE_URL_CELL_C is the address of a cell that CELLS does not name',
  ]);
  expect(faultsOf({ ...base, MIGRATION_DATABASE_URL_CELL_B: far })).toHaveLength(1);
  expect(faultsOf({ ...base, DATABASE_URL_CELL_B: `${far}#cell_b` })).toHaveLength(1);
  expect(faultsOf({ ...remote, DATABASE_URL: '' })).toEqual([
    'DATABASE_URL_CELL_B needs DATABASE_URL, which is not set',
  ]);
  expect(faultsOf({ ...base, DATABASE_URL_PUBLIC: far })).toEqual([
    'CELLS must name first a cell in the database of DATABASE_URL',
  ]);
  expect(faultsOf({ ...remote, CELLS: 'cell_b' }), 'a command works on one cell').toEqual([]);
});

it('takes the cells of Citus from its coordinator, whose database is named', () => {
  const DATABASE_URL = 'postgresql://pay@localhost/pay';
  const base = { ENVIRONMENT: 'sandbox', CELLS: 'citus', DATABASE_URL };
  expect(parseConfig({ ...base, ROLES: 'worker:cell_b' })).toMatchObject({
    isOnCitus: true,
    cells: [],
    controlUrl: DATABASE_URL,
    workerCells: ['cell_b'],
  });
  expect(faultsOf({ CELLS: 'citus' })).toEqual([
    'CELLS=citus needs DATABASE_URL: the database of the coordinator',
  ]);
  expect(faultsOf({ ...base, DATABASE_URL_CELL_B: DATABASE_URL })).toHaveLength(1);
});

it('refuses production without an https address, in one line with an example', () => {
  for (const address of ['', 'http://pay.example', 'HTTP://pay.example', 'http://localhost:8080'])
    expect(faultsOf({ ...production, PUBLIC_URL: address })).toEqual([
      'PUBLIC_URL must be an https address in production, such as https://pay.example.com',
    ]);
  for (const address of ['nothing', 'ftp://pay.example'])
    expect(faultsOf({ ...production, PUBLIC_URL: address })).toHaveLength(1);
  expect(faultsOf(production)).toEqual([]);
});

it('refuses production without its secrets and its rails', () => {
  const faults = faultsOf({ ENVIRONMENT: 'production' });
  for (const name of ['PIN_PEPPER', 'SEALING_KEY', 'QR_SIGNING_KEY', 'RAILS'])
    expect(faults.some((line) => line.startsWith(`${name} is required`))).toBe(true);
  expect(faultsOf(production)).toEqual([]);
});

it('refuses IDENTITY=manual of production without the key of the vault, and wants none otherwise', () => {
  expect(parseConfig(production).identityKeys).toBe(null);
  const env = { ...production, IDENTITY: 'manual' };
  expect(() => parseConfig(env, [manual])).toThrow(
    /^IDENTITY_KEY is required with IDENTITY=manual \(or IDENTITY_KEY_FILE\)$/,
  );
  const { identityKeys } = parseConfig({ ...env, IDENTITY_KEY: production.SEALING_KEY }, [manual]);
  expect(identityKeys?.[0].key).toEqual(key);
});

it('takes a key as base64 or hex, and a signing key as PEM or seed', () => {
  const parsed = parseConfig(production);
  expect(parsed.pinPeppers?.map((one) => one.key)).toEqual([key]);
  expect(parsed.sealingKeys?.map((one) => one.key)).toEqual([key]);
  const pem = parsed.qrSigningKeys?.[0].key ?? '';
  expect(createPrivateKey(pem).asymmetricKeyType).toBe('ed25519');
  const inOneLine = pem.trim().replaceAll('\n', '\\n');
  for (const QR_SIGNING_KEY of [pem, inOneLine])
    expect(parseConfig({ ...production, QR_SIGNING_KEY }).qrSigningKeys?.[0].key).toBe(pem);
});

it('reads a secret from a file, and refuses two sources or none that can be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tpay-config-'));
  const path = join(folder, 'pepper');
  await writeFile(path, `${secrets.PIN_PEPPER}\n`);
  expect(parseConfig({ PIN_PEPPER_FILE: path }).pinPeppers?.[0].key).toEqual(key);
  expect(faultsOf({ ...secrets, PIN_PEPPER_FILE: path })).toHaveLength(1);
  expect(faultsOf({ PIN_PEPPER_FILE: join(folder, 'nowhere') })[0]).toContain('ENOENT');
});

it('makes the secrets of a sandbox once, readable only by their owner', async () => {
  const DATA_DIR = join(await mkdtemp(join(tmpdir(), 'tpay-config-')), 'data');
  const first = await completeConfig(parseConfig({ DATA_DIR }));
  const second = await completeConfig(parseConfig({ DATA_DIR }));
  expect(second).toEqual(first);
  expect(first.sealingKeys[0].key).toHaveLength(32);
  expect(first.sealingKeys[0].key).not.toEqual(first.pinPeppers[0].key);
  expect(first.identityKeys?.[0].key).not.toEqual(first.sealingKeys[0].key);
  for (const name of ['pin_pepper.key', 'sealing.key', 'qr_signing.pem', 'identity.key'])
    expect((await stat(join(first.dataDir, name))).mode & 0o777).toBe(0o600);
});

it('reports a damaged secret file, and does not change it', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'tpay-config-'));
  await writeFile(join(DATA_DIR, 'sealing.key'), 'half a k');
  const complete = completeConfig(parseConfig({ DATA_DIR }));
  await expect(complete).rejects.toThrow(/sealing\.key must be 32 bytes/);
  expect(await readFile(join(DATA_DIR, 'sealing.key'), 'utf8')).toBe('half a k');
});

it('takes the addresses from which events come as addresses and ranges', () => {
  expect(parseConfig({}).egressAddresses).toEqual([]);
  const listed = '203.0.113.7, 2001:db8::/48';
  expect(parseConfig({ EGRESS_ADDRESSES: listed }).egressAddresses).toEqual([
    '203.0.113.7',
    '2001:db8::/48',
  ]);
  expect(faultsOf({ EGRESS_ADDRESSES: 'pay.example' })).toHaveLength(1);
});

it('serves on after it was told to end for so many seconds as are set, and shows its metrics where it is told', () => {
  expect(parseConfig({ DRAIN_DELAY_SECONDS: '5', METRICS_HOST: '0.0.0.0' })).toMatchObject({
    drainDelaySeconds: 5,
    metricsHost: '0.0.0.0',
  });
  for (const DRAIN_DELAY_SECONDS of ['-1', '61', '1.5', 'none'])
    expect(faultsOf({ DRAIN_DELAY_SECONDS })).toEqual([
      'DRAIN_DELAY_SECONDS must be seconds from 0 to 60',
    ]);
});
