import { type MoneySource, moneySources } from '@tenant-payments/contract/portal/review.ts';
import type { Kysely } from 'kysely';
import { command } from '../core/command.ts';
import { assert } from '../core/fail.ts';
import { column, orNull, type RowOf, table, words } from '../core/table.ts';
import type { Vault } from '../core/vault.ts';
import type { Work } from '../core/work.ts';
import type { Database } from '../resources/database.ts';
import { type Bank, type BankInstruction, type InstructionKind, instructionKinds } from './bank.ts';

/**
 * What the outside is asked to do, written with the change that asks for it: no outside effect ever
 * happens inside a command (architecture 3). One for each record.
 */
export const instructions = table({
  name: 'instructions',
  key: ['id'],
  unique: { source: ['source_type', 'source_id'] },
  frozen: ['kind', 'source_type', 'source_id', 'linked_account_id', 'amount', 'created_at'],
  columns: {
    id: column.uuid,
    kind: words(instructionKinds),
    source_type: words(moneySources),
    source_id: column.uuid,
    linked_account_id: column.uuid,
    amount: column.cents,
    status: words(['waiting', 'sent', 'withdrawn']),
    sent_at: orNull(column.instant),
    created_at: column.instant,
  },
});
export type InstructionRow = RowOf<typeof instructions>;

/** How long a Request for Payment may be answered (decisions 1.8, Lifetimes). */
export const requestLifetimeSeconds = { load: 24 * 3600, payment: 15 * 60 } as const;
type Requesting = keyof typeof requestLifetimeSeconds;

/** What stored references are sealed for: they open for the customer whose account they name. */
export const referenceSeal = (customerId: string): string => `reference ${customerId}`;

export interface Order<Source extends MoneySource> {
  readonly sourceType: Source;
  readonly sourceId: string;
  readonly linkedAccountId: string;
  readonly amount: number;
}

function instruct(work: Work, kind: InstructionKind, order: Order<MoneySource>): void {
  const id = work.newId();
  work.create(instructions, {
    id,
    kind,
    source_type: order.sourceType,
    source_id: order.sourceId,
    linked_account_id: order.linkedAccountId,
    amount: order.amount,
    status: 'waiting',
    sent_at: null,
    created_at: work.now,
  });
  work.scheduleJob('instruction', id, work.now);
}

/** Asks the bank, as soon as this command has committed, to request a payment. */
export const requestPayment = (work: Work, order: Order<Requesting>): void =>
  instruct(work, 'request_for_payment', order);

/** Asks the bank, as soon as this command has committed, to send money. */
export const sendCredit = (work: Work, order: Order<Exclude<MoneySource, Requesting>>): void =>
  instruct(work, 'credit_transfer', order);

/** The record ended before its order was handed over: it never will be. */
export function withdrawInstruction(work: Work, instruction: InstructionRow | null): void {
  if (instruction?.status !== 'waiting') return;
  work.change(instruction, { status: 'withdrawn' });
  work.cancelJob('instruction', instruction.id);
}

export interface Handing {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly bank: Bank;
}

/** The order as the bank needs it; null when there is nothing to hand over any more. */
async function orderOf(
  { db, vault }: Handing,
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
 * Job `instruction`: hands an order to the bank, then records it. When the record of it is lost
 * the order is handed over again, which the bank does not execute twice.
 */
export const instructionJob = (handing: Handing) =>
  command('instruction', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => {
      const order = await orderOf(handing, tenantId, ref);
      if (order) await handing.bank.take(order);
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
