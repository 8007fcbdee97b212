import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { programs } from '../test/kit/processes/built.ts';
import { settingsOf } from '../test/kit/processes/settings.ts';
import { openServer } from '../test/kit/server.ts';
import { run } from './run.ts';

const server = await openServer({ environment: 'production', workers: false });
const folder = mkdtempSync(join(tmpdir(), 'tpay-rails-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parts = `
const none = async () => {};
const rest = {
  identity: { collect: none, check: none, matches: none },
  aggregator: { linkToken: none, exchange: none, verify: none },
  bank: { take: none },
  messages: { send: none },
};`;

/** `rails check` with a module whose providers are these. */
async function check(providers: string | null, ...flags: string[]) {
  const path = join(folder, `${crypto.randomUUID()}.mjs`);
  const more = providers === null ? '' : `, providers: [${providers}]`;
  writeFileSync(path, `${parts} export const rails = { ...rest${more} };`);
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(['rails', 'check', ...flags], {
    env: { ...settingsOf(server), RAILS: path },
    programs,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out, err, path };
}

const fine = `{ name: 'fine', check: async () => [
  { ok: true, what: 'signed in', advice: null }, { ok: true, what: 'sees the account', advice: null }] }`;

test('rails check says in a line for each provider that it can be reached', async () => {
  const { code, out } = await check(`${fine}, { name: 'quiet' }`);
  expect([code, out]).toEqual([
    0,
    ['fine  ok  signed in; sees the account', 'quiet  ok  it has no check'],
  ]);
});

test('one that cannot be reached is exit code 1 with what to do, also where its check throws', async () => {
  const refused = `{ name: 'refused', check: async () => [
    { ok: false, what: 'not signed in', advice: 'set MYBANK_KEY' }] }`;
  const broken = `{ name: 'broken', check: async () => { throw new Error('no route to ana@example.com'); } }`;
  const { code, out } = await check(`${fine}, ${refused}, ${broken}`, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out.join())).toMatchObject({
    ok: false,
    providers: [
      { provider: 'fine', ok: true },
      { provider: 'refused', ok: false, lines: [{ advice: 'set MYBANK_KEY' }] },
      { provider: 'broken', ok: false, lines: [{ what: 'the check failed' }] },
    ],
  });
  expect(out.join()).not.toContain('ana@example.com');
});

test('a module without providers has nothing to check, and says so', async () => {
  const { code, out, path } = await check(null);
  expect([code, out]).toEqual([0, [`${path} lists no providers: there is nothing to check.`]]);
});

test.each([
  [`{ name: 'A Bank' }`, 'a provider has no name of small letters, digits and -'],
  [`{ name: 'a' }, { name: 'a' }`, 'two providers are named a'],
  [`{ name: 'a', receive: 'here' }`, 'the receive of the provider a is no function'],
  [`{ name: 'a', poll: {} }`, 'the poll of the provider a needs everySeconds from 1 on and run'],
])('a list of providers that is wrong is named in one line: %s', async (providers, fault) => {
  const { code, err, path } = await check(providers);
  expect([code, err[0]]).toEqual([1, `error: RAILS: ${path}: ${fault}`]);
});
