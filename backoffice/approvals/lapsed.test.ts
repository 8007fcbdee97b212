import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { heldLong, openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import {
  disable as disablePerson,
  enable as enablePerson,
  type PortalPerson,
  portalPerson,
} from '../../test/kit/people.ts';

/** Requests of people who have left (rules/approvals#18). */

const { server, admins, openCase } = await openApprovals();
const [maria, otto, ada] = admins;

let on: StaffCase;
let leaver: PortalPerson;
beforeEach(async () => {
  on = await openCase();
  leaver = await portalPerson(server, 'platform', ['admin']);
  await heldLong(server, leaver);
});

afterEach(() => void vi.restoreAllMocks());

const funding = (amount = 5_00) => ({
  resource: 'reserve',
  id: 'reserve',
  move: 'fund',
  amount,
  note: 'more',
});
const suspending = () => ({
  resource: 'tenants',
  id: on.tenant.tenantId,
  move: 'suspend',
  note: 'a fraud',
});
type Made = ReplyBody & { readonly at: string };

async function ask(body: object = funding(), at = '/approvals', by = leaver): Promise<Made> {
  const reply = await on.send(by, 'POST', at, body);
  expect(shortOf(reply)).toEqual([201, 'waiting']);
  return { ...reply.body, at };
}
const decide = async (by: PortalPerson, { at, id }: Made, how = 'approve') =>
  shortOf(await on.send(by, 'POST', `${at}/${id}/${how}`));
const idsOf = async ({ at }: Made, status: string): Promise<string[]> =>
  (await on.send(otto, 'GET', `${at}?status=${status}&limit=100`)).body.data.map(
    ({ id }: ReplyBody) => id,
  );
const onDesk = async ({ id }: Made): Promise<boolean> =>
  (await on.send(otto, 'GET', '/desk?resource=approvals&limit=100')).body.data.some(
    (one: ReplyBody) => one.id === id,
  );
const disable = ({ email }: PortalPerson) => disablePerson(server, email);
const enable = ({ email }: PortalPerson) => enablePerson(server, email);
/** An act on the staff, by two. */
async function onStaff(act: object): Promise<void> {
  const asked = { resource: 'staff', note: 'they asked', ...act };
  const made = await maria.ask('POST', '/platform-approvals', asked);
  const done = await otto.ask('POST', `/platform-approvals/${made.body.id}/approve`);
  expect(shortOf(done)).toEqual([200, 'approved']);
}
const roles = ({ id }: PortalPerson, ...given: string[]) =>
  onStaff({ id, move: 'change', roles: given });

async function proveLapsed(request: Made, reason = 'maker_left'): Promise<void> {
  expect(await idsOf(request, 'waiting')).not.toContain(request.id);
  expect(await idsOf(request, 'lapsed')).toContain(request.id);
  const { data } = (await on.send(otto, 'GET', `${request.at}?limit=100`)).body;
  expect(data.find(({ id }: ReplyBody) => id === request.id)).toMatchObject({
    status: 'lapsed',
    obstacle: { code: 'invalid_state', reason },
  });
  expect(await decide(ada, request)).toEqual([409, reason]);
  expect(await decide(ada, request, 'refuse')).toEqual([409, reason]);
}

test.each<[string, (who: PortalPerson) => Promise<unknown>]>([
  ['was disabled', disable],
  ['lost every role', ({ id }) => onStaff({ id, move: 'remove' })],
  ['lost the role', (who) => roles(who, 'support')],
])('a request lapses, in every list, whose maker %s', async (_what, leave) => {
  const requests = [await ask(), await ask(suspending(), '/platform-approvals')];
  expect(await onDesk(requests[0] as Made)).toBe(true);
  await leave(leaver);
  for (const request of requests) await proveLapsed(request);
  expect(await onDesk(requests[0] as Made)).toBe(false);
  const file = await on.send(otto, 'GET', `/cases/approvals/${requests[0]?.id}`);
  expect(file.body).toMatchObject({ status: 'lapsed', moves: [], waiting_since: null });
  const { rows } = await server.owner.query(
    `select outcome from control.audit where scope = $1 and person_id = $2 and record = $3`,
    [on.tenant.tenantId, ada.id, requests[0]?.id],
  );
  expect(rows).toEqual([{ outcome: 'invalid_state' }, { outcome: 'invalid_state' }]);
});

test('an adjustment whose maker has left is shown as lapsed', async () => {
  const { accountId: id } = await on.api.approved('individual');
  await ask({ resource: 'accounts', id, move: 'adjust', amount: 1_00, note: 'goodwill' });
  const path = `/adjustments?tenant_id=${on.tenant.tenantId}`;
  const shown = async () => (await on.send(otto, 'GET', path)).body.data[0].status;
  expect(await shown()).toBe('waiting');
  await disable(leaver);
  expect(await shown()).toBe('lapsed');
});

test('whoever comes back brings back no request', async () => {
  const [byDisabled, byRole] = [await ask(), await ask()];
  await disable(leaver);
  await enable(leaver);
  await proveLapsed(byDisabled);
  await leaver.signIn();
  const again = await ask();
  await roles(leaver, 'support');
  await roles(leaver, 'admin');
  for (const request of [byRole, again]) await proveLapsed(request);
});

test('whoever keeps a role that may ask keeps the request', async () => {
  const both = await portalPerson(server, 'platform', ['admin', 'reviewer']);
  const request = await ask(funding(), '/approvals', both);
  const admins = await ask(suspending(), '/platform-approvals', both);
  await roles(both, 'reviewer');
  await proveLapsed(admins);
  expect(await decide(otto, request)).toEqual([200, 'approved']);
});

test.each<[string, (who: PortalPerson) => Promise<unknown>]>([
  ['was disabled', disable],
  ['is no admin any more', (who) => roles(who, 'reviewer')],
  [
    'was away meanwhile',
    async (who) => {
      await roles(who, 'support');
      await roles(who, 'admin');
    },
  ],
])('a request above the cap lapses whose first approver %s', async (_what, leave) => {
  const request = await ask(funding(10_001_00), '/approvals', maria);
  expect(await decide(leaver, request)).toEqual([200, 'waiting']);
  await leave(leaver);
  await proveLapsed(request, 'first_approver_left');
});

/** Somebody leaves once an approval has been looked at, and before its batch. */
function leavesMeanwhile(who: PortalPerson): void {
  for (const engine of new Set([server.service.engine, server.service.platformEngine])) {
    const submit = engine.submit.bind(engine);
    vi.spyOn(engine, 'submit').mockImplementation((given, submission) => {
      if (!given.name.startsWith('approve')) return submit(given, submission);
      const prepare: typeof given.prepare = async (input, context) => {
        const prepared = (await given.prepare?.(input, context)) as never;
        await disable(who);
        return prepared;
      };
      return submit({ ...given, prepare }, submission);
    });
  }
}

test('nothing is done for a maker who leaves while it is approved', async () => {
  for (const request of [await ask(), await ask(suspending(), '/platform-approvals')]) {
    leavesMeanwhile(leaver);
    expect(await decide(otto, request)).toEqual([409, 'maker_left']);
    vi.restoreAllMocks();
    await proveLapsed(request);
    await enable(leaver);
    await leaver.signIn();
  }
});

test('nothing is done with a first approver who leaves while the second approves', async () => {
  const request = await ask(funding(10_001_00), '/approvals', maria);
  expect(await decide(leaver, request)).toEqual([200, 'waiting']);
  leavesMeanwhile(leaver);
  expect(await decide(otto, request)).toEqual([409, 'first_approver_left']);
});

test('nothing is done by an approver who loses the role meanwhile', async () => {
  for (const request of [
    await ask(funding(), '/approvals', maria),
    await ask(suspending(), '/platform-approvals', maria),
  ]) {
    leavesMeanwhile(leaver);
    expect(await decide(leaver, request)).toEqual([403, 'forbidden']);
    vi.restoreAllMocks();
    expect(await idsOf(request, 'waiting')).toContain(request.id);
    await enable(leaver);
    await leaver.signIn();
  }
});

test('two approvers who stay make a move above the cap', async () => {
  const request = await ask(funding(10_001_00), '/approvals', maria);
  expect(await decide(leaver, request)).toEqual([200, 'waiting']);
  expect(await decide(otto, request)).toEqual([200, 'approved']);
});
