import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';

const ok = Type.Boolean({
  description: 'Nothing was found, or nothing but what two people have acknowledged',
});

export const LedgerProof = Closed({
  ok,
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
      acknowledged: Type.Optional(
        Id('The kept proof with which two people acknowledged it; absent: nobody has'),
      ),
    }),
    { description: 'Those first that nobody has acknowledged' },
  ),
});

const ofTwo = {
  at: Instant('In real time'),
  by: Type.Array(Type.String(), {
    description: 'Who asked and who approved: their email addresses; shown to staff alone',
  }),
  note: Nullable(Type.String({ description: "The maker's reason; shown to staff alone" })),
};

const Acknowledgement = Closed({
  proof_id: Id('The proof with which it was acknowledged'),
  ...ofTwo,
  taken_back: Nullable(Closed(ofTwo, 'Two people have taken it back; null: it is in force')),
});

export const KeptProof = Closed({
  id: Id('The proof'),
  object: Type.Literal('ledger_proof'),
  at: Instant('When it ended, in real time'),
  cause: OneOf(['night', 'person'], 'person: somebody asked for it'),
  ok,
  checked: Type.Integer({ minimum: 0, description: 'Rows that were checked' }),
  found: Type.Integer({ minimum: 0, description: 'Violations that nobody has acknowledged' }),
  violations: LedgerProof.properties.violations,
  duration_ms: Type.Integer({ minimum: 0 }),
  process_id: Id('The process that has made it'),
  since_checkpoint: Nullable(
    Type.Integer({
      description: 'The checkpoint at which it began; null: the whole ledger was proven',
    }),
  ),
  acknowledgements: Type.Array(Acknowledgement, {
    description:
      'Those of the violations, and those of this proof, whose `proof_id` is its own, also if they were taken back',
  }),
});

/** How bad a violation of the ledger is. */
export type ViolationGrade = NonNullable<Static<typeof LedgerProof>['violations'][number]['grade']>;

export type KeptProof = Static<typeof KeptProof>;
