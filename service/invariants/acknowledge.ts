import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { column, orNull, table } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '../service.ts';

/** The kept proofs, as two people acknowledge what one of them found. `service/invariants/keep_proof.ts` writes them. */
export const ledgerProofs = table({
  name: 'ledger_proofs',
  key: ['id'],
  frozen: [
    'at',
    'cause',
    'ok',
    'checked',
    'found',
    'violations',
    'duration_ms',
    'process_id',
    'since_checkpoint',
  ],
  columns: {
    id: column.uuid,
    at: column.instant,
    cause: column.text,
    ok: column.boolean,
    checked: column.cents,
    found: column.integer,
    violations: column.json,
    duration_ms: column.integer,
    process_id: column.uuid,
    since_checkpoint: orNull(column.cents),
    /** In real time, as `at` is. */
    acknowledged_at: orNull(column.instant),
  },
  audited: ({ id, found, acknowledged_at }) => ({ id, found, acknowledged_at }),
});

const refuse = (reason: string) => fail('invalid_state', { details: { reason } });

/**
 * Acknowledges the violations that a proof has kept (rules/invariants#28). It needs a second person, always.
 * @throws ApiError not_found, param id; invalid_state {reason: already_acknowledged}, {reason: nothing_found}
 */
export const acknowledgeViolations = ({ clocks }: Pick<Service, 'clocks'>) =>
  command('acknowledge_violations', {
    load: (read, { id }: { readonly id: string }) => read.one(ledgerProofs, id),
    decide: (work, row) => {
      if (row.acknowledged_at !== null) throw refuse('already_acknowledged');
      if (row.ok) throw refuse('nothing_found');
      const acknowledged_at = instantOf(clocks.realNow());
      work.change<typeof ledgerProofs>(row, { acknowledged_at });
      work.audit({ act: 'acknowledgeViolations', record: row.id, after: { found: row.found } });
      return { value: { id: row.id, acknowledged_at } };
    },
  });

/**
 * Takes it back (rules/invariants#30): each proof from now on finds them again. It needs a second person, always.
 * @throws ApiError not_found, param id; invalid_state {reason: not_acknowledged}
 */
export const takeBackAcknowledgement = command('take_back_acknowledgement', {
  load: (read, { id }: { readonly id: string }) => read.one(ledgerProofs, id),
  decide: (work, row) => {
    if (row.acknowledged_at === null) throw refuse('not_acknowledged');
    work.change<typeof ledgerProofs>(row, { acknowledged_at: null });
    work.audit({ act: 'takeBackAcknowledgement', record: row.id, after: { found: row.found } });
    return { value: { id: row.id, acknowledged_at: null } };
  },
});
