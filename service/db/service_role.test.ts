import { randomBytes } from 'node:crypto';
import { inSchema } from '@tenant-payments/engine/database/cell.ts';
import { openClient } from '@tenant-payments/engine/database/pool.ts';
import { expect, test } from 'vitest';
import { blankDatabase, type TestDatabase } from '../../test/kit/database/database.ts';
import { testSchema, urlOfLogin } from '../../test/kit/database/database_url.ts';
import { openServer, startTestServer } from '../../test/kit/server.ts';
import { migrate } from './migrate.ts';
import { openServiceLogin } from './service_login.ts';
import { serviceRole } from './service_role.ts';

const serviceUrl = async (url: string) => (await openServiceLogin(url)).url;

const server = await openServer({ workers: false, alone: true });

const tables = `select oid::regclass::text as name from pg_class
  where relnamespace in (current_schema()::regnamespace, 'control'::regnamespace) and relkind in ('r', 'p')
  order by 1`;

test('the service uses its role, which may read every table', async () => {
  const { pool } = server.service;
  expect((await pool.query('select current_user as is')).rows).toEqual([{ is: serviceRole }]);
  const { rows } = await pool.query<{ name: string }>(tables);
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.map(({ name }) => name)).toContain('control.people');
  for (const { name } of rows) await pool.query(`select from ${name} limit 0`);
});

test('the engine uses that role too', async () => {
  await server.owner.query(`create function as_role() returns trigger language plpgsql as $$ begin
    if current_user <> '${serviceRole}' then raise exception 'written by %', current_user; end if;
    return new; end $$`);
  await server.owner.query(
    'create trigger as_role before insert on events execute function as_role()',
  );
  const { status } = await server.call('POST', '/v1/customers', {
    key: 'as-role',
    body: {
      type: 'individual',
      external_ref: 'x',
      email: 'a@example.com',
      mobile_number: '+12125550100',
    },
  });
  expect(status).toBe(201);
});

/** A database whose owner may log in and nothing more, but for what `rights` say. */
async function asOwner(
  rights: string,
  work: (url: string, database: TestDatabase) => Promise<void>,
): Promise<void> {
  const database = await blankDatabase();
  const admin = await openClient(database.url);
  const name = `owner_${randomBytes(4).toString('hex')}`;
  try {
    await admin.query(`create role ${name} login password 'secret' ${rights};
      grant usage, create on schema ${testSchema} to ${name} with grant option`);
    await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${name}`);
    const url = new URL(database.url);
    url.username = name;
    url.password = 'secret';
    await work(url.href, database);
  } finally {
    await admin.query(`reassign owned by ${name} to current_user; drop owned by ${name}`);
    await admin.end();
    await database.drop();
    const last = await openClient(server.owner.options.connectionString ?? '');
    await last.query(`drop role ${name}`);
    await last.end();
  }
}

test.each(['nocreaterole', 'createrole'])(
  'an owner (%s) who may not take the role works as itself until it is granted',
  async (rights) => {
    await asOwner(rights, async (url, database) => {
      await migrate(url);
      expect(await serviceUrl(url)).toBe(url);
      const admin = await openClient(database.url);
      await admin.query(`grant ${serviceRole} to ${new URL(url).username}`);
      await admin.end();
      const client = await openClient(await serviceUrl(url));
      await expect(client.query('delete from entries')).rejects.toThrow('permission denied');
      expect((await client.query('delete from jobs')).rowCount).toBe(0);
      await client.end();
    });
  },
);

test('a login that may not create a schema is told what to run, and then migrates', async () => {
  const database = await blankDatabase();
  const admin = await openClient(database.url);
  const name = `owner_${randomBytes(4).toString('hex')}`;
  await admin.query(
    `create role ${name} login password 'secret'; grant usage, create on schema ${testSchema} to ${name}`,
  );
  const url = new URL(database.url);
  url.username = name;
  url.password = 'secret';
  const remedy = `create schema control authorization ${name}`;
  await expect(migrate(url.href)).rejects.toThrow(remedy);
  await admin.query(remedy);
  await migrate(url.href);
  const ofCell = `create schema cell_b authorization ${name}`;
  await expect(migrate(inSchema(url.href, 'cell_b'))).rejects.toThrow(ofCell);
  await admin.query(ofCell);
  expect((await migrate(inSchema(url.href, 'cell_b'))).applied).toContain('0001_baseline');
  await admin.end();
  const client = await openClient(await serviceUrl(database.url));
  await client.end();
  const last = await openClient(database.url);
  await last.query(
    `reassign owned by ${name} to current_user; drop owned by ${name}; drop role ${name}`,
  );
  await last.end();
  await database.drop();
});

test('a service works in a schema of any name, also beside another cell, with control in common', async () => {
  const database = await blankDatabase();
  const owner = await openClient(database.url);
  await owner.query('create schema cell_own');
  const url = inSchema(database.url.replace(/[?&]options=[^&]*/, ''), 'cell_own');
  const first = await migrate(database.url);
  expect(await migrate(url)).toEqual(first);
  expect(await migrate(url)).toEqual({ applied: [] });
  const client = await openClient(await serviceUrl(url));
  await expect(client.query('delete from entries')).rejects.toThrow('permission denied');
  expect((await client.query('delete from jobs')).rowCount).toBe(0);
  const ofTables = `select count(*)::integer as count, count(*) filter (where relpersistence = 'u')::integer
    as unlogged from pg_class where relkind = 'r' and relnamespace = $1::regnamespace`;
  const cells = [testSchema, 'cell_own'].map((name) => owner.query(ofTables, [name]));
  const [{ rows: usual } = { rows: [] }, { rows: own } = { rows: [] }] = await Promise.all(cells);
  expect(own[0].count).toBe(usual[0].count);
  expect(own[0].unlogged).toBe(0);
  const login = urlOfLogin(url, new URL(database.serviceUrl).username);
  const cell = await startTestServer({
    database: { url, serviceUrl: login, drop: async () => {} },
  });
  const [payer, payee] = [
    await cell.api.funded('individual', 50_00),
    await cell.api.approved('business'),
  ];
  await cell.api.confirmed(await cell.api.pay(payer, payee, 20_00));
  await cell.stop();
  expect((await owner.query(`select from ${testSchema}.tenants`)).rowCount).toBe(0);
  expect((await client.query('select from payments')).rowCount).toBe(1);
  // Nothing in control rests on the first cell.
  await owner.query(`drop schema ${testSchema} cascade`);
  expect((await client.query('select from control.people')).rowCount).toBe(1);
  await expect(owner.query('truncate control.audit')).rejects.toThrow('append-only');
  await client.end();
  await owner.end();
  await database.drop();
});

test('the service may use a later table from the next start on', async () => {
  const database = await blankDatabase();
  await migrate(database.url);
  const owner = await openClient(database.url);
  await owner.query('create table later (a int)');
  expect(await serviceUrl(database.url)).toBe(database.url);
  await migrate(database.url);
  const client = await openClient(await serviceUrl(database.url));
  expect((await client.query('insert into later values (1)')).rowCount).toBe(1);
  await client.end();
  await owner.end();
  await database.drop();
});
