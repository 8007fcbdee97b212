import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';
import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { approvalCap, awardedAlone } from '../contract/operate/approvals.ts';
import { makerDayOf } from './maker_cap.ts';

/** The cap of one person, over all Tenants (rules/approvals#9). */

const { server, admins, openCase } = await openApprovals();
const [mallory, otto, maria] = admins;

const needed = [409, 'approval_required'];
const creditOf = (id: string) => `/review/disputes/${id}/credit`;

const noLimits = Object.fromEntries(
  Object.keys(defaultSettings('').limits).map((name) => [
    name,
    { individual: null, business: null },
  ]),
) as Settings['limits'];

/** Disputes of the most that one person credits alone, of one customer. */
async function disputed(
  { api, engine }: StaffCase,
  count: number,
  type: object = {},
): Promise<string[]> {
  await engine.change({ confirmation_grace_seconds: 0, limits: noLimits });
  const ana = await api.funded('individual', count * awardedAlone);
  const shop = await api.banked('business', 'savings');
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const payment = await api.confirmed(api.pay(ana, shop, awardedAlone));
    ids.push((await api.dispute(ana, { payment_id: payment.id, ...type })).id);
  }
  return ids;
}

async function investigated(of: StaffCase, count: number): Promise<string[]> {
  const ids = await disputed(of, count);
  for (const id of ids) await of.send(otto, 'POST', `/review/disputes/${id}/investigate`, {});
  return ids;
}

test('a person who moves just under the cap in one Tenant needs a second person in the next', async () => {
  const [first, second] = [await openCase(), await openCase()];
  const almost = approvalCap / awardedAlone - 1;
  for (const id of await investigated(first, almost))
    expect((await first.send(mallory, 'POST', creditOf(id), {})).status).toBe(200);
  const [last = '', over = '', third = ''] = await investigated(second, 3);
  expect((await second.send(mallory, 'POST', creditOf(last), {})).status).toBe(200);
  expect(shortOf(await second.send(mallory, 'POST', creditOf(over), {}))).toEqual(needed);
  // A Tenant's clock that is moved begins no new day of its own for people.
  await second.engine.moveClock(86_400);
  expect(shortOf(await second.send(mallory, 'POST', creditOf(over), {}))).toEqual(needed);

  const asked = { resource: 'disputes', id: over, move: 'credit', note: 'the cap is reached' };
  const made = await second.send(mallory, 'POST', '/approvals', asked);
  expect(made.body).toMatchObject({ status: 'waiting', amount: awardedAlone });
  const approved = await second.send(otto, 'POST', `/approvals/${made.body.id}/approve`);
  expect(shortOf(approved)).toEqual([200, 'approved']);
  // An act of two counts to neither cap of a person, and somebody else is not held by it.
  expect((await second.send(otto, 'POST', creditOf(third), {})).status).toBe(200);
  const { rows } = await server.owner.query(
    'select maker, moved::int from control.maker_sums order by moved',
  );
  expect(rows).toEqual([
    { maker: `person ${otto.id}`, moved: awardedAlone },
    { maker: `person ${mallory.id}`, moved: approvalCap },
  ]);
});

test('what one person brings under the clock of Regulation E counts to the caps as a credit by hand does', async () => {
  const [first, second] = [await openCase(), await openCase()];
  const most = approvalCap / awardedAlone;
  const type = { type: 'purchase_dispute' };
  const ids = await disputed(first, most + 1, type);
  const [elsewhere = ''] = await disputed(second, 1, type);
  const classify = async (of: StaffCase, by: typeof maria, id: string) => {
    const body = { handled_as: 'unauthorized_transfer', note: 'by the words' };
    return shortOf(await of.send(by, 'POST', `/review/disputes/${id}/classify`, body));
  };
  const over = ids.pop() ?? '';
  for (const id of ids) expect(await classify(first, maria, id)).toEqual([200, 'received']);
  expect(await classify(first, maria, over)).toEqual(needed);
  // The cap of the Tenant holds for everybody, that of a person everywhere.
  expect(await classify(first, otto, over)).toEqual(needed);
  expect(await classify(second, maria, elsewhere)).toEqual(needed);
  expect(await classify(second, otto, elsewhere)).toEqual([200, 'received']);
});

test.each([
  ['a session', { kind: 'person', id: 'one', personId: 'one' }, 'person one'],
  ['an API key of a person', { kind: 'api_key', id: 'two', personId: 'one' }, 'person one'],
  [
    'a program that no person stands behind',
    { kind: 'client', id: 'x', personId: null },
    'client x',
  ],
] as const)(
  'what %s moves counts to its maker, on the Eastern day of real time',
  (_name, actor, maker) => {
    // Eleven at night in New York.
    const clocks = { ...server.service.clocks, realNow: () => Date.parse('2026-03-03T04:00:00Z') };
    const made = makerDayOf({ clocks }, { ...actor, roles: [], address: null, requestId: null });
    expect(made).toEqual({ maker, day: '2026-03-02' });
  },
);
