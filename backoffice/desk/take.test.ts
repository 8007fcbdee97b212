import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { customerInReview, lateMoney, newDispute } from '../../test/kit/desk.ts';
import { openBrowser, type PortalPerson } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';

const { server, admins, openCase, pass } = await openApprovals();
const [maria, otto] = admins;
const second = await openServer({ beside: server, workers: false, config: { approvals: true } });

/** The same person at the second process. */
function atSecond(person: PortalPerson): PortalPerson {
  const browser = openBrowser(second);
  browser.setCookie(person.cookie());
  return { ...person, ...browser };
}

const take = (of: StaffCase, by: PortalPerson, path: string, from?: string | null) =>
  of.send(by, 'POST', `/cases/${path}/take`, from === undefined ? {} : { from });
const fileOf = async (of: StaffCase, path: string) =>
  (await of.send(maria, 'GET', `/cases/${path}`)).body;
const heldBy = ({ id }: PortalPerson) => ({ assigned_to: { id } });

const staff = await openCase();
const waiting = async () => `customers/${await customerInReview(staff)}`;

test('who takes a case has it, and taking it again changes nothing', async () => {
  const path = await waiting();
  const { body } = await take(staff, maria, path);
  expect(body).toMatchObject({ object: 'case_assignment', ...heldBy(maria) });
  expect(body.assigned_to.name).toMatch(/^Person \d+$/);
  expect((await take(staff, maria, path)).body).toEqual(body);
  expect(await fileOf(staff, path)).toMatchObject(heldBy(maria));
});

test('another takes it over only by naming who has it', async () => {
  const path = await waiting();
  await take(staff, maria, path);
  for (const from of [undefined, null, otto.id]) {
    const { status, body } = await take(staff, otto, path, from);
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: 'invalid_state',
      details: { reason: 'taken', assigned_to: { id: maria.id, name: expect.any(String) } },
    });
  }
  expect((await take(staff, otto, path, maria.id)).body).toMatchObject(heldBy(otto));
  expect(shortOf(await take(staff, maria, path, maria.id))).toEqual([409, 'taken']);
});

test('who has it gives it back, and nobody else does', async () => {
  const path = await waiting();
  const release = (by: PortalPerson) => staff.send(by, 'POST', `/cases/${path}/release`);
  expect(shortOf(await release(maria))).toEqual([409, 'not_taken']);
  await take(staff, maria, path);
  expect(shortOf(await release(otto))).toEqual([409, 'not_taken']);
  expect((await release(maria)).body).toMatchObject({ assigned_to: null, assigned_at: null });
  expect((await take(staff, otto, path)).body).toMatchObject(heldBy(otto));
});

test('of two who take a case at once exactly one gets it, also in two processes', async () => {
  for (const other of [otto, atSecond(otto), atSecond(otto), atSecond(otto)]) {
    const path = await waiting();
    const both = await Promise.all([take(staff, maria, path), take(staff, other, path)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = both[0].status === 200 ? maria : otto;
    expect(await fileOf(staff, path)).toMatchObject(heldBy(winner));
  }
});

test('of taking and deciding at once by two people exactly one happens', async () => {
  const other = atSecond(otto);
  for (let round = 0; round < 6; round += 1) {
    const path = await waiting();
    const both = await Promise.all([
      take(staff, maria, path),
      staff.send(round % 2 ? other : otto, 'POST', `/review/${path}/approve`, {}),
    ]);
    const told = both.map((reply) => shortOf(reply)[reply.status === 200 ? 0 : 1]);
    expect([
      [200, 'taken'],
      ['not_waiting', 200],
    ]).toContainEqual(told);
  }
});

test("a taken case is its holder's to decide, and still shows who had it", async () => {
  const path = await waiting();
  await take(staff, maria, path);
  const approve = (by: PortalPerson) => staff.send(by, 'POST', `/review/${path}/approve`, {});
  const { status, body } = await approve(otto);
  expect([status, body.error.details]).toMatchObject([409, { reason: 'taken', ...heldBy(maria) }]);
  expect((await approve(maria)).status).toBe(200);
  expect(await fileOf(staff, path)).toMatchObject({ waiting_since: null, ...heldBy(maria) });
  // The case no longer waits, so that it is nobody's to take, and open to others again.
  expect(shortOf(await take(staff, otto, path, maria.id))).toEqual([409, 'not_waiting']);
  expect((await staff.send(otto, 'POST', `/review/${path}/review`, {})).status).toBe(200);
});

test('a program is not stopped by who has a case, and takes none', async () => {
  const path = await waiting();
  await take(staff, maria, path);
  const taking = await staff.api.call('POST', `/portal/api/cases/${path}/take`, { body: {} });
  expect(shortOf(taking)).toEqual([403, 'no_person']);
  await staff.api.post(`/portal/api/review/${path}/approve`, {});
});

test('only its holder asks a second person for a taken case, and then anybody else approves', async () => {
  const id = await lateMoney(staff);
  const path = `suspense/${id}`;
  await take(staff, maria, path);
  const body = { resource: 'suspense', id, move: 'match', note: 'it is hers' };
  const ask = (by: PortalPerson) => staff.send(by, 'POST', '/approvals', body);
  expect(shortOf(await ask(otto))).toEqual([409, 'taken']);
  const made = await ask(maria);
  expect(made.status).toBe(201);
  const decide = (by: PortalPerson, how: string) =>
    staff.send(by, 'POST', `/approvals/${made.body.id}/${how}`, {});
  await take(staff, admins[2], `approvals/${made.body.id}`);
  expect(shortOf(await decide(otto, 'approve'))).toEqual([409, 'taken']);
  expect(shortOf(await decide(otto, 'refuse'))).toEqual([409, 'taken']);
  expect(shortOf(await decide(admins[2], 'approve'))).toEqual([200, 'approved']);
});

test('the maker takes a request back although somebody has it', async () => {
  const ask = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 1, note: 'x' };
  const { body } = await staff.send(maria, 'POST', '/approvals', ask);
  await take(staff, otto, `approvals/${body.id}`);
  const back = await staff.send(maria, 'POST', `/approvals/${body.id}/refuse`, {});
  expect(shortOf(back)).toEqual([200, 'refused']);
});

test('a case of another Tenant is not found, and neither is what is none', async () => {
  const other = await openCase();
  const id = await newDispute(other);
  for (const path of [`disputes/${id}`, 'disputes/dsp_0', 'reserve/reserve', 'constructor/x'])
    for (const act of ['take', 'release'])
      expect(shortOf(await staff.send(maria, 'POST', `/cases/${path}/${act}`, undefined))).toEqual([
        404,
        'not_found',
      ]);
});

test("a request that has lapsed is nobody's to take", async () => {
  const ask = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 1, note: 'x' };
  const { body } = await staff.send(maria, 'POST', '/approvals', ask);
  pass(8 * 86_400_000);
  await otto.signIn();
  const path = `approvals/${body.id}`;
  expect(shortOf(await take(staff, otto, path))).toEqual([409, 'not_waiting']);
});
