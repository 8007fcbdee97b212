import { openClient } from '@tenant-payments/engine/database/pool.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testSchema } from '../../test/kit/database/database_url.ts';
import { openServer } from '../../test/kit/server.ts';
import { migrate } from './migrate.ts';
import { openServiceLogin } from './service_login.ts';
import { makeServiceLogin, serviceRole } from './service_role.ts';

const server = await openServer({ workers: false, alone: true });

describe('a session of the service', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = await openClient((await openServiceLogin(server.serviceUrl)).url);
  });
  afterAll(() => client.end());

  const ownTables = ['entries', 'events', 'reviews', 'control.audit', 'control.audit_heads'];
  const changes = ownTables.flatMap((table) => [
    `update ${table} set ${table.startsWith('control.') ? 'hash = hash' : 'tenant_id = tenant_id'}`,
    `delete from ${table}`,
    `truncate ${table}`,
    `alter table ${table} disable trigger all`,
    `drop table ${table}`,
    `drop trigger ${table.replace('control.', '')}_append_only on ${table}`,
    `create trigger own before insert on ${table} for each row execute function refuse_change()`,
  ]);
  const others = [
    'update attempts set tenant_id = tenant_id',
    'insert into control.audit select * from control.audit',
    'insert into control.audit_heads select * from control.audit_heads',
    'alter function control.append_audit(jsonb) reset search_path',
    'delete from schema_migrations',
    'delete from database_identity',
    'create table own (a int)',
    'create schema own',
    `create or replace function refuse_change() returns trigger language plpgsql as
      $$ begin return null; end $$`,
    `create or replace function redact_events(uuid, uuid, integer) returns integer language sql as
      $$ select 1 $$`,
    'alter function redact_events(uuid, uuid, integer) reset search_path',
    "copy entries from program 'true'",
    "copy entries to '/tmp/tpay-entries'",
    "select pg_read_file('postgresql.conf')",
    "select lo_import('/etc/passwd')",
    'set session_replication_role = replica',
    'create role own superuser',
    `alter role ${serviceRole} createrole`,
    "alter system set fsync = 'off'",
    'create extension pg_stat_statements',
  ];
  // The login itself, as which a session is after each of these, may do no more than the role.
  const ways = ['select 1', 'set role none', 'reset role', 'reset session authorization'];
  test.each(ways)('may change nothing that was posted or decided after: %s', async (way) => {
    await client.query(way);
    for (const sql of [...changes, ...others])
      await expect(client.query(sql), sql).rejects.toThrow(
        /permission denied|must be (owner|superuser)|must have|Only roles with/,
      );
  });

  test.each(['entries', 'events', 'control.audit'])(
    'not even the owner changes what is in %s',
    async (table) => {
      await server.api.approved('individual');
      expect((await server.owner.query(`select from ${table} limit 1`)).rowCount).toBe(1);
      const [update, remove, empty] = changes.filter(
        (sql) => sql.endsWith(` ${table}`) || sql.includes(` ${table} set`),
      );
      for (const sql of [update, remove, empty])
        await expect(server.owner.query(sql ?? ''), sql).rejects.toThrow('is append-only');
    },
  );

  test.each(['set role postgres', 'set session authorization postgres'])(
    'becomes no other: %s',
    async (sql) => {
      await expect(client.query(sql)).rejects.toThrow('permission denied');
    },
  );

  test('removes no text of the last 400 days in production, whatever tables it makes', async () => {
    await server.api.approved('individual');
    await server.owner.query(
      "insert into database_identity values ('ENVIRONMENT', 'of this test', 'production')",
    );
    await client.query(`create temp table database_identity as select 1 as name, 2 as value;
      create temp table events as select * from ${testSchema}.events`);
    const all = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    const redact = () =>
      client.query('select redact_events($1, $2, 100) as count', [server.tenant.tenantId, all]);
    expect((await redact()).rows).toEqual([{ count: 0 }]);
    await server.owner.query("delete from database_identity where key_id = 'of this test'");
    const left = "select 1 from events where body <> ''";
    expect((await server.owner.query(left)).rowCount).toBeGreaterThan(0);
    await client.query('drop table database_identity, events');
  });
});

describe('a login that could change the ledger is told of, with the remedy in one line', () => {
  const login = `login_${server.tenant.tenantId.replaceAll('-', '')}`;
  let url: string;
  beforeEach(async () => {
    url = await makeServiceLogin(server.databaseUrl, login);
  });
  afterAll(async () => {
    await server.owner.query(`drop owned by ${login}; drop role ${login}`);
  });

  test.each([
    ['is a superuser', `alter role ${login} superuser`, 'select 1'],
    ['may make roles', `alter role ${login} createrole`, 'select 1'],
    ['may replicate', `alter role ${login} replication`, 'select 1'],
    [
      'is a member of pg_execute_server_program',
      `grant pg_execute_server_program to ${login}`,
      `revoke pg_execute_server_program from ${login}`,
    ],
    [
      'owns tables',
      `alter table chaos owner to ${login}`,
      `alter table chaos owner to current_user; revoke all on chaos from ${login}`,
    ],
    [
      'may make tables',
      `grant create on schema ${testSchema} to ${login}`,
      `revoke create on schema ${testSchema} from public, ${login}`,
    ],
    [
      'may change what is in entries',
      `grant update on entries to ${login}`,
      `revoke update, delete, truncate, trigger on entries from public, ${login}`,
    ],
  ])('it %s', async (is, deed, undo) => {
    await server.owner.query(deed);
    const { fault } = await openServiceLogin(url);
    await server.owner.query(undo);
    await migrate(server.databaseUrl);
    expect(fault).toContain(`the login ${login} ${is}`);
    expect(fault).toMatch(/^[^\n]+ Run( as the owner)?: (create role pay_service|revoke) [^\n]+$/);
    if (undo.startsWith('revoke') && !undo.includes('pg_')) expect(fault).toContain(undo);
  });

  test('one that may do none of it is not', async () => {
    expect(await openServiceLogin(url)).toEqual({ url: expect.any(String), fault: null });
    await server.owner.query(`revoke ${serviceRole} from ${login}`);
    await expect(openServiceLogin(url)).rejects.toThrow(
      `the login ${login} may not use the tables. Run: grant ${serviceRole} to ${login};`,
    );
  });
});
