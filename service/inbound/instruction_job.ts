import { digitsOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Bank, BankInstruction, OwnAccount } from '../rails/bank.ts';
import { expiryOf, instructions, purposeOf, referenceSeal } from '../rails/instructions.ts';
import { accountsOfOrder } from '../rails/own_accounts.ts';
import { requestOf } from '../rails/request_uses.ts';
import { type InForceRow, openOwnBank } from '../resources/own_bank_accounts/table.ts';

export interface InstructionContext {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly bank: Bank;
}

/** The Tenant's own accounts in force, few, in the statement that reads the order. */
const ownInForce = sql<readonly InForceRow[] | null>`(
  select jsonb_agg(jsonb_build_object('role', o.role, 'in_force', o.in_force, 'number_sealed', o.number_sealed))
  from own_bank_accounts o where o.tenant_id = i.tenant_id and o.in_force is not null)`;

/** The order as the bank needs it; null when it has been sent or withdrawn. */
async function waitingOrder(
  { db, vault }: InstructionContext,
  tenantId: string,
  id: string,
): Promise<BankInstruction | null> {
  const found = await db
    .selectFrom('instructions as i')
    .innerJoin('tenants as t', 't.tenant_id', 'i.tenant_id')
    .leftJoin('linked_accounts as l', (join) =>
      join.onRef('l.tenant_id', '=', 'i.tenant_id').onRef('l.id', '=', 'i.linked_account_id'),
    )
    .leftJoin('payments as p', (join) =>
      join.onRef('p.tenant_id', '=', 'i.tenant_id').onRef('p.id', '=', 'i.source_id'),
    )
    .where('i.tenant_id', '=', tenantId)
    .where('i.id', '=', id)
    .where('i.status', '=', 'waiting')
    .select([
      'i.kind',
      'i.purpose',
      'i.amount',
      'i.source_type',
      'i.linked_account_id',
      'i.request_expires_at',
      'i.return_of',
      'i.created_at',
      'l.customer_id',
      'l.reference_sealed',
      'p.type as payment_type',
      'p.invoice_reference',
      't.name',
      't.settings',
      ownInForce.as('own'),
    ])
    .executeTakeFirst();
  if (!found) return null;
  const { kind, amount, linked_account_id, return_of, customer_id, reference_sealed } = found;
  const purpose = purposeOf(found);
  const ends = accountsOfOrder(kind, purpose);
  const own = (role: typeof ends.from): OwnAccount | null => {
    if (role === null) return null;
    const row = found.own?.find((one) => one.role === role);
    return { role, account: row ? openOwnBank(vault, tenantId, row) : null };
  };
  const of = (): string => {
    assert(customer_id !== null && reference_sealed !== null, 'a link in use has its reference');
    return String(vault.open(tenantId, referenceSeal(customer_id), reference_sealed));
  };
  return {
    tenantId,
    id,
    endToEndId: digitsOf(id),
    kind,
    purpose,
    request: requestOf(found, settingsOf(tenantId, found)),
    amount,
    from: own(ends.from),
    to: own(ends.to),
    expiresAt: expiryOf(found),
    reference: linked_account_id === null ? null : of(),
    returnOf: return_of,
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
