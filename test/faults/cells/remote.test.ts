import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { inSchema } from '../../../engine/database/cell.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { openApi } from '../../kit/api.ts';
import { openCells, openTill } from '../../kit/cells.ts';
import { blankDatabase } from '../../kit/database/database.ts';
import { urlOfLogin } from '../../kit/database/database_url.ts';
import { samplePerson } from '../../kit/people.ts';
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

test('a remote cell is migrated after control, and takes up what control has got since', async () => {
  const [control, remote] = [await blankDatabase(), await blankDatabase()];
  const url = inSchema(remote.url, 'cell_c');
  const migrateIt = () => migrate(url, { controlUrl: control.url });
  try {
    await expect(migrateIt()).rejects.toThrow(/control/);
    await migrate(control.url);
    const { applied } = await migrateIt();
    expect(applied).toContain('0001_foundation');
    expect((await migrateIt()).applied).toEqual([]);
    const [atControl, atRemote] = [await openClient(control.url), await openClient(url)];
    try {
      await atControl.query(`delete from control.migrations where name = '0038_audit'`);
      await expect(migrateIt()).rejects.toThrow(/lacks migrations of this release: 0038_audit/);
      await atControl.query(`insert into control.migrations (name) values ('0038_audit')`);
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
    expect((await migrateIt()).applied).toContain('0075_remote_cells');
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
