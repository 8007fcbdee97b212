import { digitsOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Aggregator } from '../rails/aggregator.ts';
import type { Bank, BankInstruction, OwnAccount } from '../rails/bank.ts';
import { expiryOf, instructions, purposeOf } from '../rails/instructions.ts';
import { accountsOfOrder } from '../rails/own_accounts.ts';
import { requestOf } from '../rails/request_uses.ts';
import {
  type AskedNumbers,
  keepNumbers,
  numbersOf,
  openReference,
} from '../resources/linked_accounts/numbers.ts';
import { linkedAccounts } from '../resources/linked_accounts/table.ts';
import { type InForceRow, openOwnBank } from '../resources/own_bank_accounts/table.ts';
import {
  counterpartyOf,
  linkOf,
  orderHolder,
  orderMerchant,
  orderRemittance,
  orderTenant,
} from './order_party.ts';

export interface InstructionContext {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly bank: Bank;
  /** Who gives numbers that no order has needed yet. */
  readonly aggregator?: Pick<Aggregator, 'numbers'>;
}

interface Waiting {
  readonly order: BankInstruction;
  /** Numbers that this order was the first to need. */
  readonly asked: AskedNumbers | null;
}

/** The Tenant's own accounts in force, few, in the statement that reads the order. */
const ownInForce = sql<readonly InForceRow[] | null>`(
  select jsonb_agg(jsonb_build_object('role', o.role, 'in_force', o.in_force, 'number_sealed', o.number_sealed))
  from own_bank_accounts o where o.tenant_id = i.tenant_id and o.in_force is not null)`;

/** The order as the bank needs it; null when it has been sent or withdrawn. */
async function waitingOrder(
  context: InstructionContext,
  tenantId: string,
  id: string,
): Promise<Waiting | null> {
  const { db, vault } = context;
  const found = await db
    .selectFrom('instructions as i')
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
      'i.source_id',
      'i.linked_account_id',
      'i.request_expires_at',
      'i.return_of',
      'i.created_at',
      'l.customer_id',
      'l.reference_sealed',
      'p.type as payment_type',
      'p.invoice_reference',
      'l.numbers_sealed',
      'l.numbers_changed_at',
      orderHolder.as('holder'),
      orderMerchant.as('merchant'),
      orderTenant.as('tenant'),
      ownInForce.as('own'),
    ])
    .executeTakeFirst();
  if (!found) return null;
  const { kind, amount, return_of } = found;
  const purpose = purposeOf(found);
  const ends = accountsOfOrder(kind, purpose);
  const own = (role: typeof ends.from): OwnAccount | null => {
    if (role === null) return null;
    const row = found.own?.find((one) => one.role === role);
    return { role, account: row ? openOwnBank(vault, tenantId, row) : null };
  };
  const link = linkOf(found);
  const { account, asked } = link
    ? await numbersOf(context, tenantId, link)
    : { account: null, asked: null };
  const order: BankInstruction = {
    tenantId,
    id,
    endToEndId: digitsOf(id),
    kind,
    purpose,
    request: requestOf(found, settingsOf(tenantId, found.tenant)),
    amount,
    from: own(ends.from),
    to: own(ends.to),
    expiresAt: expiryOf(found),
    reference: link && openReference(vault, tenantId, link),
    counterparty: link && counterpartyOf(link.holder, account),
    remittance: orderRemittance(tenantId, found),
    returnOf: return_of,
  };
  return { order, asked };
}

/**
 * Job `instruction`: hands an order to the bank, then records it. When the process ends in between,
 * the order is handed over again, which the bank does not execute twice.
 */
export const instructionJob = (context: InstructionContext) =>
  command('instruction', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => {
      const waiting = await waitingOrder(context, tenantId, ref);
      if (waiting) await context.bank.take(waiting.order);
      return { taken: waiting !== null, asked: waiting?.asked ?? null };
    },
    load: async (read, { ref }, { asked }) => ({
      instruction: await read.one(instructions, ref),
      link: asked && (await read.one(linkedAccounts, asked.linkId)),
    }),
    decide: (work, { instruction, link }, { ref }, { taken, asked }) => {
      if (link && asked) keepNumbers(work, link, asked);
      if (taken && instruction.status === 'waiting')
        work.change(instruction, { status: 'sent', sent_at: work.now });
      if (instruction.status !== 'waiting') work.cancelJob('instruction', ref);
      return { value: null };
    },
  });
