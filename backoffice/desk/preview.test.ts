import { expect, test } from 'vitest';
import { openApprovals, shortOf } from '../../test/kit/approvals.ts';
import { customerInReview, lateMoney, newDispute } from '../../test/kit/desk.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';

const { admins, openCase } = await openApprovals();
const [maria, otto] = admins;
const staff = await openCase();
const { api, engine } = staff;

const preview = (path: string, body: object, by = maria) =>
  staff.send(by, 'POST', `/cases/${path}/preview`, body);
const account = async () => (await api.funded('individual', 50_00)).accountId;

/** The entries posted since the last look, as a preview shows them: without the pairs of its legs. */
async function entriesSince(number: number): Promise<{ pocket: string; delta: number }[]> {
  const rows = await engine.query<{ pocket: string; delta: string; account_id: string }>(
    `select account_id, pocket, delta from entries where tenant_id = $1 and id in
       (select id from entries where tenant_id = $1 order by id offset $2) order by id, leg`,
    number,
  );
  return rows.map(({ pocket, delta }) => ({ pocket, delta: Number(delta) }));
}
const countEntries = async (): Promise<number> =>
  (await engine.query('select count(*)::int as n from entries where tenant_id = $1'))[0].n;

/** Makes a move as its reviewer does: alone, or with a second person. */
async function make(resource: string, id: string, move: string, body: object, pair: boolean) {
  if (!pair) return staff.send(maria, 'POST', `/review/${resource}/${id}/${move}`, body);
  const ask = { ...body, resource, id, move, note: 'asked' };
  const { body: made } = await staff.send(maria, 'POST', '/approvals', ask);
  return staff.send(otto, 'POST', `/approvals/${made.id}/approve`, {});
}

const pocketOf = (name: string) => name.split('.')[1] ?? '';
const legsOf = (postings: readonly ReplyBody[]) =>
  postings
    .flatMap(({ from, to, amount }) => [
      { pocket: pocketOf(from), delta: -amount },
      { pocket: pocketOf(to), delta: amount },
    ])
    .map((leg) => JSON.stringify(leg))
    .sort();

test.each([
  ['customers', customerInReview, 'approve', {}, false],
  ['disputes', newDispute, 'credit', {}, false],
  ['accounts', account, 'adjust', { amount: -7_00 }, true],
  ['accounts', account, 'adjust', { amount: 3_00 }, true],
  ['suspense', lateMoney, 'match', {}, true],
] as const)(
  '%s: a preview is what the move then does',
  async (resource, from, move, body, pair) => {
    const id = await (from as (of: typeof staff) => Promise<string>)(staff);
    const path = `${resource}/${id}`;
    if (resource === 'disputes') await make(resource, id, 'investigate', {}, false);
    const before = await countEntries();
    const recordBefore = (await staff.send(maria, 'GET', `/cases/${path}`)).body.record;
    const { body: seen, status } = await preview(path, { move, ...body });
    expect(status, JSON.stringify(seen)).toBe(200);
    expect(seen).toMatchObject({ object: 'move_preview', needs_approval: pair, obstacle: null });
    expect(await countEntries()).toBe(before);
    expect((await staff.send(maria, 'GET', `/cases/${path}`)).body.record).toEqual(recordBefore);

    const done = await make(resource, id, move, body, pair);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    const posted = (await entriesSince(before)).map((leg) => JSON.stringify(leg)).sort();
    expect(legsOf(seen.effect.postings)).toEqual(posted);
    const after = (await staff.send(maria, 'GET', `/cases/${path}`)).body;
    for (const { id: changed, field, after: value } of seen.effect.changes)
      if (changed === id && field === 'status') expect(after.record.status ?? value).toBe(value);
    expect(seen.effect.postings.length + seen.effect.changes.length).toBeGreaterThan(0);
  },
);

test('what stands in the way of a move is told, and nothing is done', async () => {
  const id = await account();
  const { body } = await preview(`accounts/${id}`, { move: 'adjust', amount: -9_000_00 });
  expect(body).toMatchObject({
    effect: null,
    needs_approval: false,
    obstacle: { code: 'insufficient_funds', reason: null },
  });
  const customer = await customerInReview(staff);
  await staff.send(maria, 'POST', `/cases/customers/${customer}/take`, {});
  expect((await preview(`customers/${customer}`, { move: 'approve' }, otto)).body).toMatchObject({
    effect: null,
    obstacle: { code: 'invalid_state', reason: 'taken' },
  });
  expect((await preview(`customers/${customer}`, { move: 'approve' })).body.obstacle).toBeNull();
  const rows = await engine.query(
    'select from reviews where tenant_id = $1 and record_id = $2',
    customer,
  );
  expect(rows).toEqual([]);
});

test('fields are checked as by the move, and what is no move is not found', async () => {
  const id = await account();
  const missing = await preview(`accounts/${id}`, { move: 'adjust' });
  expect(missing.body.error).toMatchObject({ code: 'parameter_missing', param: 'amount' });
  expect(shortOf(await preview(`accounts/${id}`, { move: 'explode' }))).toEqual([404, 'not_found']);
  expect(shortOf(await preview('documents/tos', { move: 'publish' }))).toEqual([404, 'not_found']);
});

test('a dispute needs a second person above a refusal of $2,500 or an award of $500', async () => {
  const id = await newDispute(staff, 2_600_00);
  const denied = await preview(`disputes/${id}`, { move: 'resolve_denied', finding: 'it came' });
  expect(denied.body).toMatchObject({ needs_approval: true });
  for (const [amount, needs_approval] of [
    [99_99, true],
    [500_00, false],
    [500_01, true],
  ]) {
    const partial = await preview(`disputes/${id}`, {
      move: 'resolve_partial',
      amount,
      finding: 'a part',
    });
    expect(partial.body).toMatchObject({ needs_approval });
  }
});
