import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { platformScope as platform } from '@tenant-payments/engine/platform.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type {
  AuditPerson,
  AuditRow,
  listAuditPeople as contract,
} from '../contract/operate/audit.ts';
import { scopesOf } from './scopes.ts';

/** Names beside ids, read when the audit is shown: its rows hold none (rules/audit#5). */

interface Acted {
  readonly actor_id: string;
  readonly person_id: string | null;
}

type Named = Pick<AuditRow['actor'], 'name' | 'email'>;
const unknown: Named = { name: null, email: null };

/** @returns the name of whoever is behind a row */
export async function actorNames(
  { db }: Pick<ReadContext, 'db'>,
  rows: readonly Acted[],
): Promise<(row: Acted) => Named> {
  const idOf = ({ person_id, actor_id }: Acted) => person_id ?? actor_id;
  const ids = [...new Set(rows.map(idOf))].filter(isUuid);
  if (ids.length === 0) return () => unknown;
  const { rows: people } = await sql<AuditPerson>`select id, name, email from control.people
    where id = any(${ids}::uuid[])`.execute(db);
  const known = new Map(people.map(({ id, name, email }) => [id, { name, email }]));
  return (row) => known.get(idOf(row)) ?? unknown;
}

/** @returns the name of the Tenant whose chain it is; null: of the platform's, or of a Tenant that is gone */
export async function tenantNames(
  { db }: Pick<ReadContext, 'db'>,
  scopes: readonly string[],
): Promise<(scope: string) => string | null> {
  const ids = [...new Set(scopes)].filter((scope) => scope !== platform);
  if (ids.length === 0) return () => null;
  const { rows } = await sql<{ tenant_id: string; name: string }>`select tenant_id, name
    from control.tenants where tenant_id = any(${ids}::uuid[])`.execute(db);
  const known = new Map(rows.map(({ tenant_id, name }) => [tenant_id, name]));
  return (scope) => known.get(scope) ?? null;
}

const most = 20;

/** GET /portal/api/audit/people: whoever has acted in these chains, by a part of name or address (rules/audit#23). */
export async function listAuditPeople(
  context: ReadContext,
  { scope, q = '' }: QueryOf<typeof contract>,
): Promise<Page<AuditPerson>> {
  const scopes = scopesOf(context, scope);
  const chains = typeof scopes === 'string' ? [scopes] : scopes;
  const { rows } = await sql<Omit<AuditPerson, 'object'>>`select p.id, p.name, p.email
    from control.people p
    where strpos(lower(p.name || ' ' || p.email), ${q.toLowerCase()}) > 0
      and exists (select 1 from control.audit a where a.person_id = p.id::text
        ${chains === null ? sql`` : sql`and a.scope = any(${chains as string[]})`})
    order by p.name, p.email limit ${most}`.execute(context.db);
  return wholeList(rows.map((row) => ({ object: 'audit_person', ...row })));
}
