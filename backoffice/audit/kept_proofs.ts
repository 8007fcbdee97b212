import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { AuditFaults } from '../contract/operate/audit.ts';
import type { AuditProof, Head } from './verify.ts';

export const faultsColumn = jsonColumn('control.audit_proofs.faults', 'jsonb', AuditFaults);

const keep = `insert into control.audit_proofs (scope, at, ok, checked, faults, number, hash)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (scope) do update set at = excluded.at, ok = excluded.ok, checked = excluded.checked,
    faults = excluded.faults, number = excluded.number, hash = excluded.hash`;

const nothing: Head = { number: 0, hash: '0'.repeat(64) };

/** Keeps what the last verification of a chain has found (rules/audit#16). */
export async function keepAuditProof(
  pool: Pick<pg.Pool, 'query'>,
  scope: string,
  { ok, checked, faults, heads }: AuditProof,
  at: Instant,
): Promise<void> {
  const { number, hash } = heads[0] ?? nothing;
  const kept = faults.map((one) => ({ number: one.number, fault: one.fault }));
  await pool.query(keep, [scope, at, ok, checked, faultsColumn.text(kept), number, hash]);
}
