import { randomBytes } from 'node:crypto';
import { openVault } from '@tenant-payments/engine/vault.ts';
import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { type KeptFiles, openKeptFiles } from './kept_files.ts';

const server = await openServer({ own: true, workers: false });
const { control, vault, log } = server.service;

const beganMs = Date.parse('2027-01-05T12:00:00Z');
let nowMs = beganMs;
const days = (count: number) => count * 86_400_000;
/** A process of some release. */
const openProcess = (more: { vault?: typeof vault; limit?: number } = {}): KeptFiles =>
  openKeptFiles(
    { control, vault: more.vault ?? vault, clocks: { realNow: () => nowMs }, log } as never,
    more.limit,
  );
const filesOf = (release: Record<string, string>) =>
  new Map(Object.entries(release).map(([name, text]) => [name, Buffer.from(text)]));
const show = (kept: KeptFiles, release: Record<string, string>) =>
  kept.keeping(async () => filesOf(release))();
const textOf = async (kept: KeptFiles, name: string) => (await kept.find(name))?.toString();

const named = async (path: string): Promise<string[]> =>
  [
    ...(await (await fetch(server.baseUrl + path)).text()).matchAll(
      /\/(?:assets|preview)\/([\w-]+\.\w+)/g,
    ),
  ].map(([, name = '']) => name);

test.each(['/hosted', '/hosted/preview', '/portal', '/portal/sign-in', '/console'])(
  'every process can serve what %s names by the time it is answered',
  async (path) => {
    const names = await named(path);
    expect(names).toHaveLength(3);
    for (const name of names) expect(await textOf(openProcess(), name), name).toBeTruthy();
  },
);

test('whoever is shown a page finds its files at every process, of an older or a newer release', async () => {
  const [older, newer] = [openProcess(), openProcess()];
  await show(older, { 'a-1.js': 'old', 'both-1.css': 'both' });
  expect(await textOf(newer, 'a-1.js')).toBe('old');
  await show(newer, { 'a-2.js': 'new', 'both-1.css': 'both' });
  expect(await textOf(older, 'a-2.js')).toBe('new');
  expect(await textOf(older, 'a-3.js')).toBeUndefined();
});

test('a process that shows a page of a release that was shown before writes nothing', async () => {
  const release = { 'seen-1.js': 'seen' };
  await show(openProcess(), release);
  const rows = () => control.query('select xmin, * from control.page_files order by name, mark');
  const before = (await rows()).rows;
  await show(openProcess(), release);
  expect((await rows()).rows).toEqual(before);
});

test('who can write the rows, and has no key, puts no script into a page', async () => {
  const stranger = openVault([{ id: 'a', key: randomBytes(32) }], randomBytes(32));
  await show(openProcess({ vault: stranger }), { 'forged-1.js': 'forged' });
  expect(await textOf(openProcess(), 'forged-1.js')).toBeUndefined();
  await show(openProcess(), { 'forged-1.js': 'right', 'moved-1.js': 'moved' });
  expect(await textOf(openProcess(), 'forged-1.js')).toBe('right');
  await control.query(
    `update control.page_files set name = 'moved-2.js' where name = 'moved-1.js'`,
  );
  expect(await textOf(openProcess(), 'moved-2.js')).toBeUndefined();
});

test('files stay while a page names them, and 30 days longer', async () => {
  const [old, lasting] = [{ 'old-1.js': 'old' }, { 'lasting-1.js': 'lasting' }];
  const process = openProcess();
  const showLasting = process.keeping(async () => filesOf(lasting));
  await show(openProcess(), old);
  await showLasting();
  nowMs = beganMs + days(29);
  await showLasting();
  expect(await textOf(openProcess(), 'old-1.js')).toBe('old');
  nowMs = beganMs + days(31);
  await showLasting();
  expect(await textOf(openProcess(), 'old-1.js')).toBeUndefined();
  nowMs = beganMs + days(58);
  await show(openProcess(), old);
  expect(await textOf(openProcess(), 'lasting-1.js')).toBe('lasting');
});

test('all files together stay below a limit, and the newest are those that stay', async () => {
  await control.query('delete from control.page_files');
  const noise = () => randomBytes(1_000).toString('latin1');
  for (const name of ['first.js', 'second.js', 'third.js']) {
    nowMs += 1_000;
    await show(openProcess({ limit: 3_500 }), { [name]: noise() });
  }
  const { rows } = await control.query('select name from control.page_files order by served_at');
  expect(rows.map(({ name }) => name)).toEqual(['second.js', 'third.js']);
});

test('a page is answered while its files cannot be kept, and they are kept once they can', async () => {
  let isAway = true;
  const query = (...given: unknown[]) =>
    isAway ? Promise.reject(new Error('away')) : control.query(...(given as [string]));
  const away = { query } as unknown as typeof control;
  const kept = openKeptFiles({
    control: away,
    vault,
    clocks: { realNow: () => nowMs },
    log,
  } as never);
  const showPage = kept.keeping(async () => filesOf({ 'late-1.js': 'late' }));
  await showPage();
  isAway = false;
  await showPage();
  expect(await textOf(openProcess(), 'late-1.js')).toBeUndefined();
  nowMs += 30_000;
  await showPage();
  expect(await textOf(openProcess(), 'late-1.js')).toBe('late');
});

test('a file of another release is served as the release itself would serve it', async () => {
  nowMs = Date.now();
  await show(openProcess(), {
    'flows-OTHER123.js': 'const other = 1;',
    'flows-OTHER123.css': 'a{}',
  });
  const ask = (path: string) => fetch(`${server.baseUrl}/hosted/${path}`);
  const script = await ask('assets/flows-OTHER123.js');
  expect([script.status, await script.text()]).toEqual([200, 'const other = 1;']);
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  const style = await ask('preview/flows-OTHER123.css');
  expect([style.status, style.headers.get('content-type')]).toEqual([
    200,
    'text/css; charset=utf-8',
  ]);
  const missing = await ask('assets/flows-NOTHING1.js');
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test('the SDK of another release has the bytes that its integrity hash asks for', async () => {
  await show(openProcess(), { 'sdk-0123456789abcdef.js': 'const sdk = 1;' });
  const ask = (version: string) => fetch(`${server.baseUrl}/sdk/v1.js?v=${version}`);
  const other = await ask('0123456789abcdef');
  expect(await other.text()).toBe('const sdk = 1;');
  expect(other.headers.get('cache-control')).toContain('immutable');
  const unknown = await ask('0000000000000000');
  expect([unknown.status, unknown.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await unknown.text()).toContain('TenantPayments');
});

test('a page of the documentation finds its scripts at every process too', async () => {
  await show(openProcess(), { 'assets/chunks/theme.OTHER1.js': 'const theme = 1;' });
  const ask = (path: string) => fetch(`${server.baseUrl}/docs/assets/${path}`);
  const script = await ask('chunks/theme.OTHER1.js');
  expect([script.status, await script.text()]).toEqual([200, 'const theme = 1;']);
  expect((await ask('chunks/theme.OTHER2.js')).status).toBe(404);
});
