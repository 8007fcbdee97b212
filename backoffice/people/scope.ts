import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { CompiledQuery, type Kysely } from 'kysely';

/** The scope of the platform's staff; every other one is the id of a Tenant (rules/sign-in#2). */
export const platform = 'platform';

/** In which scope an operation works whose input names a Tenant, or none. */
export type InScope = (input: { readonly tenantId: string }) => string;
export const ofTenant: InScope = ({ tenantId }) => tenantId;
export const ofPlatform: InScope = () => platform;

/** A transaction of Kysely, for what takes a connection. */
export const queryableOf = <DB>(tx: Kysely<DB>): Queryable => ({
  async query<Row>(text: string, values: unknown[] = []) {
    const { rows, numAffectedRows } = await tx.executeQuery<Row>(CompiledQuery.raw(text, values));
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
  },
});

export interface ScopeRow {
  readonly scope: string;
  /** Null: a Tenant of a cell that this process does not serve. */
  readonly name: string | null;
  readonly roles: Role[];
}

/** Everything that a person has a role in: the platform first, then the Tenants by name. */
export async function scopesOf(
  db: Queryable,
  personId: string,
  onlyScope: string | null = null,
): Promise<ScopeRow[]> {
  const { rows } = await db.query<ScopeRow>(
    `select r.scope, case r.scope when $2 then 'Platform' else t.name end as name, array_agg(r.role order by r.role) as roles
     from control.roles r
       left join control.served_tenants() t on t.tenant_id = case when r.scope <> $2 then r.scope::uuid end
     where r.person_id = $1 and ($3::text is null or r.scope = $3)
     group by r.scope, t.name order by r.scope <> $2, t.name, r.scope`,
    [personId, platform, onlyScope],
  );
  return rows;
}

type ScopeHere = ScopeRow & { readonly name: string };

/** The same without the Tenants of cells that this process does not serve (rules/cells#4). */
export async function scopesHere(...asked: Parameters<typeof scopesOf>): Promise<ScopeHere[]> {
  const scopes = await scopesOf(...asked);
  return scopes.filter((row): row is ScopeHere => row.name !== null);
}

/** `Platform`, or the Tenant's name. */
export async function nameOfScope(db: Queryable, scope: string): Promise<string> {
  if (scope === platform) return 'Platform';
  const { rows } = await db.query<{ name: string }>(
    'select name from control.served_tenants() where tenant_id = $1',
    [scope],
  );
  return rows[0]?.name ?? '';
}
