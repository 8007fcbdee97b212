import { mayCall, type StaffRole } from '@tenant-payments/contract/core/roles.ts';
import type { AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import { describe, expect, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { openBrowser, type PortalPerson, portalPerson } from '../../../test/kit/people.ts';
import {
  type Calling,
  expectedVerdict,
  operations,
  pathOf,
  verdictOf,
} from '../../../test/kit/rights.ts';
import { openServer, startTestServer, type TestServer } from '../../../test/kit/server.ts';
import { isOpenTo, visitorRoles } from '../../contract/people/support.ts';

/** Staff see a Tenant as a reader by an owner's consent, and by nothing else (rules/people#8). */

const server = await openServer({ own: true, workers: false });
const hourMs = 3_600_000;

const give = async (owner: PortalPerson, hours = 2) => {
  const { status, body } = await owner.ask('POST', '/support-consents', { hours, note: 'look' });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const enter = (by: PortalPerson, scope: string) => by.ask('POST', `/tenants/${scope}/enter`);
const consents = async (by: PortalPerson) => (await by.ask('GET', '/support-consents')).body.data;
const session = async (by: PortalPerson) => (await by.ask('GET', '/session')).body;

async function stage(role: StaffRole = 'support', on: TestServer = server) {
  const tenant = await on.anotherTenant();
  const { tenantId: scope } = tenant;
  const owner = await portalPerson(on, scope, ['owner']);
  const staff = await portalPerson(on, 'platform', [role]);
  return { scope, tenant, owner, staff };
}

/** One of the staff who is in. */
async function visiting(role: StaffRole = 'support', on: TestServer = server) {
  const staged = await stage(role, on);
  const consent = await give(staged.owner);
  expect((await enter(staged.staff, staged.scope)).status).toBe(200);
  return { ...staged, consent };
}

test('without a consent nobody of the staff comes in, and only an owner gives one', async () => {
  const { scope, owner, staff } = await stage();
  expect(refusalLine(await enter(staff, scope))).toBe('invalid_state no_consent');
  expect(refusalLine(await enter(staff, 'nonsense'))).toBe('not_found id');
  const developer = await portalPerson(server, scope, ['developer']);
  const asked = { hours: 1, note: 'x' };
  const admin = await portalPerson(server, 'platform', ['admin']);
  const headers = { 'tenant-id': scope };
  for (const reply of [
    await developer.ask('POST', '/support-consents', asked),
    await admin.ask('POST', '/support-consents', asked, { headers }),
    await enter(owner, scope),
  ])
    expect(reply.body.error.code).toBe('forbidden');
  for (const hours of [0, 73])
    expect((await owner.ask('POST', '/support-consents', { hours, note: 'x' })).status).toBe(400);
  await give(owner, 72);
  const again = await owner.ask('POST', '/support-consents', asked);
  expect(refusalLine(again)).toBe('invalid_state already_given');
});

test.each(['sandbox', 'production'] as const)(
  'in the %s a visitor is a reader, for an hour at most, and both see it',
  async (environment) => {
    const one = await startTestServer({ environment, workers: false });
    const { scope, staff, owner } = await stage('admin', one);
    await give(owner);
    const before = await staff.ask('GET', '/customers', undefined, {
      headers: { 'tenant-id': scope },
    });
    expect(before.status).toBe(200);
    const entered = await enter(staff, scope);
    expect(entered.body).toMatchObject({
      scope,
      roles: ['reader'],
      visit: { over: false, consent_by: expect.stringMatching(/^Person/) },
    });
    const leftMs = Date.parse(entered.body.visit.until) - Date.now();
    expect(leftMs).toBeGreaterThan(hourMs - 60_000);
    expect(leftMs).toBeLessThanOrEqual(hourMs);
    expect((await staff.ask('GET', '/customers')).status).toBe(200);
    expect(await consents(owner)).toMatchObject([
      { status: 'open', given_by: owner.email, visits: [{ person: staff.email, left_at: null }] },
    ]);
    expect((await staff.ask('POST', '/session/leave')).body).toMatchObject({
      scope: 'platform',
      roles: ['admin'],
      visit: null,
    });
    const [{ visits }] = await consents(owner);
    expect(visits[0].left_at).not.toBeNull();
    await one.stop();
  },
);

test('a short consent ends the visit with it', async () => {
  const { scope, owner, staff } = await stage();
  const consent = await give(owner, 1);
  await server.owner.query(
    `update control.support_consents set expires_at = now() + interval '5 minutes' where id = $1`,
    [consent.id],
  );
  const { visit } = (await enter(staff, scope)).body;
  expect(Date.parse(visit.until)).toBeLessThanOrEqual(Date.now() + 300_000);
});

describe('a visitor', () => {
  /** Back into the visit as it was, whatever the last operation did. */
  const restore = ({ id }: PortalPerson, scope: string, over: boolean) =>
    server.owner.query(
      `with v as (update control.support_visits set left_at = null,
         until = now() + case when $3 then -1 else 1 end * interval '10 minutes'
         where person_id = $1 returning id)
       update control.sessions set ended_at = null, scope = $2, visit_id = (select id from v)
       where person_id = $1`,
      [id, scope, over],
    );

  /** One operation for each method, subject and verdict: rights.test.ts decides all of them. */
  const probesOf = (calling: Calling) => [
    ...new Map(
      operations.map((row) => {
        const verdict = expectedVerdict(row, calling);
        return [`${row.method} ${row.of} ${verdict}`, { row, verdict }];
      }),
    ).values(),
  ];

  test.each([
    ['admin', 'on'],
    ['support', 'on'],
    ['admin', 'over'],
  ] as const)(
    'who is %s of the platform may do exactly what the table says, while the visit is %s',
    async (role, visit) => {
      const { staff, scope } = await visiting(role);
      const roles = visit === 'on' ? visitorRoles : [];
      const how = { isTenantNamed: true, isFresh: true, environment: 'sandbox' } as const;
      for (const { row, verdict } of probesOf({ ...how, roles, visit })) {
        await restore(staff, scope, visit === 'over');
        const cookie = staff.cookie();
        const { status, body } = await staff.ask(row.method, pathOf(row));
        staff.setCookie(cookie);
        const found = status === 401 ? status : verdictOf(body?.error, row);
        expect([row.id, found]).toEqual([row.id, verdict]);
      }
    },
  );

  test('changes nothing: what is open to one reads, leaves or signs out', () => {
    const open = operations.filter((one) => isOpenTo('on', one) && mayCall(one.may, visitorRoles));
    const changing = open.filter(({ method }) => method !== 'GET').map(({ id }) => id);
    expect(changing).toEqual(['signOut', 'leaveTenant']);
  });

  test('reads no personal data, whatever the role on the platform', async () => {
    const { staff, tenant } = await visiting('admin');
    await server.apiOf(tenant).customer('individual');
    const { status, body } = await staff.ask('GET', '/customers');
    expect([status, JSON.stringify(body.data)]).toEqual([200, expect.stringMatching('redacted')]);
  });
});

test('who holds a role in the Tenant uses that one', async () => {
  const { scope, owner, staff } = await stage();
  await give(owner);
  await server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, 'finance', now())`,
    [scope, staff.id],
  );
  expect(refusalLine(await enter(staff, scope))).toBe('invalid_state member');
  expect((await staff.ask('POST', '/session/act', { scope })).body).toMatchObject({
    roles: ['finance'],
    visit: null,
  });
});

test('an owner ends the consent, and the next request of the visitor is refused', async () => {
  const { scope, owner, staff, consent } = await visiting();
  const ended = await owner.ask('DELETE', `/support-consents/${consent.id}`);
  expect(ended.body).toMatchObject({ status: 'ended', visits: [{ left_at: expect.any(String) }] });
  expect(refusalLine(await staff.ask('GET', '/customers'))).toBe('forbidden visit_over');
  expect(await session(staff)).toMatchObject({ scope, roles: [], visit: { over: true } });
  const again = await owner.ask('DELETE', `/support-consents/${consent.id}`);
  expect(refusalLine(again)).toBe('invalid_state ended');
  const stranger = await stage();
  expect(refusalLine(await stranger.owner.ask('DELETE', `/support-consents/${consent.id}`))).toBe(
    'not_found',
  );
  await staff.ask('POST', '/session/leave');
  expect(refusalLine(await enter(staff, scope))).toBe('invalid_state no_consent');
  expect(refusalLine(await staff.ask('POST', '/session/leave'))).toBe('invalid_state no_visit');
});

test('a visit ends with its time, and with the role on the platform', async () => {
  const { staff } = await visiting();
  await server.owner.query(
    `update control.support_visits set until = now() - interval '1 second' where person_id = $1`,
    [staff.id],
  );
  expect(refusalLine(await staff.ask('GET', '/payments'))).toBe('forbidden visit_over');
  const other = await visiting();
  await server.owner.query('delete from control.roles where person_id = $1', [other.staff.id]);
  expect(refusalLine(await other.staff.ask('GET', '/payments'))).toBe('forbidden visit_over');
  const third = await visiting();
  const admin = await portalPerson(server, 'platform', ['admin']);
  await admin.ask('PUT', `/staff/${third.staff.id}`, { roles: ['reviewer'] });
  expect((await third.staff.ask('GET', '/payments')).status).toBe(401);
});

test('whoever signs out or goes away is no longer in', async () => {
  const { owner, staff } = await visiting();
  await staff.ask('DELETE', '/session');
  expect((await consents(owner))[0].visits[0].left_at).not.toBeNull();
  await staff.signIn();
  expect(await session(staff)).toMatchObject({ scope: 'platform', visit: null });
});

test('a visitor of one Tenant reads no other, and owners see no visitor of another Tenant', async () => {
  const { scope, staff } = await visiting();
  const other = await visiting();
  const headers = { 'tenant-id': other.scope };
  const reply = await staff.ask('GET', '/payments', undefined, { headers });
  expect(refusalLine(reply)).toBe('forbidden staff_only');
  const seen = await consents(other.owner);
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain(staff.email);
  const support = await portalPerson(server, 'platform', ['support']);
  const read = await support.ask('GET', '/support-consents', undefined, {
    headers: { 'tenant-id': scope },
  });
  expect(read.body.data[0]).toMatchObject({ note: 'look', given_by: '[redacted]' });
});

test('no program comes in', async () => {
  const { scope, owner, staff } = await stage('admin');
  await give(owner);
  const expires_at = new Date(Date.now() + hourMs).toISOString();
  const made = await staff.ask('POST', '/api-keys', { name: 'k', roles: ['support'], expires_at });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const ask = (token: string) =>
    server.call('POST', `/portal/api/tenants/${scope}/enter`, { token });
  expect(refusalLine(await ask(made.body.key))).toBe('step_up_required');
  expect(refusalLine(await ask(server.tenant.token))).toBe('forbidden no_person');
  expect((await openBrowser(server).ask('POST', `/tenants/${scope}/enter`)).status).toBe(401);
});

test('giving, coming in, leaving and ending stand in both chains, with who and when', async () => {
  const { scope, owner, staff, consent } = await visiting();
  await staff.ask('POST', '/settings', {});
  await staff.ask('POST', '/session/leave');
  await owner.ask('DELETE', `/support-consents/${consent.id}`);
  const rowsOf = async (chain: string) =>
    (
      await server.owner.query<AuditRow>(
        `select * from control.audit where scope = $1 and act in ('giveSupportConsent',
           'enterTenant', 'leaveTenant', 'endSupportConsent') and body like '%' || $2 || '%'
           and outcome = 'done' order by number`,
        [chain, scope],
      )
    ).rows;
  for (const chain of [scope, 'platform']) {
    const rows = await rowsOf(chain);
    expect(rows.map(({ act, actor_id }) => [act, actor_id])).toEqual([
      ['giveSupportConsent', owner.id],
      ['enterTenant', staff.id],
      ['leaveTenant', staff.id],
      ['endSupportConsent', owner.id],
    ]);
    expect(rows.map(({ body }) => JSON.parse(body).after.tenant_id)).toEqual(Array(4).fill(scope));
    expect(JSON.stringify(rows)).not.toMatch(/look|example\.com/);
  }
});

test('what a visitor is refused is a row of the Tenant', async () => {
  const { scope, staff } = await visiting('admin');
  const reply = await staff.ask('POST', '/credentials');
  expect(refusalLine(reply)).toBe('forbidden visitor');
  const { rows } = await server.owner.query(
    'select act, actor_id, outcome from control.audit where scope = $1 and request_id = $2',
    [scope, reply.headers.get('service-request-id')],
  );
  expect(rows).toEqual([{ act: 'createCredential', actor_id: staff.id, outcome: 'forbidden' }]);
});
