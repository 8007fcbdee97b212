import { digitsOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { JobInput } from '@tenant-payments/engine/job_names.ts';
import { sql } from 'kysely';
import { type Bank, type BankInstruction, bankCan, type OwnAccount } from '../rails/bank.ts';
import type { Inbound } from '../rails/facts.ts';
import { RailsFault } from '../rails/guard/rails_fault.ts';
import {
  closeTaken,
  expiryOf,
  instructions,
  purposeOf,
  referenceSeal,
} from '../rails/instructions.ts';
import { accountsOfOrder } from '../rails/own_accounts.ts';
import { asRefused } from '../rails/refused.ts';
import { type InForceRow, openOwnBank } from '../resources/own_bank_accounts/table.ts';
import type { Service } from '../service.ts';

export interface InstructionContext extends Pick<Service, 'db' | 'vault' | 'engine'> {
  readonly bank: Bank;
  readonly inbound: Pick<Inbound, 'bank'>;
}

interface Waiting {
  readonly order: BankInstruction;
  /** A hand-over before this one got no clear answer. */
  readonly isUnclear: boolean;
  readonly providerId: string | null;
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
): Promise<Waiting | null> {
  const found = await db
    .selectFrom('instructions as i')
    .leftJoin('linked_accounts as l', (join) =>
      join.onRef('l.tenant_id', '=', 'i.tenant_id').onRef('l.id', '=', 'i.linked_account_id'),
    )
    .where('i.tenant_id', '=', tenantId)
    .where('i.id', '=', id)
    .where('i.status', 'in', ['waiting', 'unclear'])
    .select([
      'i.status',
      'i.provider_id',
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
  const order: BankInstruction = {
    tenantId,
    id,
    endToEndId: digitsOf(id),
    kind,
    purpose,
    amount,
    from: own(ends.from),
    to: own(ends.to),
    expiresAt: expiryOf(found),
    reference: linked_account_id === null ? null : of(),
    returnOf: return_of,
  };
  return { order, isUnclear: found.status === 'unclear', providerId: found.provider_id };
}

/** Nobody knows whether the bank has the order: from now on it is asked first (rules/bank-orders#21). */
const markUnclear = command('order_unclear', {
  load: (read, { id }: { id: string }) => read.one(instructions, id),
  decide: (work, order) => {
    if (order.status === 'waiting') work.move(order, 'miss');
    // Its record has ended meanwhile.
    else if (order.status === 'withdrawn') closeTaken(work, order);
    return { value: null };
  },
});

/** A call that was not made leaves nothing unclear. */
const wasCalled = (thrown: unknown): boolean => !(thrown instanceof RailsFault) || thrown.wasCalled;

/** Hands an order over, unless the bank has it. @returns the bank's own id of it, where it says one */
async function handOver(
  { engine, bank, inbound }: InstructionContext,
  { order, isUnclear, providerId }: Waiting,
  isAgain: boolean,
): Promise<string | null> {
  const { tenantId, id } = order;
  const unclear = () => engine.submit(markUnclear, { tenantId, input: { id }, lane: 'job' });
  if (isAgain && !isUnclear) await unclear();
  if ((isAgain || isUnclear) && bankCan(bank, 'query')) {
    const found = await bank.query?.({ tenantId, id, providerId });
    if (found?.known !== false) return providerId;
  }
  try {
    const taken = await bank.take(order);
    return taken?.providerId ?? null;
  } catch (error) {
    const refused = asRefused(error);
    if (!refused) {
      if (!isUnclear && wasCalled(error)) await unclear();
      throw error;
    }
    const { reason, message: text, saidBy } = refused;
    const said = { ...(text !== '' && { text }), ...(saidBy && { saidBy }) };
    await inbound.bank(tenantId, {
      id: `refused ${id}`,
      orderId: id,
      outcome: 'failed',
      reason,
      ...said,
    });
    return null;
  }
}

/**
 * Job `instruction`: hands an order to the bank, then records it. When the process ends in between,
 * the order is handed over again, which the bank does not execute twice.
 */
export const instructionJob = (context: InstructionContext) =>
  command('instruction', {
    prepare: async ({ ref, isAgain = false }: JobInput, { tenantId }) => {
      const waiting = await waitingOrder(context, tenantId, ref);
      return waiting && { providerId: await handOver(context, waiting, isAgain) };
    },
    load: (read, { ref }) => read.one(instructions, ref),
    decide: (work, order, { ref }, taken) => {
      const { status, provider_id } = order;
      const waits = status === 'waiting' || status === 'unclear';
      if (taken && waits) work.move(order, 'hand_over', { set: { sent_at: work.now } });
      // Its record has ended while it was handed over.
      else if (taken && status === 'withdrawn') closeTaken(work, order);
      if (taken?.providerId && provider_id === null)
        work.change(order, { provider_id: taken.providerId });
      if (taken || !waits) work.cancelJob('instruction', ref);
      return { value: null };
    },
  });
