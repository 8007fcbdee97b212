import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, OneOf } from '../core/schema.ts';

export const LedgerProof = Closed({
  ok: Type.Boolean(),
  checked: Type.Integer({ description: 'Rows that were checked' }),
  violations: Type.Array(
    Closed({
      invariant: Type.String(),
      tenant_id: Type.String(),
      subject: Type.String({ description: 'The record, account or movement' }),
      message: Type.String(),
      grade: Type.Optional(
        OneOf(
          ['money', 'order', 'time'],
          'How bad it is: only money says to stop moving money. Proofs of before have none',
        ),
      ),
    }),
  ),
});

export const KeptProof = Closed({
  id: Id('The proof'),
  object: Type.Literal('ledger_proof'),
  at: Instant('When it ended, in real time'),
  cause: OneOf(['night', 'person'], 'person: somebody asked for it'),
  ok: Type.Boolean(),
  checked: Type.Integer({ minimum: 0, description: 'Rows that were checked' }),
  found: Type.Integer({ minimum: 0, description: 'Violations' }),
  violations: LedgerProof.properties.violations,
  duration_ms: Type.Integer({ minimum: 0 }),
  process_id: Id('The process that has made it'),
});

/** How bad a violation of the ledger is. */
export type ViolationGrade = NonNullable<Static<typeof LedgerProof>['violations'][number]['grade']>;

export type KeptProof = Static<typeof KeptProof>;
