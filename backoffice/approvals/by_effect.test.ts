import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { newDispute } from '../../test/kit/desk.ts';
import { closedLongAgo } from '../../test/kit/two_person_cases.ts';

/** Acts that need a second person by what comes of them later, or that were done before (rules/approvals#2). */

const { server, admins, openCase } = await openApprovals();
const [mallory, otto] = admins;

const alone = async (of: StaffCase, path: string, body: object = {}) =>
  shortOf(await of.send(mallory, 'POST', `/review/${path}`, body));
const needsTwo = [409, 'approval_required'];

async function byTwo(of: StaffCase, body: object) {
  const made = await of.send(mallory, 'POST', '/approvals', { note: 'by the words', ...body });
  return shortOf(await of.send(otto, 'POST', `/approvals/${made.body.id}/approve`));
}

/** A notice of this type, about a payment of these cents or about nothing. */
async function notice(of: StaffCase, cents: number | null, type: string): Promise<string> {
  if (cents !== null) return newDispute(of, cents, { type });
  return (await of.api.dispute(await of.api.approved('individual'), { type })).id;
}

test.each([
  [500_00, 'purchase_dispute', 'unauthorized_transfer', [200, 'received']],
  [500_01, 'purchase_dispute', 'unauthorized_transfer', needsTwo],
  [null, 'purchase_dispute', 'error', needsTwo],
  [2_500_00, 'unauthorized_transfer', 'purchase_dispute', [200, 'received']],
  [2_500_01, 'unauthorized_transfer', 'purchase_dispute', needsTwo],
  [null, 'error', 'purchase_dispute', needsTwo],
  // Regulation E holds for both.
  [2_600_00, 'unauthorized_transfer', 'error', [200, 'received']],
] as const)('one person who handles a notice of %s cents, a %s, as a %s: %s', async (...row) => {
  const [cents, type, handled_as, ended] = row;
  const of = await openCase();
  const id = await notice(of, cents, type);
  const classified = { handled_as, note: 'by the words' };
  expect(await alone(of, `disputes/${id}/classify`, classified)).toEqual(ended);
});

test('two people bring a large purchase dispute under the clock of Regulation E', async () => {
  const of = await openCase();
  const id = await newDispute(of, 2_600_00, { type: 'purchase_dispute' });
  const body = { resource: 'disputes', id, move: 'classify', handled_as: 'unauthorized_transfer' };
  expect(await byTwo(of, body)).toEqual([200, 'approved']);
  expect(await of.api.get(`/v1/disputes/${id}`)).toMatchObject({ regulation_e: true });
});

/** A dispute under Regulation E that the clock has credited. */
async function credited(of: StaffCase, cents: number): Promise<string> {
  const id = await newDispute(of, cents);
  for (const event of ['dispute.investigating', 'dispute.provisional_credit'])
    await of.api.simulate(event, id);
  return id;
}

test('a credit of the clock is made final by one person up to $500, and above by two', async () => {
  const of = await openCase();
  const approving = async (cents: number) =>
    `disputes/${await credited(of, cents)}/resolve_approved`;
  expect(await alone(of, await approving(500_00))).toEqual([200, 'closed']);
  expect(await alone(of, await approving(500_01))).toEqual(needsTwo);
  const id = await credited(of, 2_000_00);
  const partly = { move: 'resolve_partial', amount: 500_01, finding: 'A part' };
  const { move, ...fields } = partly;
  expect(await alone(of, `disputes/${id}/${move}`, fields)).toEqual(needsTwo);
  expect(await byTwo(of, { resource: 'disputes', id, ...partly })).toEqual([200, 'approved']);
  expect(await of.api.get(`/v1/disputes/${id}`)).toMatchObject({ outcome: 'partially_approved' });
});

test('a credit of an amount that staff have set is made final by two, whatever the amount', async () => {
  const of = await openCase();
  const id = await notice(of, null, 'error');
  await alone(of, `disputes/${id}/investigate`);
  const named = { resource: 'disputes', id };
  expect(await byTwo(of, { ...named, move: 'credit', amount: 1 })).toEqual([200, 'approved']);
  expect(await alone(of, `disputes/${id}/resolve_approved`)).toEqual(needsTwo);
  expect(await byTwo(of, { ...named, move: 'resolve_approved' })).toEqual([200, 'approved']);
});

test('a customer who was erased is not erased again by one person', async () => {
  const of = await openCase();
  const id = await closedLongAgo(server, of);
  const body = { resource: 'customers', id, move: 'erase' };
  for (const _time of ['first', 'second']) {
    expect(await alone(of, `customers/${id}/erase`)).toEqual(needsTwo);
    expect(await byTwo(of, body)).toEqual([200, 'approved']);
    await of.engine.moveClock(60);
  }
});
