import { command } from '@tenant-payments/engine/command.ts';
import { expect, test } from 'vitest';
import { heldLong, openApprovals, shortOf } from '../../test/kit/approvals.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import {
  byCommandLine,
  enrol,
  invitation,
  type PortalPerson,
  portalPerson,
} from '../../test/kit/people.ts';
import { takeInvitation } from '../people/invitations/accept.ts';
import { invitations } from '../people/invitations/table.ts';
import { roleGrants } from '../people/table.ts';

/** The people who count as the second person (rules/approvals#19). */

const { server, admins, openCase } = await openApprovals();
const { owner } = server;
const [maria, otto, ada] = admins;
const on = await openCase();

const funding = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 5_00, note: 'more' };
const ask = async (by: PortalPerson = maria, amount = 5_00): Promise<ReplyBody> =>
  (await on.send(by, 'POST', '/approvals', { ...funding, amount })).body;
const approve = async (by: PortalPerson, { id }: ReplyBody) =>
  shortOf(await on.send(by, 'POST', `/approvals/${id}/approve`));
const obstacleFor = async (by: PortalPerson, { id }: ReplyBody) =>
  (await on.send(by, 'GET', `/cases/approvals/${id}`)).body.record.obstacle;

/**
 * Proves that this person approves neither a request on the Tenant nor one on the platform, and is
 * told why.
 */
async function proveDependent(who: PortalPerson, reason: string, maker = maria): Promise<void> {
  const request = await ask(maker);
  expect(await approve(who, request)).toEqual([403, reason]);
  expect(await obstacleFor(who, request)).toEqual({ code: 'forbidden', reason });
  expect(await obstacleFor(ada, request)).toBeNull();
  const body = { resource: 'tenants', id: on.tenant.tenantId, move: 'suspend', note: 'a fraud' };
  const { id } = (await maker.ask('POST', '/platform-approvals', body)).body;
  const decided = await who.ask('POST', `/platform-approvals/${id}/approve`);
  expect(shortOf(decided)).toEqual([403, reason]);
  const { data } = (await who.ask('GET', '/platform-approvals?limit=100')).body;
  const shown = data.find((one: ReplyBody) => one.id === id);
  expect(shown).toMatchObject({ status: 'waiting', obstacle: { code: 'forbidden', reason } });
  expect(await approve(ada, request)).toEqual([200, 'approved']);
}

const admin = async (since = '2020-01-01'): Promise<PortalPerson> => {
  const person = await portalPerson(server, 'platform', ['admin']);
  await owner.query(
    'update control.roles set granted_at = $2, bootstrap = false where person_id = $1',
    [person.id, since],
  );
  return person;
};
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

test('whoever was invited by the maker is no second person, however long ago', async () => {
  const puppet = await admin();
  await owner.query('update control.people set invited_by = $2 where id = $1', [
    puppet.id,
    maria.id,
  ]);
  await proveDependent(puppet, 'invited_by_maker');
  expect(await approve(puppet, await ask(otto))).toEqual([200, 'approved']);
});

test('whoever has the role from the maker is no second person', async () => {
  const puppet = await admin();
  await owner.query('update control.roles set granted_by = $2 where person_id = $1', [
    puppet.id,
    maria.id,
  ]);
  await proveDependent(puppet, 'invited_by_maker');
});

test('a person and a role say who gave them', async () => {
  const invited = { email: 'sid@example.com', roles: ['support'] };
  const { link } = (await maria.ask('POST', '/staff-invitations', invited)).body;
  const { reply } = await enrol(server, link);
  const { id } = reply.body.session.person;
  const { rows } = await owner.query(
    `select p.invited_by, r.granted_by, r.bootstrap from control.people p
       join control.roles r on r.person_id = p.id where p.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ invited_by: maria.id, granted_by: maria.id, bootstrap: false }]);
});

test('whoever got the role within 24 hours, or after the request, is no second person', async () => {
  await proveDependent(await admin(hoursAgo(23)), 'role_too_new');
  expect(await approve(await admin(hoursAgo(25)), await ask())).toEqual([200, 'approved']);
  const request = await ask();
  await owner.query(
    `update approvals set lapses_at = lapses_at - interval '26 hours' where tenant_id = $1
       and status = 'waiting'`,
    [on.tenant.tenantId],
  );
  expect(await approve(await admin(hoursAgo(25)), request)).toEqual([403, 'role_too_new']);
});

test('a member of the Tenant acted on is no second person, and is one for another Tenant', async () => {
  const member = await admin();
  await owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, 'reader', now())`,
    [on.tenant.tenantId, member.id],
  );
  await proveDependent(member, 'member_of_tenant');
  const elsewhere = await openCase();
  const { id } = (await elsewhere.send(maria, 'POST', '/approvals', funding)).body;
  const done = await elsewhere.send(member, 'POST', `/approvals/${id}/approve`);
  expect(shortOf(done)).toEqual([200, 'approved']);
});

test('above the cap the first of two admins is independent too', async () => {
  const late = await admin(hoursAgo(1));
  const request = await ask(maria, 10_001_00);
  expect(await approve(late, request)).toEqual([403, 'role_too_new']);
});

/** Takes the invitation of somebody who is signed in. */
const take = command('take', {
  load: async (read, { id, personId }: { id: string; personId: string }) => {
    const [row, grants, staff] = await Promise.all([
      read.one(invitations, id),
      read.set(roleGrants, 'person_id', personId),
      read.set(roleGrants, 'scope', 'platform'),
    ]);
    return { row, grants, staff };
  },
  decide: (work, { row, ...of }, { personId }) => {
    takeInvitation(work, row, personId, of);
    return { value: null };
  },
});

test('a role that the command line gave within a day of the first admin counts at once', async () => {
  const person = await admin();
  const granted = async (invitedBy: string) => {
    await owner.query("delete from control.roles where person_id = $1 and scope = 'platform'", [
      person.id,
    ]);
    await invitation(server, { scope: 'platform', email: person.email, roles: ['admin'] });
    const made = await owner.query<{ id: string }>(
      `update control.invitations set invited_by = $2
       where email = $1 and accepted_at is null and revoked_at is null returning id`,
      [person.email, invitedBy],
    );
    await byCommandLine(server, take, { id: made.rows[0]?.id ?? '', personId: person.id });
    const { rows } = await owner.query('select bootstrap from control.roles where person_id = $1', [
      person.id,
    ]);
    return rows[0]?.bootstrap;
  };
  const { rows: all } = await owner.query<{ person_id: string; granted_at: string }>(
    "select person_id, granted_at from control.roles where scope = 'platform' and role = 'admin'",
  );
  await owner.query(
    "update control.roles set granted_at = $1 where scope = 'platform' and role = 'admin'",
    [hoursAgo(25)],
  );
  expect(await granted('command_line root')).toBe(false);
  await owner.query(
    "update control.roles set granted_at = $1 where scope = 'platform' and role = 'admin'",
    [hoursAgo(23)],
  );
  expect(await granted(`person ${maria.id}`)).toBe(false);
  expect(await granted('command_line root')).toBe(true);
  for (const { person_id, granted_at } of all)
    await owner.query('update control.roles set granted_at = $2 where person_id = $1', [
      person_id,
      granted_at,
    ]);
  const request = await ask();
  await person.signIn();
  expect(await approve(person, request)).toEqual([200, 'approved']);
  await heldLong(server, maria, otto, ada);
});
