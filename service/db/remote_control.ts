import { createHash } from 'node:crypto';
import { libpqHosts, otherHosts } from '@tenant-payments/engine/database/hosts.ts';
import type { Client } from 'pg';
import { controlSchema, makeServiceRole, serviceRole } from './service_role.ts';

/** The foreign server of a database whose schema control is another one's (rules/cells#21). */
const foreignServer = 'tenant_payments_control';

/** The setting of a transaction whose tables are made here alone, also where this is a node of Citus. */
export const onThisNode = 'set local citus.enable_ddl_propagation = off';

/** Sessions there end soon after a server that is gone, and are the service's role from their begin on. */
const sessionOptions = {
  connect_timeout: '5',
  keepalives_idle: '10',
  keepalives_interval: '5',
  keepalives_count: '3',
  options: `-c role=${serviceRole}`,
};

/** The parts of an address as libpq's options; its query holds more of them, such as sslmode. */
function optionsOf(controlUrl: string): Readonly<Record<string, string>> {
  const { hostname, port, pathname, searchParams } = new URL(controlUrl);
  const { [otherHosts]: _, ...given } = Object.fromEntries(searchParams);
  return {
    ...(hostname !== '' && { host: hostname }),
    port: port || '5432',
    dbname: decodeURIComponent(pathname.slice(1)),
    ...given,
    ...libpqHosts(controlUrl),
    ...sessionOptions,
  };
}

/** The functions of control: a call is a row that is inserted into a view of the other server. */
const calling = `
  create function control.append_audit(entries jsonb) returns setof control.audit
  language sql set search_path = pg_catalog, pg_temp as $$
    with answer as (
      insert into control.calls (name, arguments) values ('append_audit', entries) returning rows)
    select r.* from answer, jsonb_populate_recordset(null::control.audit, answer.rows) r $$;
  create function control.lock(key bigint) returns void
  language sql set search_path = pg_catalog, pg_temp as $$
    insert into control.calls (name, arguments) values ('lock', to_jsonb(key)) $$;
  create function control.served_tenants()
  returns table (tenant_id uuid, name text, suspended_at timestamptz)
  language sql stable as $$
    select t.tenant_id, t.name, t.suspended_at from control.tenants t
    where t.cell = any (string_to_array(
      coalesce(nullif(current_setting('tenant_payments.cells', true), ''), current_schema()), ',')) $$`;

/** The statements that would give the login what it needs and lacks; null: nothing. */
const lackingSql = `select case
    when x.oid is not null and has_foreign_data_wrapper_privilege('postgres_fdw', 'usage') then null
    when u.rolsuper then null
    else format('create schema if not exists ${controlSchema} authorization %1$s; '
      'create extension if not exists postgres_fdw schema ${controlSchema}; '
      'grant usage on foreign data wrapper postgres_fdw to %1$s;', quote_ident(current_user)) end as lacking
  from pg_roles u left join pg_extension x on x.extname = 'postgres_fdw' where u.rolname = current_user`;

/** @throws one line where only a superuser can */
async function makeExtension(client: Client): Promise<void> {
  const { rows } = await client.query<{ lacking: string | null }>(lackingSql);
  const lacking = rows[0]?.lacking;
  if (lacking)
    throw new Error(
      `The login may not use postgres_fdw. Run as a superuser in the database of this cell: ${lacking}`,
    );
  await client.query(`create schema if not exists ${controlSchema};
    create extension if not exists postgres_fdw with schema ${controlSchema}`);
}

/** The roles of the service and of the owner who migrates. */
const roles = [serviceRole, 'current_user'] as const;

/** A login there may have another password than before. */
async function nameLogin(client: Client, controlUrl: string): Promise<void> {
  const { username, password } = new URL(controlUrl);
  const text = (value: string) => client.escapeLiteral(decodeURIComponent(value));
  for (const role of roles)
    await client.query(`alter user mapping for ${role} server ${foreignServer}
      options (set user ${text(username)}, set password ${text(password)})`);
}

/** Replaces everything, so that a statement sees the old tables or the new ones. */
async function makeServer(client: Client, controlUrl: string): Promise<void> {
  const options = Object.entries(optionsOf(controlUrl)).map(
    ([name, value]) => `${client.escapeIdentifier(name)} ${client.escapeLiteral(value)}`,
  );
  // Citus makes some of what the coordinator has in control on its other nodes too.
  await client.query(`drop server if exists ${foreignServer} cascade;
    drop view if exists control.calls;
    drop function if exists control.append_audit, control.lock, control.served_tenants, control.answer_call`);
  await client.query(`create server ${foreignServer} foreign data wrapper postgres_fdw
    options (${options.join(', ')})`);
  for (const role of roles)
    await client.query(`create user mapping for ${role} server ${foreignServer}
      options (user '', password '')`);
  await nameLogin(client, controlUrl);
  await client.query(`import foreign schema ${controlSchema} from server ${foreignServer}
    into ${controlSchema} options (import_default 'true')`);
  await client.query(calling);
}

/** The server, without its password, and what its tables were when they were made here. */
function markOf(controlUrl: string, names: readonly string[]): string {
  const made = JSON.stringify([optionsOf(controlUrl), names, calling]);
  return createHash('sha256').update(made).digest('hex');
}

async function markIn(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>(
    `select obj_description(oid, 'pg_foreign_server') as mark
     from pg_foreign_server where srvname = '${foreignServer}'`,
  );
  return rows[0]?.mark ?? null;
}

/** @throws where control has not had all migrations of this release */
async function proveMigrated(client: Client, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select name from control.migrations`);
  const done = new Set(rows.map(({ name }) => name));
  const missing = names.filter((name) => !done.has(name));
  if (missing.length > 0)
    throw new Error(
      `The schema control lacks migrations of this release: ${missing.join(', ')}. ` +
        'Migrate the cells of its own database first.',
    );
}

/**
 * Makes the schema control of another database the one of this database, where it is not yet, or has
 * changed. Inside a transaction, before the migrations of a cell.
 * @param client the owner of the cells of this database
 * @param controlUrl control's database as this server reaches it, by a login of the service
 * @param names of all migrations of this release
 * @throws one line where it cannot be reached, or waits for migrations
 */
export async function prepareRemoteControl(
  client: Client,
  controlUrl: string,
  names: readonly string[],
): Promise<void> {
  await client.query(onThisNode);
  await makeExtension(client);
  await makeServiceRole(client);
  const mark = markOf(controlUrl, names);
  if ((await markIn(client)) === mark) await nameLogin(client, controlUrl);
  else {
    await makeServer(client, controlUrl);
    await client.query(`comment on server ${foreignServer} is '${mark}'`);
  }
  await proveMigrated(client, names);
}
