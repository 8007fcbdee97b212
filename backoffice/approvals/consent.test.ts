import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import type { Reply, ReplyBody } from '../../test/kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../../test/kit/people.ts';

/** The challenge that an approver's passkey signs (rules/approvals#23). */

const { server, admins, openCase } = await openApprovals();
const [maria, otto, ada] = admins;
const funding = { resource: 'reserve', id: 'reserve', move: 'fund', note: 'a top-up' };

async function asked(of: StaffCase, amount = 5_00): Promise<ReplyBody> {
  const { status, body } = await of.send(maria, 'POST', '/approvals', { ...funding, amount });
  expect(status).toBe(201);
  return body;
}

/** Approves by the bare route, without the passkey's signature that the kit adds. */
function openBare(of: StaffCase, by: PortalPerson) {
  const options = { headers: { 'tenant-id': of.tenant.tenantId } };
  const send = (path: string, body?: object) => by.bare.ask('POST', path, body, options);
  return {
    options: async ({ id }: ReplyBody) => (await send(`/approvals/${id}/consent`)).body.options,
    approve: ({ id }: ReplyBody, body?: object): Promise<Reply> =>
      send(`/approvals/${id}/approve`, body),
  };
}

const isDone = async (of: StaffCase, { id }: ReplyBody) =>
  (await of.send(otto, 'GET', '/approvals')).body.data.find((one: ReplyBody) => one.id === id)
    .status === 'approved';

const unsign = (person: PortalPerson, count: string) =>
  server.owner.query(`update control.sessions set stepped_up_at = ${count} where person_id = $1`, [
    person.id,
  ]);

test('a fresh session alone approves nothing for whoever holds a passkey', async () => {
  const of = await openCase();
  const made = await asked(of);
  await otto.stepUp();
  const bare = openBare(of, otto);
  expect(shortOf(await bare.approve(made))).toEqual([403, 'consent']);
  expect(await isDone(of, made)).toBe(false);
  const credential = otto.passkey.get(await bare.options(made));
  expect(shortOf(await bare.approve(made, { credential }))).toEqual([200, 'approved']);
  expect(await isDone(of, made)).toBe(true);
});

test('a passkey that signs the request is the step-up of an approval', async () => {
  const of = await openCase();
  const made = await asked(of);
  await unsign(otto, 'null');
  const bare = openBare(of, otto);
  const credential = otto.passkey.get(await bare.options(made));
  expect(shortOf(await bare.approve(made, { credential, note: 'seen' }))).toEqual([
    200,
    'approved',
  ]);
});

test('what was signed for one request approves no other, nor one for another person, and is good once', async () => {
  const of = await openCase();
  const [small, large] = [await asked(of, 1_00), await asked(of, 9_000_00)];
  const bare = openBare(of, otto);
  const signed = async (made: ReplyBody, by = otto) => ({
    credential: by.passkey.get(await bare.options(made)),
  });
  expect(shortOf(await bare.approve(large, await signed(small)))).toEqual([400, 'challenge']);
  expect(shortOf(await bare.approve(large, await signed(large, ada)))).toEqual([
    400,
    'unknown_credential',
  ]);
  expect(await isDone(of, large)).toBe(false);
  const { body } = await otto.bare.ask('POST', '/step-up/begin');
  const stepUp = { credential: otto.passkey.get(body.options) };
  expect(shortOf(await bare.approve(large, stepUp))).toEqual([400, 'challenge']);
  const once = await signed(large);
  expect(shortOf(await bare.approve(large, once))).toEqual([200, 'approved']);
  expect(shortOf(await bare.approve(large, once))).toEqual([400, 'not_verified']);
  const elsewhere = await (await openCase()).send(otto, 'POST', `/approvals/${small.id}/consent`);
  expect(shortOf(elsewhere)).toEqual([404, 'not_found']);
});

test('who has no passkey approves by a fresh sign-in, and no other way', async () => {
  const of = await openCase();
  const made = await asked(of);
  await server.owner.query(
    'update control.person_passkeys set person_id = $1 where person_id = $2',
    [maria.id, ada.id],
  );
  const bare = openBare(of, ada);
  const { options } = { options: { headers: { 'tenant-id': of.tenant.tenantId } } };
  const begun = await ada.bare.ask('POST', `/approvals/${made.id}/consent`, undefined, options);
  expect(shortOf(begun)).toEqual([409, 'no_passkey']);
  await unsign(ada, 'null');
  expect(shortOf(await bare.approve(made))).toEqual([403, 'step_up_required']);
  await unsign(ada, 'now()');
  expect(shortOf(await bare.approve(made))).toEqual([200, 'approved']);
});

test('an act on the platform is signed too', async () => {
  const { tenantId: id } = await server.anotherTenant();
  const body = { resource: 'tenants', id, move: 'suspend', note: 'a fraud' };
  const made = (await maria.ask('POST', '/platform-approvals', body)).body;
  const at = `/platform-approvals/${made.id}`;
  expect(shortOf(await otto.bare.ask('POST', `${at}/approve`))).toEqual([403, 'consent']);
  const begun = await otto.bare.ask('POST', `${at}/consent`);
  const credential = otto.passkey.get(begun.body.options);
  expect(shortOf(await otto.bare.ask('POST', `${at}/approve`, { credential }))).toEqual([
    200,
    'approved',
  ]);
});

test('what an act on the platform takes is signed: changed afterwards, it is not approved', async () => {
  const { id } = await portalPerson(server, 'platform', ['support']);
  const body = { resource: 'staff', id, move: 'change', roles: ['reviewer'], note: 'promoted' };
  const made = (await maria.ask('POST', '/platform-approvals', body)).body;
  const at = `/platform-approvals/${made.id}`;
  const begun = await otto.bare.ask('POST', `${at}/consent`);
  const credential = otto.passkey.get(begun.body.options);
  await server.owner.query(
    `update control.approvals set given = '{"roles":["reviewer","support"]}' where record_id = $1`,
    [id],
  );
  expect(shortOf(await otto.bare.ask('POST', `${at}/approve`, { credential }))).toEqual([
    400,
    'challenge',
  ]);
});

test('an API key signs nothing', async () => {
  const of = await openCase();
  const made = await asked(of);
  await otto.stepUp();
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const key = { name: 'A program', roles: ['admin'], expires_at };
  const { body } = await otto.ask('POST', '/api-keys', key);
  for (const [how, refusal] of [
    ['consent', 'no_person'],
    ['approve', 'step_up_required'],
  ])
    expect(
      shortOf(
        await server.call('POST', `/portal/api/approvals/${made.id}/${how}`, {
          token: body.key,
          headers: { 'tenant-id': of.tenant.tenantId },
        }),
      ),
    ).toEqual([403, refusal]);
});
