import { randomBytes } from 'node:crypto';
import { withOptions } from '@tenant-payments/engine/database/cell.ts';
import { openClient } from '@tenant-payments/engine/database/pool.ts';
import type { Client } from 'pg';

/**
 * The database role of the service: it owns nothing, and adds to the tables below without changing a
 * row of them (rules/engine#21). Logins of the service are its members. Triggers refuse changes of
 * entries, events and reviews everywhere; the role keeps the service from dropping those triggers.
 */
export const serviceRole = 'tenant_payments_service';

/** The login that is made in the embedded server, with a new password at each start. */
const embeddedLogin = 'tenant_payments';

/** The schema of what belongs to no Tenant; its tables are named `control.…` (rules/engine#31). */
export const controlSchema = 'control';

/** SQL: the schemas that hold tables of ours; the second is null before its migration. */
export const ourSchemas = `(quote_ident(current_schema())::regnamespace, to_regnamespace('${controlSchema}'))`;

/** Every other table it reads, adds to, changes and deletes from. */
const fewerRights: Readonly<Record<string, readonly string[]>> = {
  attempts: ['insert', 'select'],
  attempts_readable: ['select'],
  'control.bank_statement_lines': ['insert', 'select'],
  'control.bank_statement_notes': ['insert', 'select'],
  'control.bank_statements': ['insert', 'select'],
  'control.access_records': ['insert', 'select'],
  // Only their function writes these two.
  'control.audit': ['select'],
  'control.audit_heads': ['select'],
  'control.calls': ['insert', 'select'],
  // An invitation that ends keeps its row.
  'control.invitations': ['insert', 'select', 'update'],
  'control.keyed_secrets': ['insert', 'select'],
  'control.known_rights': ['select'],
  'control.migrations': ['select'],
  'control.moves': ['select', 'update'],
  'control.people': ['insert', 'select', 'update'],
  'control.role_grants': ['insert', 'select', 'update'],
  database_identity: ['insert', 'select'],
  departures: ['select'],
  entries: ['insert', 'select'],
  events: ['insert', 'select'],
  events_readable: ['select'],
  further_attempts: ['insert', 'select'],
  further_attempts_readable: ['select'],
  ledger_checkpoint_accounts: ['insert', 'select'],
  ledger_checkpoints: ['insert', 'select'],
  legal_texts: ['insert', 'select'],
  replies_readable: ['select'],
  requests_readable: ['select'],
  review_notes: ['insert', 'select'],
  reviews: ['insert', 'select'],
  schema_migrations: ['select'],
  stored_words: ['select'],
};
const allRights = ['delete', 'insert', 'select', 'update'];

/** SQL: tables, views, and tables of another server. */
const relations = `('r', 'p', 'v', 'f')`;

/** Two deployments on one server may make it at the same time. */
const create = `do $$ begin create role ${serviceRole} nologin;
  exception when duplicate_object or unique_violation then null; end $$`;

const enter = `do $$ begin
  execute format('grant usage on schema %I to ${serviceRole}', current_schema());
  if to_regnamespace('${controlSchema}') is not null
  then grant usage on schema ${controlSchema} to ${serviceRole}; end if; end $$`;

/** The rights of the database's user over the role. */
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

/** The tables of this user that the role has other rights on than it should have. */
async function wronglyGranted(client: Client): Promise<{ name: string; rights: string }[]> {
  const { rows } = await client.query<{ name: string; table: string; has: string }>(
    `select case c.relnamespace when to_regnamespace('${controlSchema}') then '${controlSchema}.' else '' end
         || c.relname as name, c.oid::regclass::text as table, coalesce((
         select string_agg(lower(a.privilege_type), ',' order by lower(a.privilege_type))
         from aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee where r.rolname = $1), '') as has
     from pg_class c
     where c.relnamespace in ${ourSchemas} and c.relkind in ${relations}
       and pg_has_role(current_user, c.relowner, 'usage')`,
    [serviceRole],
  );
  return rows.flatMap(({ name, table, has }) => {
    const wanted = fewerRights[name] ?? allRights;
    return has === wanted.join() ? [] : [{ name: table, rights: wanted.join(', ') }];
  });
}

/** Functions that work as the owner, and that the role may call. */
const calls = `do $$ declare called regprocedure; begin
  foreach called in array array[to_regprocedure('redact_events(uuid, uuid, integer)'),
    to_regprocedure('${controlSchema}.append_audit(jsonb)')] loop
    if called is not null and not has_function_privilege('${serviceRole}', called, 'execute')
    then execute format('grant execute on function %s to ${serviceRole}', called); end if;
  end loop; end $$`;

/**
 * Makes the role if the database's user may; if not, the operator of the database can make it.
 * @returns whether there is one
 */
export async function makeServiceRole(client: Client): Promise<boolean> {
  const { exists, may_create, may_grant } = await rightsOf(client);
  if (!exists && !may_create) return false;
  if (!exists) await client.query(create);
  if ((!exists || may_grant) && !(await mayTake(client)))
    await client.query(`grant ${serviceRole} to current_user`);
  return true;
}

/** Makes the role if it can, and gives it its rights on the present tables. */
export async function prepareServiceRole(client: Client): Promise<void> {
  if (!(await makeServiceRole(client))) return;
  const tables = await wronglyGranted(client);
  if (tables.length > 0) await client.query(`${enter}; ${calls}`);
  for (const { name, rights } of tables)
    await client.query(
      `revoke all on ${name} from ${serviceRole}; grant ${rights} on ${name} to ${serviceRole}`,
    );
}

/**
 * Makes the service's own login, a member of the role and nothing else. It may run beside the first
 * migration: whichever comes first makes the role.
 * @returns the login's url
 */
export async function makeServiceLogin(ownersUrl: string, login = embeddedLogin): Promise<string> {
  const url = new URL(ownersUrl);
  url.username = login;
  url.password = randomBytes(32).toString('hex');
  const client = await openClient(ownersUrl);
  try {
    await client.query(`${create};
      do $$ begin create role ${login};
        exception when duplicate_object or unique_violation then null; end $$;
      alter role ${login} login nosuperuser nocreaterole nocreatedb noreplication nobypassrls
        password '${url.password}';
      grant ${serviceRole} to ${login}`);
  } finally {
    await client.end();
  }
  return url.href;
}

/**
 * @param client a connection as the service's login
 * @returns whether its sessions may be that role from their first statement on
 */
export async function takesRole(client: Client): Promise<boolean> {
  if (!(await mayTake(client))) return false;
  const { rows } = await client.query<{ ready: boolean }>(
    `select bool_and(has_table_privilege($1, oid, 'select')) as ready from pg_class
     where relkind in ${relations} and relnamespace in ${ourSchemas}
       and relowner = (select relowner from pg_class where oid = to_regclass('schema_migrations'))`,
    [serviceRole],
  );
  return rows[0]?.ready ?? false;
}

/** For the rest of the session. */
export const takeRole = (client: Client) => client.query(`set role ${serviceRole}`);

/** The same database, for sessions that are the role from their first statement on. */
export const asServiceRole = (url: string): string => withOptions(url, `-c role=${serviceRole}`);
