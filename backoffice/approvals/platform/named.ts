import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { PlatformApproval } from '../../contract/operate/platform_approvals.ts';

type Names = Pick<PlatformApproval, 'people' | 'tenant_name'>;
/** A request without the names of whom it names by id. */
export type Nameless = Omit<PlatformApproval, keyof Names>;

/** The ids of the people that a request names: its maker, its decider, and the one it is about. */
const idsIn = ({ maker, decided_by, resource, record_id }: Nameless): string[] => [
  ...[maker, decided_by].flatMap((actor) => /^person (.+)$/.exec(actor ?? '')?.[1] ?? []),
  ...(resource === 'staff' ? [record_id] : []),
];

const isTenants = ({ resource }: Nameless): boolean => resource === 'tenants';

/**
 * Reads the names of the people and the Tenants that requests are about, also of such as have left since.
 * @returns a function that gives each of them its own
 */
export async function readNames(db: Queryable, views: readonly Nameless[]) {
  const tenantIds = views.filter(isTenants).map(({ record_id }) => record_id);
  const people = await db.query<Names['people'][number]>(
    'select id::text, name, email from control.people where id::text = any($1)',
    [views.flatMap(idsIn)],
  );
  const tenants = await db.query<{ id: string; name: string }>(
    `select tenant_id::text as id, name from control.served_tenants()
     where tenant_id::text = any($1)`,
    [tenantIds],
  );
  return <View extends Nameless>(view: View): View & Names => ({
    ...view,
    people: people.rows.filter(({ id }) => idsIn(view).includes(id)),
    tenant_name: isTenants(view)
      ? (tenants.rows.find(({ id }) => id === view.record_id)?.name ?? null)
      : null,
  });
}
