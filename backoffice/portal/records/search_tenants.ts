import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { AccessNotes } from '@tenant-payments/service/http/files/access.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { noteTenants } from '../../access/note_tenants.ts';
import {
  searchTenants as contract,
  maximumHits,
  maximumOfKind,
  type TenantHit,
} from '../../contract/records/search.ts';
import { ownTenant } from '../../own_tenant.ts';
import { findsPeople, hitsIn } from './search.ts';

interface Tenant {
  readonly tenant_id: string;
  readonly name: string;
  readonly suspended_at: TenantHit['at'];
}

/** A Tenant itself, found by its name or id. */
const hitOf = ({ tenant_id, name, suspended_at }: Tenant): TenantHit => ({
  id: tenant_id,
  resource: 'tenant',
  party: null,
  other: null,
  label: name,
  institution_name: null,
  amount: null,
  status: suspended_at === null ? 'active' : 'suspended',
  at: null,
  title: name,
  tenant_id,
  tenant_name: name,
});

/** The hits of one cell that the caller may see. */
async function inCell(context: ReadContext, text: string): Promise<TenantHit[]> {
  const { db } = context;
  const own = ownTenant(context);
  const { rows } = await sql<Tenant>`select tenant_id, name, suspended_at from tenants
    where ${own === null ? sql`true` : sql`tenant_id = ${own}`} order by name`.execute(db);
  const small = text.toLowerCase();
  const named = rows.filter(
    ({ tenant_id, name }) => tenant_id === small || name.toLowerCase().includes(small),
  );
  const tenants = new Map(rows.map((tenant) => [tenant.tenant_id, tenant.name]));
  const isAllowed = findsPeople(context);
  const found = await hitsIn({ db, tenants: [...tenants.keys()], text, isAllowed });
  return [
    ...named.slice(0, maximumOfKind).map(hitOf),
    ...found.map(({ tenantId, hit }) => ({
      ...hit,
      tenant_id: tenantId,
      tenant_name: tenants.get(tenantId) ?? '',
    })),
  ];
}

/** GET /portal/api/search/tenants: the Tenants, and the records of all of them (rules/portal-records#13). */
export const searchTenants =
  ({ peers }: Service, note: AccessNotes) =>
  async (context: ReadContext, { q }: { q: string }): Promise<Page<TenantHit>> => {
    const text = q.trim();
    if (text === '') return wholeList([]);
    const found = await Promise.all(
      peers.all().map((cell) => inCell({ ...context, db: cell.db }, text)),
    );
    const hits = found.flat().slice(0, maximumHits);
    const shown = hits.flatMap((hit) => (hit.party ? [hit.tenant_id] : []));
    await noteTenants(note, context, { kind: 'search', record: contract.id }, shown);
    return wholeList(hits);
  };
