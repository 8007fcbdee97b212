import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import type { KeptProof } from '@tenant-payments/contract/resources/ledger_proofs.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';

type Acknowledgement = KeptProof['acknowledgements'][number];
type Found = Acknowledgement & { readonly tenant_id: string };

/** An actor by kind and id; of a person the address. */
const named = (actor: string) =>
  sql`coalesce((select email from control.people where 'person ' || id = ${sql.ref(actor)}), ${sql.ref(actor)})`;

/**
 * The acknowledgements of two people on the Tenants' ledgers, with their names as far as the reader may know them.
 * @returns those that a proof shows: its own, and those of its violations
 */
export async function acknowledgementsOf(
  { db, actor }: Pick<ReadContext, 'db' | 'actor'>,
  tenants: readonly string[],
) {
  const { rows } = await sql<Found>`select p.tenant_id, p.id as proof_id, p.acknowledged_at as at,
      array[${named('a.maker')}, ${named('a.decider')}] as by, a.note
    from ledger_proofs p join approvals a on a.tenant_id = p.tenant_id and a.resource = 'ledger-proofs'
      and a.record_id = p.id::text and a.status = 'approved'
    where p.tenant_id = any(${tenants}::uuid[]) and p.acknowledged_at is not null
    order by p.acknowledged_at`.execute(db);
  const isStaff = mayCall(['support'], actor.roles);
  return (proof: Pick<KeptProof, 'id' | 'violations'>): Acknowledgement[] => {
    const shown = new Set([proof.id, ...proof.violations.map((one) => one.acknowledged)]);
    return rows
      .filter(({ proof_id }) => shown.has(proof_id))
      .map(({ tenant_id: _, ...found }) => (isStaff ? found : { ...found, by: [], note: null }));
  };
}
