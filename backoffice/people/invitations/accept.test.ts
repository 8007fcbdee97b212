import { expect, onTestFinished, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { newPasskey } from '../../../test/kit/pages/passkey.ts';
import {
  invitation,
  openBrowser,
  portalPerson,
  type Server,
  tokenOf,
} from '../../../test/kit/people.ts';
import { openServer, startTestServer } from '../../../test/kit/server.ts';

const server = await openServer({ own: true, workers: false });

/** Another process on the same database. */
async function beside(): Promise<Server> {
  const second = await startTestServer({ beside: server, workers: false });
  onTestFinished(() => second.stop());
  return second;
}

/** Somebody new who has begun to accept a link. @returns what finishes it */
async function begun(at: Server, link: string) {
  const browser = openBrowser(at);
  const about = { token: tokenOf(link), name: 'Ana Ruiz' };
  const { body } = await browser.ask('POST', '/accept-invitation/begin', about);
  const credential = newPasskey(new URL(at.service.config.publicUrl).origin).create(body.options);
  return () => browser.ask('POST', '/accept-invitation/finish', { ...about, credential });
}

test('two invitations of somebody new that are accepted at once in two processes make one person', async () => {
  const second = await beside();
  const scopes = [await server.anotherTenant(), await server.anotherTenant()];
  const email = 'ana@x.co';
  const [one = '', two = ''] = await Promise.all(
    scopes.map(({ tenantId: scope }) => invitation(server, { scope, email, roles: ['reader'] })),
  );
  const finish = [await begun(server, one), await begun(second, two)];
  // The person has a passkey then, by which alone the other may be accepted.
  const replies = await Promise.all(finish.map((run) => run()));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  const { rows } = await server.owner.query(
    `select count(*) as people, (select count(*) from control.roles r where r.person_id = any (
       array_agg(p.id))) as roles from control.people p where email = $1`,
    [email],
  );
  expect(rows).toEqual([{ people: 1, roles: 1 }]);
});

test('an invitation that is accepted and revoked at once in two processes is one of both', async () => {
  const second = await beside();
  const { tenantId: scope } = await server.anotherTenant();
  const owner = await portalPerson(second, scope, ['owner']);
  for (const email of ['eva@x.co', 'ida@x.co', 'uma@x.co']) {
    const given = { email, roles: ['reader'] };
    const { id, link } = (await owner.ask('POST', '/invitations', given)).body;
    const accept = await begun(server, link);
    const replies = await Promise.all([accept(), owner.ask('DELETE', `/invitations/${id}`)]);
    const [accepted, revoked] = replies.map(({ status }) => status);
    expect([accepted, revoked].sort()).toEqual([200, 409]);
    const { data } = (await owner.ask('GET', '/invitations')).body;
    const status = accepted === 200 ? 'accepted' : 'revoked';
    expect(data.find((one: { id: string }) => one.id === id)).toMatchObject({ status });
  }
});

test('nobody invites themselves, and an invitation is worth nothing to whoever made it', async () => {
  const { tenantId } = await server.anotherTenant();
  const headers = { 'tenant-id': tenantId };
  const admin = await portalPerson(server, 'platform', ['admin']);
  const invite = (email: string) =>
    admin.ask('POST', '/invitations', { email, roles: ['owner'] }, { headers });
  for (const email of [admin.email, admin.email.toUpperCase()])
    expect(refusalLine(await invite(email))).toBe('invalid_state own_roles');
  expect((await invite('another@x.co')).status).toBe(201);

  const given = { scope: tenantId, email: admin.email, roles: ['owner'] } as const;
  const token = tokenOf(await invitation(server, given));
  await server.owner.query(
    'update control.invitations set invited_person = $1 where email = $2 and scope = $3',
    [admin.id, admin.email, tenantId],
  );
  const { options } = (await admin.ask('POST', '/accept-invitation/begin', { token })).body;
  const credential = admin.passkey.get(options);
  const accepted = await admin.ask('POST', '/accept-invitation/finish', { token, credential });
  expect(refusalLine(accepted)).toBe('invalid_state own_roles');
  const { rows } = await server.owner.query(
    'select scope from control.roles where person_id = $1',
    [admin.id],
  );
  expect(rows).toEqual([{ scope: 'platform' }]);
});
