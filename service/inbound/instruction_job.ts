import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Bank, BankInstruction } from '../rails/bank.ts';
import {
  instructions,
  type Requesting,
  referenceSeal,
  requestLifetimeSeconds,
} from '../rails/instructions.ts';

export interface InstructionContext {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly bank: Bank;
}

/** The order as the bank needs it; null when it has been sent or withdrawn. */
async function waitingOrder(
  { db, vault }: InstructionContext,
  tenantId: string,
  id: string,
): Promise<BankInstruction | null> {
  const found = await db
    .selectFrom('instructions as i')
    .innerJoin('linked_accounts as l', (join) =>
      join.onRef('l.tenant_id', '=', 'i.tenant_id').onRef('l.id', '=', 'i.linked_account_id'),
    )
    .where('i.tenant_id', '=', tenantId)
    .where('i.id', '=', id)
    .where('i.status', '=', 'waiting')
    .select(['i.kind', 'i.amount', 'i.source_type', 'l.customer_id', 'l.reference_sealed'])
    .executeTakeFirst();
  if (!found) return null;
  assert(found.reference_sealed !== null, 'a link in use has its reference');
  const reference = vault.open(tenantId, referenceSeal(found.customer_id), found.reference_sealed);
  return {
    tenantId,
    id,
    kind: found.kind,
    amount: found.amount,
    lifetimeSeconds:
      found.kind === 'request_for_payment'
        ? requestLifetimeSeconds[found.source_type as Requesting]
        : null,
    reference: String(reference),
  };
}

/**
 * Job `instruction`: hands an order to the bank, then records it. When the process ends in between,
 * the order is handed over again, which the bank does not execute twice.
 */
export const instructionJob = (context: InstructionContext) =>
  command('instruction', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => {
      const order = await waitingOrder(context, tenantId, ref);
      if (order) await context.bank.take(order);
      return order !== null;
    },
    load: (read, { ref }) => read.one(instructions, ref),
    decide: (work, instruction, { ref }, taken) => {
      if (taken && instruction.status === 'waiting')
        work.change(instruction, { status: 'sent', sent_at: work.now });
      if (instruction.status !== 'waiting') work.cancelJob('instruction', ref);
      return { value: null };
    },
  });
