import { KeptProof } from '@tenant-payments/contract/resources/ledger_proofs.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { Service } from '../service.ts';
import { unacknowledged } from './acknowledged.ts';
import type { Verification } from './verify.ts';

export const violationsColumn = jsonColumn(
  'ledger_proofs.violations',
  'jsonb',
  KeptProof.properties.violations,
);

/** Why a ledger was proven. */
export type ProofCause = 'night' | 'person';

/** The most violations that a proof keeps, the unacknowledged ones first. */
const violationsKept = 200;
/** The time within which a proof with the same result is not kept again. */
const repeatedWithin = '1 minute';

const newId = idMaker();

const keep = `insert into ledger_proofs (tenant_id, id, at, cause, ok, checked, found, violations,
    duration_ms, process_id, since_checkpoint)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const kept = `select from ledger_proofs where tenant_id = $1
  and at > $2::timestamptz - interval '${repeatedWithin}' and ok = $3 limit 1`;

type Needs = Pick<Service, 'clocks' | 'processRegistry'> & {
  readonly pool: Pick<pg.Pool, 'query'>;
};

/**
 * Proves a Tenant's ledger and keeps what was found (rules/operations#67).
 * @param prove null: another process proves it now, and keeps it
 * @throws what the proof and the database throw
 */
export async function keepProof<Found extends Verification | null>(
  { pool, clocks, processRegistry }: Needs,
  { tenantId, cause }: { readonly tenantId: string; readonly cause: ProofCause },
  prove: () => Promise<Found>,
): Promise<Found> {
  const begunMs = performance.now();
  const proof = await prove();
  if (!proof) return proof;
  const { ok, checked, violations, since = null } = proof;
  const realMs = clocks.realNow();
  const again =
    cause === 'night' ? null : await pool.query(kept, [tenantId, instantOf(realMs), ok]);
  if (again?.rowCount === 1) return proof;
  await pool.query(keep, [
    tenantId,
    newId(realMs),
    instantOf(realMs),
    cause,
    ok,
    checked,
    unacknowledged(violations).length,
    violationsColumn.text(violations.slice(0, violationsKept)),
    Math.round(performance.now() - begunMs),
    processRegistry.id,
    since,
  ]);
  return proof;
}
