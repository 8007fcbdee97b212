import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { platformApprovals } from '../../../backoffice/approvals/platform/requests.ts';
import { createKeyRow } from '../../../backoffice/people/api_keys/make.ts';
import { apiKeys } from '../../../backoffice/people/api_keys/table.ts';
import { command } from '../../../engine/command.ts';
import { inSchema } from '../../../engine/database/cell.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { platformId } from '../../../engine/platform.ts';
import { openDeployment } from '../../../scripts/operate/deployment.ts';
import { operations as members } from '../../../scripts/operate/members.ts';
import { operations as operators } from '../../../scripts/operate/operators.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { suspensionOf } from '../../../service/tenants/suspension.ts';
import { openApi } from '../../kit/api.ts';
import { openCells, openTill } from '../../kit/cells.ts';
import { blankDatabase } from '../../kit/database/database.ts';
import { urlOfLogin } from '../../kit/database/database_url.ts';
import { enrol, samplePerson } from '../../kit/people.ts';
import { settingsOf } from '../../kit/processes/settings.ts';
import { staffActor } from '../../kit/staff.ts';
import { until } from '../../kit/wait.ts';
import { names, testOneAddress } from './address_tests.ts';

/** One process that serves at one address a cell beside control, and a remote one. */
const address = await openCells(names, { remote: ['cell_b'] });
testOneAddress(address);

const { cells, baseUrl, apiOf, asOwner, shutOut } = address;
const [, second] = cells;
const there = apiOf(second.tenant);
const { tenantId } = second.tenant;

const personThere = () =>
  samplePerson({ call: openApi(baseUrl, '').call, service: second.service }, tenantId);

