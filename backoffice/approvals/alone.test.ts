import { defaultSettings, type FeeRule } from '@tenant-payments/contract/core/settings.ts';
import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { newDispute, stagedCases } from '../../test/kit/desk.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { closedLongAgo, waitingLink } from '../../test/kit/two_person_cases.ts';
import { reviewMoves } from '../contract/operate/review.ts';

/** One person alone, with every role of the staff, against all that two people protect (rules/approvals#2). */

const { server, admins, openCase } = await openApprovals();
const [mallory, otto, alice] = admins;

const review = (of: StaffCase, path: string, body: object = {}, by = mallory) =>
  of.send(by, 'POST', `/review/${path}`, body);

/** A notice that names no movement: nobody knows its amount. */
async function unnamed({ api }: StaffCase): Promise<{ id: string; accountId: string }> {
  const person = await api.approved('individual');
  const { id } = await api.dispute(person, {});
  return { id, accountId: person.accountId };
}

const fee = (type: FeeRule['type']): FeeRule => ({
  type,
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 100,
  fixed: 10,
  paid_by: 'payee',
});

/** A Tenant with records in the states from which protected ones can be reached. */
async function furnished() {
  const of = await openCase();
  await of.engine.change({ confirmation_grace_seconds: 0, fees: [fee('platform'), fee('tenant')] });
  const held = await of.api.funded('individual', 100_00);
  await of.api.post(`/portal/api/review/accounts/${held.accountId}/place_hold`, {});
  const [waiting, investigated] = [await unnamed(of), await unnamed(of)];
  const [known, alsoKnown] = [await newDispute(of, 2_600_00), await newDispute(of, 2_600_00)];
  const staged = stagedCases(server);
  for (const id of [investigated.id, alsoKnown])
    await of.api.post(`/portal/api/review/disputes/${id}/investigate`, {});
  const records: Readonly<Record<keyof typeof reviewMoves, readonly string[]>> = {
    customers: [await staged.customers.make(of), held.customerId, await closedLongAgo(server, of)],
    owners: [await staged.owners.make(of)],
    documents: ['privacy_notice'],
    'linked-accounts': [await waitingLink(of), await staged['linked-accounts'].make(of)],
    accounts: [held.accountId, waiting.accountId],
    disputes: [waiting.id, investigated.id, known, alsoKnown],
    suspense: [await staged.suspense.make(of)],
    'bank-messages': [await staged['bank-messages'].make(of)],
    reserve: ['reserve'],
  };
  return { of, records };
}

/** All that two people protect, as it is now. */
async function protectedState({ engine, api }: StaffCase) {
  const rows = (query: string) => engine.query<{ row: unknown }>(query);
  const {
    limits,
    fees,
    withdrawal_hold_hours,
    confirmation_grace_seconds,
    refund_window_days,
    account_structure,
  } = await api.get('/portal/api/settings');
  return {
    money: await rows(`select to_jsonb(t) as row from (
      select account_id, available + pending_outgoing + earmarked as cents from balances
      where tenant_id = $1 and available + pending_outgoing + earmarked <> 0 order by 1) t`),
    platform: await rows(`select to_jsonb(t) as row from (
      select pocket, sum(delta) as cents from entries where tenant_id = $1 and account_id is null
      group by pocket order by 1) t`),
    links: await rows(`select to_jsonb(t) as row from (
      select id, withdrawal_hold_until from linked_accounts
      where tenant_id = $1 and status = 'verified' order by 1) t`),
    holds: await rows(
      `select to_jsonb(id) as row from accounts where tenant_id = $1 and legal_hold order by id`,
    ),
    erased: await rows(
      `select to_jsonb(id) as row from customers where tenant_id = $1 and erased_at is not null`,
    ),
    texts: await rows(
      `select to_jsonb(in_force) as row from document_versions where tenant_id = $1 order by document_type`,
    ),
    refused: await rows(`select to_jsonb(id) as row from disputes where tenant_id = $1
      and outcome in ('denied', 'partially_approved', 'withdrawn')`),
    settings: {
      limits,
      fees: fees.filter(({ type }: FeeRule) => type === 'platform'),
      withdrawal_hold_hours,
      confirmation_grace_seconds,
      refund_window_days,
      account_structure,
    },
  };
}

const none = [{}];
const sums = [{}, { amount: 1 }, { amount: 5_000_000_00 }];
/** The bodies with which each resource's moves are tried: those that a move does not take are refused. */
const bodies: Readonly<Record<keyof typeof reviewMoves, readonly object[]>> = {
  customers: none,
  owners: none,
  documents: [newVersion('2031-01')],
  'linked-accounts': none,
  accounts: [...sums, { amount: -1 }],
  disputes: sums,
  suspense: none,
  'bank-messages': none,
  reserve: sums,
};
const resources = Object.keys(reviewMoves) as (keyof typeof reviewMoves)[];

