import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { AuditProof, getAuditProof as contract } from '../contract/operate/audit.ts';
import { scopeOf } from './scopes.ts';

type Verified = NonNullable<AuditProof['verified']>;

/**
 * GET /portal/api/audit/proof: where a chain ends, and what the last night has found (rules/audit#17).
 * @throws ApiError forbidden, as of the list
 */
export async function getAuditProof(
  context: ReadContext,
  query: QueryOf<typeof contract>,
): Promise<AuditProof> {
  const { db } = context;
  const scope = scopeOf(context, query.scope);
  const [heads, proofs] = await Promise.all([
    sql<NonNullable<AuditProof['head']>>`select number, hash from control.audit_heads
      where scope = ${scope}`.execute(db),
    sql<Verified>`select at, ok, checked, faults, number, hash from control.audit_proofs
      where scope = ${scope}`.execute(db),
  ]);
  return {
    object: 'audit_proof',
    head: heads.rows[0] ?? null,
    verified: proofs.rows[0] ?? null,
  };
}
