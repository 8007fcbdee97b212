import { openClient } from '@tenant-payments/engine/database/pool.ts';
import type { Client } from 'pg';
import { asServiceRole, ourSchemas, serviceRole, takesRole } from './service_role.ts';

/** A right that the service's login must not have, and the statement that takes it away. */
interface Excess {
  readonly login: string;
  readonly is: string;
  readonly mend: string | null;
}

/** The roles that give the files of the server, its programs or every table to whoever is a member. */
const strongRoles = [
  'pg_execute_server_program',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_write_all_data',
];
const appendOnly = ['entries', 'events', 'reviews', 'control.audit', 'control.audit_heads'];

/**
 * The excess rights of this session's login, its own or by any role that it is a member of, however far away: `set role
 * none` and `set role` gain no more than this.
 */
const excessSql = `
  with login as (select oid, rolname from pg_roles where rolname = session_user),
    reach as (select r.* from pg_roles r cross join login l where pg_has_role(l.oid, r.oid, 'member')),
    schemas as (select oid, nspname, nspowner from pg_namespace where oid in ${ourSchemas}),
    ours as (select c.oid, c.relowner, n.nspname, c.relname,
        case n.nspname when current_schema() then '' else n.nspname || '.' end || c.relname as name
      from pg_class c join schemas n on n.oid = c.relnamespace where c.relkind in ('r', 'p')),
    found (place, "is", mend) as (
      select 1, 'is a superuser, or may become ' || rolname, null from reach where rolsuper
      union all select 2, 'may make roles', null from reach where rolcreaterole
      union all select 3, 'may replicate the database', null from reach where rolreplication
      union all select 4, format('is a member of %s', rolname), null from reach
        where rolname = any ($1)
      union all select 5, 'owns tables, or may become their owner', null from ours
        where relowner in (select oid from reach)
      union all select 6, 'owns the database or its schema, or may become their owner', null
        from pg_database d cross join schemas n
        where d.datname = current_database()
          and (d.datdba in (select oid from reach) or n.nspowner in (select oid from reach))
      union all select 7, 'may make tables and functions', format(
          'revoke create on schema %I from public, %I', nspname, login.rolname)
        from login cross join schemas where has_schema_privilege(login.oid, schemas.oid, 'create')
      union all select 8, format('may change what is in %s', name), format(
          'revoke update, delete, truncate, trigger on %s from public, %I', ours.oid::regclass, login.rolname)
        from ours cross join login where name = any ($2)
          and has_table_privilege(login.oid, ours.oid, 'update, delete, truncate, trigger'))
  select login.rolname as login, "is", mend from found cross join login order by place limit 1`;

async function excessOf(client: Client): Promise<Excess | undefined> {
  return (await client.query<Excess>(excessSql, [strongRoles, appendOnly])).rows[0];
}

/** The operator's remedy, in one line. */
function faultOf({ login, is, mend }: Excess): string {
  const remedy = mend
    ? `Run as the owner: ${mend};`
    : `Run: create role pay_service login password '…' in role ${serviceRole}; ` +
      'and name that login in DATABASE_URL, this one in MIGRATION_DATABASE_URL.';
  return `the login ${login} ${is}, so the ledger is not safe from it. ${remedy}`;
}

/**
 * @param client a connection as the login that the service is given
 * @returns the url for all connections of the service
 * @throws when it is no login of it
 */
export async function serviceUrl(client: Client, url: string): Promise<string> {
  if (await takesRole(client)) return asServiceRole(url);
  if (await excessOf(client)) return url;
  const { rows } = await client.query<{ login: string }>(
    'select quote_ident(session_user) as login',
  );
  throw new Error(
    `the login ${rows[0]?.login} may not use the tables. Run: grant ${serviceRole} to ${rows[0]?.login};`,
  );
}

/** Why the ledger is not safe from this login (rules/security#21), with its remedy; null when it is. */
export async function loginFault(client: Client): Promise<string | null> {
  const excess = await excessOf(client);
  return excess ? faultOf(excess) : null;
}

/** Looks at a login. @throws when it is none of the service's */
export async function openServiceLogin(
  loginUrl: string,
): Promise<{ readonly url: string; readonly fault: string | null }> {
  const client = await openClient(loginUrl);
  try {
    const url = await serviceUrl(client, loginUrl);
    return { url, fault: await loginFault(client) };
  } finally {
    await client.end();
  }
}
