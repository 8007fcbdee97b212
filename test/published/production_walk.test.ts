import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient } from '../../engine/database/pool.ts';
import { startTlsServer, type TlsServer } from '../kit/database/tls_server.ts';
import { makeAuthority } from '../kit/http/certificates.ts';
import { startTlsProxy, type TlsProxy } from '../kit/http/tls_proxy.ts';
import { launchBrowser } from '../kit/pages/browser/browser.ts';
import { type Checkout, copyCheckout } from '../kit/processes/checkout.ts';
import { freePort } from '../kit/processes/free_port.ts';
import { openShell, type Shell } from '../kit/processes/shell.ts';
import { openPeople } from './production_walk_hands.ts';
import { type Outside, openOutside } from './production_walk_outside.ts';

/**
 * The commands of production-walk.md and production-customers.md, from an empty database on: PostgreSQL with TLS alone, the
 * built service behind a proxy that ends TLS, the sandbox bank, a server of mail, Twilio's and Plaid's counterparts, and
 * browsers with passkeys.
 */

const guide = ['production-walk', 'production-customers']
  .map((page) => fileURLToPath(new URL(`../../docs/guide/${page}.md`, import.meta.url)))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const host = 'pay.example.com';
/** A dozen processes one after another and a build, where all cores are busy. */
const slowMs = 900_000;

/** Its blocks, and in between what people do in a browser. */
const steps = [...guide.matchAll(/^```(\w+)\n(.*?)^```$|^<!-- by hand: (.*?) -->$/gms)].map(
  ([, language = 'by hand', block = '', act = '']) => ({ language, text: block || act }),
);

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let database: TlsServer;
let checkout: Checkout;
let proxy: TlsProxy;
let browser: Browser;
let shell: Shell;
let people: ReturnType<typeof openPeople>;
let outside: Outside;
let folder: string;
/** The values of the guide, and those of this test. */
let own: Record<string, string>;
/** All that the commands printed, and the last of them. */
let transcript = '';
let printed = '';

/** In one pass: what is filled in may look like what stands in the guide. */
const filledIn = (text: string): string =>
  text.replaceAll(new RegExp(Object.keys(own).join('|'), 'g'), (here) => own[here] ?? here);

async function type(text: string): Promise<void> {
  printed = await shell.run(text);
  transcript += printed;
}

/** Runs statements as the administrator of the database, who is not the operator. */
async function administer(statements: string): Promise<void> {
  const ca = join(folder, 'ca.pem');
  const { port, password } = database;
  const tls = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: ca });
  const admin = await openClient(
    `postgresql://postgres:${password}@localhost:${port}/postgres?${tls}`,
  );
  try {
    // One by one: a database is made in no transaction.
    for (const statement of statements.split(';\n').filter(Boolean)) await admin.query(statement);
  } finally {
    await admin.end();
  }
}

beforeAll(async () => {
  const authority = makeAuthority();
  const [port, metricsPort] = [await freePort(), await freePort()];
  const ofService = authority.issue({ names: [host] });
  [database, checkout, proxy] = await Promise.all([
    startTlsServer(authority.issue({ names: ['localhost'] })),
    copyCheckout(),
    startTlsProxy(ofService, port),
  ]);
  const site = { host, port: proxy.port, cert: ofService.cert };
  browser = await launchBrowser(site);
  outside = await openOutside(authority, { ...site, cert: authority.cert });
  folder = mkdtempSync(join(tmpdir(), 'tpay-walk-'));
  own = {
    'db.example.com:5432': `localhost:${database.port}`,
    '/etc/pay': folder,
    '8080': String(port),
    '9464': String(metricsPort),
    '9600': String(await freePort()),
    '9601': String(await freePort()),
    ...outside.own,
  };
  writeFileSync(join(folder, 'ca.pem'), authority.cert);
  const curl = [`cacert = ${folder}/ca.pem`, `connect-to = ${host}:443:127.0.0.1:${proxy.port}`];
  writeFileSync(join(folder, '.curlrc'), `${curl.join('\n')}\n`);
  const { PATH, HOME } = process.env;
  // The authority of the test's providers, as the system trusts those of the real ones.
  const trusted = { CURL_HOME: folder, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
  shell = openShell({ cwd: checkout.folder, env: { PATH, HOME, ...trusted } });
  people = openPeople({
    guide,
    browser,
    site,
    outside,
    printed: () => printed,
    variable: async (name) => (await shell.run(`echo "$${name}"`)).trim(),
    fillIn: (here, value) => {
      own[here] = value;
    },
  });
}, slowMs);

afterAll(async () => {
  await shell.stop();
  await Promise.all([browser.close(), proxy.stop(), database.stop(), checkout.remove()]);
  await outside.stop();
  rmSync(folder, { recursive: true });
}, slowMs);

const does: Readonly<Record<string, (text: string) => Promise<void>>> = {
  sql: administer,
  sh: type,
  'by hand': async (act) => people.acts[act]?.(),
};

test('what the walk has one put in place of its own is what this test fills in', () => {
  const [table = ''] = /\| here .*?\n\n/s.exec(guide) ?? [];
  for (const here of Object.keys(own)) expect(table).toContain(here);
  const acts = steps.filter(({ language }) => language === 'by hand').map(({ text }) => text);
  expect(acts).toEqual(Object.keys(people.acts));
  expect(Object.keys(does)).toEqual(
    expect.arrayContaining([...new Set(steps.map(({ language }) => language))]),
  );
});

/** The service of the walk runs without the login that owns the tables, also where this shell had it once. */
const ofService = /dist\/main\.js 2>> /;
const seesNoOwner = `! tr '\\0' '\\n' < /proc/$!/environ | grep -e MIGRATION_ -e pay_owner`;

test.skipIf(!hasTools)(
  'the walk leads by settings alone from an empty database to customers who have come, paid and gone, and a verified audit',
  async () => {
    for (const { language, text } of steps) {
      await does[language]?.(filledIn(text));
      if (ofService.test(text) && process.platform === 'linux') await type(seesNoOwner);
    }
    await people.end();
    outside.prove();
    const log = readFileSync(join(folder, 'service.log'), 'utf8');
    expect(log).not.toBe('');
    for (const secret of [...outside.secrets(), ...people.secrets])
      expect(log).not.toContain(secret);
    for (const said of [
      'twilio  ok',
      'plaid  ok',
      '"sign":"credit","amount":5000',
      '"sign":"debit","amount":2000',
      'The ledger is correct: ',
      'The audit is whole: ',
      '\n401\n',
    ])
      expect(transcript).toContain(said);
  },
  slowMs,
);