test('no move of one person alone reaches an end that two people protect, in two rounds over all', async () => {
  const { of, records } = await furnished();
  const before = await protectedState(of);
  const ended = new Set<string>();
  const attempts = resources.flatMap((resource) =>
    records[resource].flatMap((id) =>
      reviewMoves[resource].flatMap((move) =>
        bodies[resource].map((body) => ({ path: `${resource}/${id}/${move}`, body })),
      ),
    ),
  );
  for (const { path, body } of [...attempts, ...attempts]) {
    const reply = await review(of, path, body);
    expect(reply.status, `${path} ${JSON.stringify(body)}`).toSatisfy((status: number) =>
      [200, 400, 404, 409, 422].includes(status),
    );
    ended.add(shortOf(reply).join(' '));
  }
  const after = await protectedState(of);
  // A hold may be placed, and a link verified, by one person.
  const { holds, links, ...rest } = before;
  expect(after).toMatchObject(rest);
  expect(after.holds).toEqual(expect.arrayContaining(holds));
  expect(after.links).toEqual(expect.arrayContaining(links));
  expect([...ended]).toContain('409 approval_required');
});

test('no change of settings by one person alone reaches an end that two people protect', async () => {
  const { of } = await furnished();
  const { settings: before } = await protectedState(of);
  const { limits } = defaultSettings('');
  const tripled = Object.fromEntries(
    Object.entries(limits).map(([name, { individual, business }]) => [
      name,
      { individual: individual && individual * 3, business: business && business * 3 },
    ]),
  );
  const unlimited = Object.fromEntries(
    Object.keys(limits).map((name) => [name, { individual: null, business: null }]),
  );
  const tries: readonly object[] = [
    { withdrawal_hold_hours: 0 },
    { withdrawal_hold_hours: 71 },
    { confirmation_grace_seconds: 86_400 },
    { refund_window_days: 1 },
    { account_structure: 'tenant_scheme' },
    { limits: tripled },
    { limits: unlimited },
    { fees: [fee('tenant')] },
    { fees: [fee('tenant'), { ...fee('platform'), fixed: 9 }] },
    { fees: [fee('tenant'), { ...fee('platform'), basis_points: 99 }] },
    { withdrawal_hold_hours: 0, rate_limit_per_minute: 7_000 },
  ];
  for (const body of tries) {
    const reply = await of.send(alice, 'PUT', '/settings', body);
    expect(shortOf(reply), JSON.stringify(body)).toEqual([409, 'approval_required']);
  }
  expect((await protectedState(of)).settings).toEqual(before);
});

test('nobody creates money by a dispute without a movement', async () => {
  const of = await openCase();
  const { id, accountId } = await unnamed(of);
  await review(of, `disputes/${id}/investigate`, {}, alice);
  const credit = await review(of, `disputes/${id}/credit`, { amount: 5_000_000_00 }, alice);
  expect(shortOf(credit)).toEqual([409, 'approval_required']);
  const award = await review(of, `disputes/${id}/resolve_approved`, { amount: 1 }, alice);
  expect(shortOf(award)).toEqual([409, 'approval_required']);
  expect(await of.api.get(`/v1/accounts/${accountId}/balance`)).toMatchObject({ available: 0 });
});

test('an amount that staff have set stays unknown: one cent of it is not refused by one person', async () => {
  const of = await openCase();
  const { id } = await unnamed(of);
  await review(of, `disputes/${id}/investigate`, {}, alice);
  const asked = { resource: 'disputes', id, move: 'credit', amount: 1, note: 'a first cent' };
  const made = await of.send(alice, 'POST', '/approvals', asked);
  expect(made.body).toMatchObject({ status: 'waiting', amount: 1 });
  const approved = await of.send(otto, 'POST', `/approvals/${made.body.id}/approve`);
  expect(shortOf(approved)).toEqual([200, 'approved']);
  for (const move of ['resolve_denied', 'resolve_withdrawn'])
    expect(shortOf(await review(of, `disputes/${id}/${move}`, {}, alice))).toEqual([
      409,
      'approval_required',
    ]);
});

test('what one person credits alone counts towards the cap of the day', async () => {
  const of = await openCase();
  const funds = {
    resource: 'reserve',
    id: 'reserve',
    move: 'fund',
    amount: 9_800_00,
    note: 'more',
  };
  const made = await of.send(alice, 'POST', '/approvals', funds);
  await of.send(otto, 'POST', `/approvals/${made.body.id}/approve`);
  const [first, second] = [await newDispute(of, 150_00), await newDispute(of, 150_00)];
  for (const id of [first, second]) await review(of, `disputes/${id}/investigate`, {}, alice);
  expect((await review(of, `disputes/${first}/credit`, {}, alice)).status).toBe(200);
  const passing = await review(of, `disputes/${second}/credit`, {}, alice);
  expect(shortOf(passing)).toEqual([409, 'approval_required']);
});
