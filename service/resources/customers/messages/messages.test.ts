import { beforeEach, expect, test, vi } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { type HostedPage, openHostedPages, pin } from '../../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';

const server = await openServer({ manual: true, onLog: () => {} });
const { api, engine, sent } = server;
const pages = openHostedPages(server);
let ana: Person;
/** The last four digits of Ana's number. */
let last4: string;
beforeEach(async () => {
  ana = await api.banked('individual');
  await pages.givePins();
  const { mobile_number_last4 } = await api.get(`/v1/customers/${ana.customerId}`);
  last4 = mobile_number_last4;
  sent.length = 0;
});

const email = 'someone@example.com';

/** The messages sent about a change, and where to: an address, or the last digits of a number. */
async function told(): Promise<string[]> {
  await server.runJobs();
  const lines = sent.flatMap(({ to, template }) => {
    if (template === 'code') return [];
    return [`${template} ${'email' in to ? to.email : to.mobile_number.slice(-4)}`];
  });
  return lines.sort();
}

async function play(page: HostedPage, steps: readonly (readonly [path: string, body: object])[]) {
  for (const [path, body] of steps) expect((await page.ask(path, body)).status).toBe(200);
}

const proven = [['/code/check', { code: '000000' }]] as const;
const changes = [
  {
    to: { email: 'new@example.com' },
    told: () => [`email_changed ${email}`, 'email_changed new@example.com'],
    also: () => [`email_changed ${last4}`],
  },
  {
    to: { mobile_number: '+12025550177' },
    told: () => ['mobile_changed 0177', `mobile_changed ${last4}`],
    also: () => [`mobile_changed ${email}`],
  },
];

test.each(changes)('of $to the old contact is told and the new one', async (change) => {
  const page = await pages.flow('contact_change', ana.customerId);
  await play(page, [['/code', change.to], ...proven, ['/contact', { pin }]]);
  expect(await told()).toEqual([...change.told(), ...change.also()].sort());
});

test('a PIN that was reset or locked is told by mail and text message', async () => {
  const page = await pages.flow('pin_reset', ana.customerId);
  const identity = { birth_date: '1990-01-01', ssn_last4: '6789' };
  await play(page, [['/code', {}], ...proven, ['/pin-reset', { ...identity, pin: '604927' }]]);
  expect(await told()).toEqual([`pin_changed ${last4}`, `pin_changed ${email}`]);
  sent.length = 0;
  await api.simulate('customer.pin_locked', ana.customerId);
  expect(await told()).toEqual([`pin_locked ${last4}`, `pin_locked ${email}`]);
});

test('the fifth wrong PIN is told once', async () => {
  const page = await pages.load(ana);
  for (let tries = 0; tries < 6; tries += 1) await page.ask('/confirm/pin', { pin: '111222' });
  expect(await told()).toEqual([`pin_locked ${last4}`, `pin_locked ${email}`]);
});

/** The state of each message to Ana, and how much it still holds of her. */
const stored = () =>
  engine.query<{ status: string; kept: number }>(
    `select status, num_nonnulls(email, mobile_hmac, mobile_sealed, facts)::integer as kept
     from customer_messages where tenant_id = $1 and customer_id = $2 order by channel`,
    uuid('customer', ana.customerId),
  );

test('a message that its provider does not take for three days is given up, and kept no longer', async () => {
  const send = vi.spyOn(server.rails.messages, 'send').mockRejectedValue(new Error('away'));
  await api.simulate('customer.pin_locked', ana.customerId);
  await api.advance(2 * 86_400);
  expect((await stored()).map(({ status }) => status)).toEqual(['waiting', 'waiting']);
  await api.advance(86_400);
  const runAndLook = async () => {
    await server.runJobs();
    return stored();
  };
  const over = { status: 'undeliverable', kept: 0 };
  await expect.poll(runAndLook, { timeout: 60_000 }).toEqual([over, over]);
  const calls = send.mock.calls.length;
  await api.advance(86_400);
  expect(send.mock.calls.length).toBe(calls);
  send.mockRestore();
});

test('a message that its provider did not take is handed over again, and kept no longer', async () => {
  const send = vi.spyOn(server.rails.messages, 'send').mockRejectedValueOnce(new Error('away'));
  await api.simulate('customer.pin_locked', ana.customerId);
  // Which of the two goes first is nobody's to say.
  const kept = new Map((await stored()).map((row) => [row.status, row.kept]));
  expect([kept.get('sent'), kept.get('waiting')]).toEqual([0, expect.any(Number)]);
  expect(kept.get('waiting')).toBeGreaterThan(1);
  await api.advance(60);
  expect((await stored()).map(({ status, kept }) => [status, kept])).toEqual([
    ['sent', 0],
    ['sent', 0],
  ]);
  const ids = send.mock.calls.map(([{ id }]) => id);
  expect([ids.length, new Set(ids).size]).toEqual([3, 2]);
});