test('while the database of control is away Tenants of a remote cell are served on, and nobody signs in', async () => {
  const { pay, balance } = await openTill(there);
  const person = await personThere();
  await shutOut('cell_a', async () => {
    for (let paid = 0; paid < 10; paid += 1) await pay();
    expect(await balance()).toMatchObject({ available: 490_00 });
    const refused = await person.ask('GET', '/session');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
  await until(async () => (await person.ask('GET', '/session')).status === 200, {
    withinMs: 10_000,
  });
});

test('an act of a person in a remote cell and its row of the audit are done together or not at all', async () => {
  const person = await personThere();
  const put = (url: string) => person.ask('PUT', '/webhook-endpoint', { url, enabled: true });
  const acts = () =>
    asOwner(`select from control.audit where scope = '${tenantId}' and act = 'putWebhookEndpoint'`);
  const [one, other] = ['https://example.com/one', 'https://example.com/other'];
  expect((await put(one)).status).toBe(200);
  expect(await acts()).toHaveLength(1);
  const refusing = `check (act <> 'putWebhookEndpoint') not valid`;
  await asOwner(`alter table control.audit add constraint no_acts ${refusing}`);
  expect((await put(other)).status).toBe(500);
  await asOwner('alter table control.audit drop constraint no_acts');
  expect((await person.ask('GET', '/webhook-endpoint')).body.url).toBe(one);
  expect(await acts()).toHaveLength(1);
});

test('an API key of a Tenant in a remote cell is made and ended in control, by the engine of the platform', async () => {
  const { service } = second;
  expect(service.platformEngine).not.toBe(service.engine);
  expect(cells[0].service.platformEngine).toBe(cells[0].service.engine);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { name: 'Nightly reports', roles: ['reader'], expires_at };
  const made = await there.call('POST', '/portal/api/api-keys', { body });
  expect(made.status).toBe(201);
  const { id, key } = made.body;
  const listed = () => openApi(baseUrl, key).call('GET', '/portal/api/payments');
  expect((await listed()).status).toBe(200);
  const ended = await there.call('DELETE', `/portal/api/api-keys/${id}`);
  expect(ended.body).toMatchObject({ id, status: 'revoked' });
  const kept = await asOwner(`select tenant_id, revision from control.api_keys where id = '${id}'`);
  expect(kept).toEqual([{ tenant_id: platformId, revision: expect.any(Number) }]);
  const acts = await asOwner(
    `select act from control.audit where scope = '${tenantId}' and record = '${id}' order by number`,
  );
  expect(acts).toEqual([{ act: 'createApiKey' }, { act: 'revokeApiKey' }]);
});

test("a Tenant's command in a remote cell changes a row of the platform, and decides again where another has", async () => {
  const { engine, platformEngine } = second.service;
  const facts = {
    name: 'x',
    scope: tenantId,
    roles: ['reader'],
    personId: null,
    clientId: 'cl_x',
    madeBy: 'portal',
    expiresAt: '2100-01-01T00:00:00.000Z',
  } as const;
  const make = command('make', {
    load: async () => null,
    decide: (work) => ({ value: createKeyRow(work, facts).id }),
  });
  const id = JSON.parse((await engine.submit(make, { tenantId, input: {} })).body);
  const end = (at: string, meanwhile = async () => {}) =>
    command('end', {
      load: async (read) => {
        const row = await read.one(apiKeys, id);
        await meanwhile();
        return row;
      },
      decide: (work, row) => ({
        value: work.change<typeof apiKeys>(row, { revoked_at: row.revoked_at ?? at }).revoked_at,
      }),
    });
  const [early, late] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'];
  let isDone = false;
  const meanwhile = async () => {
    if (isDone) return;
    isDone = true;
    await platformEngine.submit(end(early), { tenantId: platformId, input: {} });
  };
  const { body } = await engine.submit(end(late, meanwhile), { tenantId, input: {} });
  expect(JSON.parse(body)).toBe(early);
});

test('the command line of a remote cell invites to its Tenant, and disables whom it has invited', async () => {
  const deployment = openDeployment({
    ...settingsOf(second),
    LOG_LEVEL: 'silent',
    CELLS: 'cell_b',
    DATABASE_URL: address.ownerUrl,
    MIGRATION_DATABASE_URL: address.ownerUrl,
    DATABASE_URL_CELL_B: address.owners.remote.get('cell_b') ?? '',
  });
  try {
    const email = 'mia@example.com';
    const given = { tenant: tenantId, email, roles: ['reader' as const] };
    const { link } = await members.invite(deployment, given);
    const { call } = openApi(baseUrl, '');
    const { browser, reply } = await enrol({ call, service: second.service }, link, 'Mia');
    expect(reply.body.session).toMatchObject({ scope: tenantId, roles: ['reader'] });
    await operators.disable(deployment, { email });
    expect((await browser.ask('GET', '/session')).status).toBe(401);
  } finally {
    await deployment.close();
  }
  const acts = await asOwner(
    `select scope, act from control.audit where actor_kind = 'command_line'
       and act in ('createInvitation', 'disablePerson') order by at`,
  );
  expect(acts).toEqual([
    { scope: tenantId, act: 'createInvitation' },
    { scope: 'platform', act: 'disablePerson' },
  ]);
});

test('a remote cell is migrated after control, and takes up what control has got since', async () => {
  const [control, remote] = [await blankDatabase(), await blankDatabase()];
  const url = inSchema(remote.url, 'cell_c');
  const migrateIt = () => migrate(url, { controlUrl: control.url });
  try {
    await expect(migrateIt()).rejects.toThrow(/control/);
    await migrate(control.url);
    const { applied } = await migrateIt();
    expect(applied).toContain('0001_baseline');
    expect((await migrateIt()).applied).toEqual([]);
    const [atControl, atRemote] = [await openClient(control.url), await openClient(url)];
    try {
      await atControl.query(`delete from control.migrations where name = '0001_baseline'`);
      await expect(migrateIt()).rejects.toThrow(/lacks migrations of this release: 0001_baseline/);
      await atControl.query(`insert into control.migrations (name) values ('0001_baseline')`);
      await atControl.query('alter table control.people add nickname text');
      await migrate(url, { controlUrl: `${control.url}&application_name=other` });
      await atRemote.query('select nickname from control.people');
    } finally {
      await atControl.end();
      await atRemote.end();
    }
  } finally {
    await remote.drop();
    await control.drop();
  }
});

test('an owner who is no superuser makes a remote cell once a superuser has made the extension', async () => {
  const [control, remote] = [await blankDatabase(), await blankDatabase()];
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const url = urlOfLogin(inSchema(remote.url, 'cell_c'), owner);
  const migrateIt = () => migrate(url, { controlUrl: control.serviceUrl });
  const admin = await openClient(remote.url);
  try {
    await migrate(control.url);
    const { pathname } = new URL(remote.url);
    await admin.query(`create role ${owner} login password '${owner}';
      alter database ${pathname.slice(1)} owner to ${owner}`);
    const refused = await migrateIt().catch((error: Error) => error.message);
    const [, statements = ''] =
      /as a superuser in the database of this cell: (.+)$/.exec(String(refused)) ?? [];
    await admin.query(statements);
    expect((await migrateIt()).applied).toContain('0001_baseline');
    const service = await openClient(inSchema(remote.serviceUrl, 'cell_c'));
    await service.query('set role tenant_payments_service');
    expect((await service.query('select from control.people')).rows).toEqual([]);
    await service.end();
  } finally {
    await admin.end();
    await remote.drop();
    await control.drop();
  }
});

test('a Tenant of a remote cell is suspended by two admins, in one command of its cell', async () => {
  const { service } = cells[0];
  const admins = [await staffActor(cells[0], 'admin'), await staffActor(cells[0], 'admin')];
  const [maker, approver] = admins.map((actor) => ({ actor, tenantId: '', db: service.db }));
  if (!maker || !approver) throw new Error('two admins are made');
  const { create, approve } = platformApprovals(service, cells[0].rails.messages);
  const asked = { resource: 'tenants', id: tenantId, move: 'suspend', note: 'a fraud' } as const;
  const { id } = await create(maker, asked);
  expect(await approve(approver, { id })).toMatchObject({ status: 'approved', link: null });
  const acts = await asOwner(
    `select act from control.audit where scope = 'platform' and record in ('${tenantId}', '${id}')
       and act <> 'createTenant' order by number`,
  );
  expect(acts).toEqual([
    { act: 'createPlatformApproval' },
    { act: 'suspendTenant' },
    { act: 'approvePlatformApproval' },
  ]);
  expect((await suspensionOf(second.service.db, tenantId)).suspended_reason).toBe('a fraud');
});
