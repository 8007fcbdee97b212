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
