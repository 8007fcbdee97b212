import type { Client } from 'pg';
import { openClient, withOptions } from './pool.ts';

/**
 * The database role of the service, without UPDATE and DELETE on entries and events (rules/engine#21).
 * It is used where the database's user may make roles, or finds this one. A trigger refuses both
 * everywhere; the role keeps the service from dropping that trigger.
 */
export const serviceRole = 'tenant_payments_service';

/** Every other table it reads, adds to, changes and deletes from. */
const fewerRights: Readonly<Record<string, string>> = {
  entries: 'select, insert',
  events: 'select, insert',
  schema_migrations: 'select',
};
const allRights = 'select, insert, update, delete';

/** Two deployments on one server may make it at the same time. */
const create = `do $$ begin create role ${serviceRole} nologin;
  exception when duplicate_object or unique_violation then null; end $$`;

const enter = `do $$ begin
  execute format('grant usage on schema %I to ${serviceRole}', current_schema()); end $$`;

/** What the database's user may do about the role. */
interface RoleRights {
  readonly exists: boolean;
  readonly may_create: boolean;
  readonly may_grant: boolean;
}

async function rightsOf(client: Client): Promise<RoleRights> {
  const { rows } = await client.query<RoleRights>(
    `select r.oid is not null as exists, u.rolsuper or u.rolcreaterole as may_create,
       coalesce(pg_has_role(u.oid, r.oid, 'member with admin option'), false) as may_grant
     from pg_roles u left join pg_roles r on r.rolname = $1 where u.rolname = current_user`,
    [serviceRole],
  );
  const [rights] = rows;
  if (!rights) throw new Error('the user of the database is one of its roles');
  return rights;
}

/** Whether this session may take the role; before PostgreSQL 16 every member might. */
async function mayTake(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_has_role(current_user, rolname,
       case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end)
       as may
     from pg_roles where rolname = $1`,
    [serviceRole],
  );
  return rows[0]?.may ?? false;
}

/** Tables that the role has no rights on yet. */
async function ungranted(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
       and pg_has_role(current_user, relowner, 'usage') and not has_table_privilege($1, oid, 'select')`,
    [serviceRole],
  );
  return rows.map(({ name }) => name);
}

/**
 * Makes the role if the database's user may, and grants it rights on the present tables. If the user
 * may not, the operator of the database can make the role and grant it to that user.
 */
export async function prepareServiceRole(client: Client): Promise<void> {
  const { exists, may_create, may_grant } = await rightsOf(client);
  if (!exists && !may_create) return;
  if (!exists) await client.query(create);
  if ((!exists || may_grant) && !(await mayTake(client)))
    await client.query(`grant ${serviceRole} to current_user`);
  const tables = await ungranted(client);
  if (tables.length > 0) await client.query(enter);
  for (const table of tables)
    await client.query(`grant ${fewerRights[table] ?? allRights} on ${table} to ${serviceRole}`);
}

/** @returns the url for connections that are that role from their first statement on, if they may */
export async function serviceUrl(url: string): Promise<string> {
  const client = await openClient(url);
  try {
    const isReady = (await mayTake(client)) && (await ungranted(client)).length === 0;
    return isReady ? withOptions(url, `-c role=${serviceRole}`) : url;
  } finally {
    await client.end();
  }
}
