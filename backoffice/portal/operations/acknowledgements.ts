import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import type { KeptProof } from '@tenant-payments/contract/resources/ledger_proofs.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';

type Acknowledgement = KeptProof['acknowledgements'][number];
type OfTwo = NonNullable<Acknowledgement['taken_back']>;

interface Decided extends OfTwo {
  readonly proof_id: string;
  readonly move: string;
}

/** Decisions on proofs, in their order: each is in force until it was taken back. */
function inOrder(rows: readonly Decided[]): Acknowledgement[] {
  const all: Acknowledgement[] = [];
  for (const { move, proof_id, ...ofTwo } of rows) {
    const last = all.findLast((one) => one.proof_id === proof_id);
    if (move === 'acknowledge') all.push({ proof_id, ...ofTwo, taken_back: null });
    else if (last) last.taken_back = ofTwo;
  }
  return all;
}

const withoutNames = <One extends OfTwo>(one: One): One => ({ ...one, by: [], note: null });

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
  const { rows } = await sql<Decided>`select p.id as proof_id, a.move, a.decided_at as at,
      array[${named('a.maker')}, ${named('a.decider')}] as by, a.note
    from ledger_proofs p join approvals a on a.tenant_id = p.tenant_id and a.resource = 'ledger-proofs'
      and a.record_id = p.id::text and a.status = 'approved'
    where p.tenant_id = any(${tenants}::uuid[])
    order by a.decided_at, a.id`.execute(db);
  const all = inOrder(rows);
  const isStaff = mayCall(['support'], actor.roles);
  return (proof: Pick<KeptProof, 'id' | 'violations'>): Acknowledgement[] => {
    const shown = new Set(proof.violations.map((one) => one.acknowledged));
    return all
      .filter(({ proof_id, taken_back }) =>
        proof_id === proof.id ? true : taken_back === null && shown.has(proof_id),
      )
      .map((found) =>
        isStaff
          ? found
          : {
              ...withoutNames(found),
              taken_back: found.taken_back && withoutNames(found.taken_back),
            },
      );
  };
}
