import { expect, test } from 'vitest';
import { MIGRATIONS, readMigrations } from '../../service/db/migration_files.ts';
import { classOf, migrationFaults } from '../../service/db/migration_rules.ts';

const online = '-- class: online\n';
const faultsOf = (sql: string) => migrationFaults('0002_probe', sql);

test('no migration of this release stops the release before, which runs beside it', async () => {
  const found = (await readMigrations(MIGRATIONS)).flatMap(({ name, sql }) =>
    migrationFaults(name, sql).map((fault) => `${name}: ${fault}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['alter table payments alter column description type varchar', 'rewrites the table: a type'],
  ['alter table payments alter column amount set data type numeric', 'rewrites the table: a type'],
  [
    'alter table payments add column x bigint generated always as (amount * 2) stored',
    'rewrites the table: a stored',
  ],
  [
    'alter table payments add column x uuid not null default gen_random_uuid()',
    'rewrites the table: a default',
  ],
  ['alter table requests set logged', 'rewrites the table'],
  ['vacuum full payments', 'rewrites the table'],
  ['alter table payments add column x integer not null', 'needs a value'],
  ['alter table payments alter column description set not null', 'reads the whole table'],
  ['alter table payments add constraint x check (amount < 5)', 'reads the whole table'],
  ['alter table payments add constraint x unique (tenant_id, amount)', 'reads the whole table'],
  ['alter table payments rename column amount to cents', 'renames'],
  ['alter table payments rename to paid', 'renames'],
  ["alter type event_type rename value 'a' to 'b'", 'renames'],
  ['alter table payments drop column description', 'drops'],
  ['alter table payments drop constraint payments_amount_check', 'drops'],
  ['drop table payments', 'drops'],
  ['drop index payments_open', 'drops'],
  ['create index x on payments (tenant_id, amount)', 'locks the table while an index is made'],
  ['create unique index x on payments (tenant_id, amount)', 'locks the table while an index'],
  ['update payments set amount = 1', 'changes rows'],
  ['delete from payments', 'changes rows'],
  ['insert into jobs (tenant_id) select tenant_id from tenants', 'changes rows'],
  ['with x as (select 1) update payments set amount = 1', 'changes rows'],
  ['truncate requests', 'changes rows'],
  ['lock table payments in exclusive mode', 'locks a table'],
])('a migration with "%s" is refused', (sql, fault) => {
  const [only, ...more] = faultsOf(`${online}${sql};`);
  expect(only).toContain(fault);
  expect(more).toEqual([]);
});

test.each([
  'alter table payments add column x integer',
  "alter table payments add column x text not null default ''",
  "alter table payments add column x timestamptz not null default now(), add column y jsonb default '{}'",
  'alter table payments add constraint x check (amount < 5) not valid',
  'alter table payments validate constraint x',
  'alter table payments add constraint x unique using index y',
  'create index concurrently x on payments (tenant_id, amount)',
  'drop index concurrently x',
  'create table added (a integer); create index x on added (a); insert into added (a) select 1',
  'create index x on webhook_endpoints (tenant_id)',
  "alter type event_type add value 'x.y'",
  'create or replace function f() returns integer language sql as $$ select 1 $$',
])('a migration with "%s" goes beside the release before', (sql) =>
  expect(faultsOf(`${online}${sql};`)).toEqual([]),
);

test('an exception is a line with its class and its reason, of one statement alone', () => {
  const drop = 'alter table payments drop column x;\n';
  const line = (of: string) => `-- exception (${of}): 1.2.0 has stopped reading it\n`;
  const locks = '-- class: locks payments, for less than 10 ms\n';
  expect(faultsOf(`${locks}${line('locks')}${drop}`)).toEqual([]);
  expect(faultsOf(`${locks}${line('locks')}${drop}${drop}`)).toHaveLength(1);
  expect(faultsOf(`${locks}${line('stop first')}${drop}`)).toHaveLength(1);
  expect(faultsOf(`${locks}${line('locks')}create table added (a integer);`)).toHaveLength(1);
});

test('a migration says its class, and one that locks which table and for how long', () => {
  const sql = 'create table added (a integer);';
  expect(faultsOf(sql)).toHaveLength(1);
  expect(faultsOf(`-- class: locks\n${sql}`)).toHaveLength(1);
  expect(faultsOf(`-- class: soon\n${sql}`)).toHaveLength(1);
  expect(faultsOf(`${online}${sql}`)).toEqual([]);
  expect(classOf('0002_x', `-- class: locks payments, for 20 ms\n${sql}`)).toEqual({
    class: 'locks',
    detail: 'payments, for 20 ms',
  });
});

test('an index that is made concurrently is a migration of its own', () => {
  const index = 'create index concurrently x on payments (tenant_id);\n';
  expect(faultsOf(`${online}${index}${index}`)).toEqual([]);
  expect(faultsOf(`${online}${index}create table added (a integer);`)).toHaveLength(1);
});
