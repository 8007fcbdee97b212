import { randomBytes } from 'node:crypto';
import type { KeyRing, RingKey } from '@tenant-payments/engine/key_ring.ts';
import { expect, test } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { openHostedPages, pin } from '../../../../test/kit/pages/hosted.ts';
import { openServer, type TestServer } from '../../../../test/kit/server.ts';
import { hashSharedPin } from '../../../resources/customers/credentials/pins.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;
const [a] = server.service.config.pinPeppers;
const b: RingKey = { id: '2026b', key: randomBytes(32) };

/** Another process of the deployment, with these peppers. */
const withPeppers = (...pinPeppers: KeyRing) =>
  openServer({
    beside: server,
    workers: false,
    secrets: { ...server.service.config, pinPeppers },
  });
const [rotated, alsoRotated, onlyNew, onlyOld] = [
  await withPeppers(b, a),
  await withPeppers(b, a),
  await withPeppers(b),
  await withPeppers(a),
];
const ana = await api.banked('individual');
const ben = await api.banked('individual');

async function verdictAt(at: TestServer, person = ana): Promise<string> {
  const { confirmation_session } = await api.load(person, 500);
  const page = await openHostedPages(at).page(confirmation_session.token);
  return (await page.ask('/confirm/pin', { pin })).body.verdict;
}

async function stored({ customerId } = ana): Promise<string> {
  const [row] = await engine.query<{ hash: string }>(
    'select hash from pins where tenant_id = $1 and customer_id = $2',
    uuid('customer', customerId),
  );
  return row?.hash ?? '';
}

const store = ({ customerId }: typeof ana, hash: string) =>
  engine.query(
    'update pins set hash = $3 where tenant_id = $1 and customer_id = $2',
    uuid('customer', customerId),
    hash,
  );

test('a PIN of an older pepper is right, and rests on the first pepper afterwards', async () => {
  await openHostedPages(server).givePins();
  expect([await verdictAt(server), await stored()]).toEqual([
    'right',
    expect.stringMatching(/^p2\.test\.\$argon2id\$/),
  ]);
  expect(await verdictAt(onlyNew)).toBe('wrong');
  expect([await verdictAt(rotated), await stored()]).toEqual([
    'right',
    expect.stringMatching(/^p2\.2026b\.\$argon2id\$/),
  ]);
  expect(await verdictAt(onlyNew)).toBe('right');
  expect(await verdictAt(onlyOld)).toBe('wrong');
});

test('a PIN that was hashed before peppers had ids is right, and is hashed anew', async () => {
  const before = (await hashSharedPin([a], pin)).replace(/^p1\.test\./, '');
  await store(ana, before);
  expect(await verdictAt(rotated)).toBe('right');
  expect(await stored()).toMatch(/^p2\.2026b\./);
});

test('a wrong PIN changes no hash', async () => {
  const before = await hashSharedPin([a], '739164');
  await store(ana, before);
  expect([await verdictAt(rotated), await stored()]).toEqual(['wrong', before]);
});

test("a hash that is copied to another customer's row matches nothing there", async () => {
  await store(ana, await hashSharedPin([a], pin));
  expect(await verdictAt(server)).toBe('right');
  await store(ben, await stored());
  expect(await verdictAt(server, ben)).toBe('wrong');
});

test('two tries at once of a PIN that is hashed anew are both right, and count as no failure', async () => {
  await store(ana, await hashSharedPin([a], pin));
  const tries = [rotated, alsoRotated, rotated].map((at) => verdictAt(at));
  expect(await Promise.all(tries)).toEqual(['right', 'right', 'right']);
  const counts = 'select attempts, failures from pins where tenant_id = $1 and customer_id = $2';
  expect(await engine.query(counts, uuid('customer', ana.customerId))).toEqual([
    { attempts: 0, failures: 0 },
  ]);
});
