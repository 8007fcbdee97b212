import { unavailable } from '@tenant-payments/engine/fail.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { caller } from '../../../../test/kit/http/http.ts';
import { uuid } from '../../../../test/kit/ids.ts';
import {
  type HostedPage,
  openHostedPages,
  pin,
  refusalLine,
} from '../../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';

/** Counts the compares, and lets a test act before each. */
const { compares } = vi.hoisted(() => ({
  compares: { count: 0, before: async (_count: number): Promise<void> => {} },
}));
vi.mock(import('../../../resources/customers/credentials/pins.ts'), async (original) => {
  const whole = await original();
  return {
    ...whole,
    isPin: async (...given) => {
      compares.count += 1;
      await compares.before(compares.count);
      return whole.isPin(...given);
    },
  };
});

let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
const second = await openServer({ beside: server, workers: false });
const pages = openHostedPages(server);
beforeEach(async () => {
  ana = await api.banked('individual');
  await pages.givePins();
  compares.count = 0;
});
afterEach(() => {
  compares.before = async () => {};
});

const wrong = '111222';
const attempt = (page: HostedPage, given: string) => page.ask('/confirm/pin', { pin: given });
const verdictsOf = (replies: readonly { body: { verdict?: string } }[]) =>
  replies.map(({ body }) => body.verdict);

/** The counts of Ana's PIN. */
async function counted(): Promise<{ attempts: number; failures: number }> {
  const [row] = await engine.query(
    'select attempts, failures from pins where tenant_id = $1 and customer_id = $2',
    uuid('customer', ana.customerId),
  );
  return row;
}

test('500 tries at once on two processes make five compares at most and lock the PIN', async () => {
  const sessions = await Promise.all(Array.from({ length: 10 }, () => pages.load(ana)));
  const calls = [server.baseUrl, second.baseUrl].map((baseUrl) => caller(baseUrl, ''));
  const tries = sessions.flatMap(({ bearer }) =>
    Array.from({ length: 50 }, (_, index) =>
      calls[index % 2]?.('POST', '/hosted/api/confirm/pin', {
        token: bearer,
        body: { pin: wrong },
      }),
    ),
  );
  const replies = (await Promise.all(tries)).flatMap((reply) => (reply ? [reply] : []));
  // 503: on a busy machine some wait for too long; their tries are given back.
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const page = await pages.load(ana);
  const later = [];
  while (!(await page.look()).customer.is_pin_locked)
    later.push(await page.ask('/confirm/pin', { pin: wrong }));
  if (!statuses.includes(503)) expect(later).toEqual([]);
  const wrongs = verdictsOf([...replies, ...later]).filter((verdict) => verdict === 'wrong');
  expect(wrongs).toHaveLength(4);
  expect(compares.count).toBe(5);
  expect((await page.ask('/confirm/pin', { pin })).body.verdict).toBe('locked');
  expect(compares.count).toBe(5);
});

test('of five tries at once the right one wins, and a sixth is not compared', async () => {
  const page = await pages.load(ana);
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  compares.before = () => held;
  const five = [wrong, wrong, wrong, wrong, pin].map((given) => attempt(page, given));
  await vi.waitFor(async () => {
    expect((await counted()).attempts).toBe(5);
  });
  const sixth = await attempt(page, pin);
  expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([503, '60']);
  go();
  const verdicts = verdictsOf(await Promise.all(five));
  expect(verdicts.filter((verdict) => verdict === 'right')).toHaveLength(1);
  expect(compares.count).toBe(5);
  expect(await page.look()).toMatchObject({
    status: 'completed',
    customer: { is_pin_locked: false },
  });
});

test('a process that dies during a compare leaves the attempt spent', async () => {
  const page = await pages.load(ana);
  // Nothing runs after the compare, as when its process has died.
  compares.before = async (count) => {
    if (count <= 2) throw new Error('the process is gone');
  };
  for (let lost = 0; lost < 2; lost += 1) expect((await attempt(page, pin)).status).toBe(500);
  const reply = await attempt(page, wrong);
  expect(reply.body).toMatchObject({ verdict: 'wrong', attempts_left: 2 });
  expect((await attempt(page, wrong)).body.attempts_left).toBe(1);
  await attempt(page, wrong);
  expect((await attempt(page, pin)).status).toBe(503);
  expect(compares.count).toBe(5);
});

test('five attempts that were lost with their process lock no PIN: a minute later the right one confirms', async () => {
  const page = await pages.load(ana);
  compares.before = async () => {
    throw new Error('the process is gone');
  };
  for (let lost = 0; lost < 5; lost += 1) expect((await attempt(page, pin)).status).toBe(500);
  compares.before = async () => {};
  expect((await attempt(page, pin)).status).toBe(503);
  expect((await page.look()).customer.is_pin_locked).toBe(false);
  await engine.moveClock(61);
  expect((await attempt(page, pin)).body.verdict).toBe('right');
});

test('known failures stay counted when lost attempts are given back', async () => {
  const page = await pages.load(ana);
  for (let index = 0; index < 3; index += 1) await attempt(page, wrong);
  compares.before = async () => {
    throw new Error('the process is gone');
  };
  for (let lost = 0; lost < 2; lost += 1) await attempt(page, wrong);
  compares.before = async () => {};
  await engine.moveClock(61);
  expect((await attempt(page, wrong)).body).toMatchObject({ verdict: 'wrong', attempts_left: 1 });
  expect((await attempt(page, wrong)).body.view.customer.is_pin_locked).toBe(true);
});

test('a right PIN clears the wrong ones before it', async () => {
  for (let round = 0; round < 2; round += 1) {
    const page = await pages.load(ana);
    for (let index = 0; index < 4; index += 1) await attempt(page, wrong);
    expect((await attempt(page, pin)).body.verdict).toBe('right');
  }
});

/** A new PIN, which counts its tries from 0. */
const resetPin = async () =>
  void (await api.simulate('session.completed', (await api.session('pin_reset', ana)).id));

test.each([
  ['wrong', wrong],
  ['right', pin],
])(
  'a %s PIN whose compare began before a reset counts nothing against the new PIN',
  async (_verdict, given) => {
    const page = await pages.load(ana);
    compares.before = resetPin;
    for (let round = 0; round < 5; round += 1)
      expect(refusalLine(await attempt(page, given))).toBe('invalid_state pin_required');
    expect(await counted()).toEqual({ attempts: 0, failures: 0 });
    expect((await page.look()).customer.is_pin_locked).toBe(false);
  },
);

test('an attempt that a crowd gives back after a reset gives back none of the new PIN', async () => {
  const page = await pages.load(ana);
  compares.before = async (count) => {
    if (count > 1) throw new Error('the process is gone');
    await resetPin();
    expect((await attempt(page, wrong)).status).toBe(500);
    throw unavailable('too many PINs are being compared');
  };
  expect((await attempt(page, wrong)).status).toBe(503);
  expect(await counted()).toEqual({ attempts: 1, failures: 0 });
});

test('a right PIN that comes too late confirms nothing and costs no attempt', async () => {
  const page = await pages.load(ana);
  compares.before = async () => {
    await engine.moveClock(601);
  };
  expect((await attempt(page, pin)).body.error).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'expired' },
  });
  compares.before = async () => {};
  expect(await counted()).toEqual({ attempts: 0, failures: 0 });
});
