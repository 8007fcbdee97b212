import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { approvalCap, largeApproval } from '../contract/operate/approvals.ts';

/** The alarm of an act that moves much at once (rules/approvals#24). */

const { server, admins, openCase } = await openApprovals();
const [maker, first, second] = admins;

/** Two people fund the reserve; above the cap of the day that takes two admins. */
async function fund(of: StaffCase, amount: number): Promise<string> {
  const asked = { resource: 'reserve', id: 'reserve', move: 'fund', amount, note: 'more' };
  const { id } = (await of.send(maker, 'POST', '/approvals', asked)).body;
  for (const by of [first, second]) await of.send(by, 'POST', `/approvals/${id}/approve`);
  const { body } = await of.send(maker, 'GET', '/approvals');
  const [made] = body.data;
  expect([made.id, made.status]).toEqual([id, 'approved']);
  return id;
}

const alarmsOf = async ({ tenant }: StaffCase) => {
  await server.service.alarmLog.flush();
  const query = `/alarms?alarm=large_approval&tenant_id=${tenant.tenantId}`;
  return (await maker.ask('GET', query)).body.data;
};

test('an approved act above ten times the cap raises an alarm with its request and amount, once', async () => {
  const of = await openCase();
  expect(largeApproval).toBe(10 * approvalCap);
  await fund(of, largeApproval);
  expect(await alarmsOf(of)).toEqual([]);
  const id = await fund(of, largeApproval + 1);
  expect(await alarmsOf(of)).toMatchObject([
    { record_id: id, count: 1, facts: { amount: largeApproval + 1 } },
  ]);
});

test('a large act that the first of two admins alone has approved raises no alarm', async () => {
  const of = await openCase();
  const amount = largeApproval + 1;
  const asked = { resource: 'reserve', id: 'reserve', move: 'fund', amount, note: 'more' };
  const { id } = (await of.send(maker, 'POST', '/approvals', asked)).body;
  const noted = await of.send(first, 'POST', `/approvals/${id}/approve`);
  expect(shortOf(noted)).toEqual([200, 'waiting']);
  expect(await alarmsOf(of)).toEqual([]);
});
