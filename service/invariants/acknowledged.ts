import type pg from 'pg';
import type { Violation } from './check.ts';

/** By a violation, the kept proof with which two people acknowledged it (rules/invariants#28). */
export type Acknowledgements = ReadonlyMap<string, string>;

type Told = Pick<Violation, 'tenant_id' | 'invariant' | 'subject' | 'message'>;

/** The same violation says the same of the same record: one that changes is another. */
const nameOf = ({ tenant_id, invariant, subject, message }: Told): string =>
  JSON.stringify([tenant_id, invariant, subject, message]);

export const acknowledgedIn = (known: Acknowledgements, violation: Told): string | undefined =>
  known.get(nameOf(violation));

/**
 * The violations whose acknowledged proof is in force. A violation that it shows as acknowledged before is of the other
 * proof.
 * @param tenants an SQL condition on `tenant_id`; null: all tenants
 */
export async function readAcknowledged(
  client: pg.ClientBase,
  tenants: string | null,
): Promise<Acknowledgements> {
  const { rows } = await client.query<Told & { proof: string }>(
    `select p.tenant_id, p.id as proof, v ->> 'invariant' as invariant, v ->> 'subject' as subject,
       v ->> 'message' as message
     from (select tenant_id, id, violations from ledger_proofs
       where acknowledged_at is not null and ${tenants ?? 'true'}) p
     cross join lateral jsonb_array_elements(p.violations) v
     where v ->> 'acknowledged' is null`,
  );
  return new Map(rows.map((row) => [nameOf(row), row.proof]));
}

/** The violations that nobody has acknowledged: they alone make a ledger wrong. */
export const unacknowledged = <V extends Pick<Violation, 'acknowledged'>>(
  violations: readonly V[],
): V[] => violations.filter(({ acknowledged }) => acknowledged === undefined);

/** The same violations, the unacknowledged ones first. */
export const openFirst = <V extends Pick<Violation, 'acknowledged'>>(
  violations: readonly V[],
): V[] => [
  ...unacknowledged(violations),
  ...violations.filter(({ acknowledged }) => acknowledged !== undefined),
];
