import { command } from '@tenant-payments/engine/command.ts';
import type { JobInput } from '@tenant-payments/engine/job_names.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { isBesideAnother } from '../operations/other_release.ts';
import { type Bank, type BankInstruction, bankCan } from '../rails/bank.ts';
import { callFor, type RailsCall } from '../rails/call.ts';
import type { Inbound } from '../rails/facts.ts';
import { RailsFault } from '../rails/guard/rails_fault.ts';
import {
  closeTaken,
  type HandOverJob,
  handOverJob,
  type InstructionRow,
  instructions,
  isMisread,
  isToHandOver,
} from '../rails/instructions.ts';
import { asRefused } from '../rails/refused.ts';
import { type AskedNumbers, keepNumbers } from '../resources/linked_accounts/numbers.ts';
import { linkedAccounts } from '../resources/linked_accounts/table.ts';
import type { Service } from '../service.ts';
import { markHandedOver } from './order_ends.ts';
import { type OrderSources, type Waiting, waitingOrder } from './waiting_order.ts';

export interface InstructionContext
  extends OrderSources,
    Pick<Service, 'engine' | 'pool' | 'clocks'> {
  readonly bank: Bank;
  readonly inbound: Pick<Inbound, 'bank'>;
}

/** The pause before the bank is asked whether it has an order. */
const pauseSeconds = 1;

/** Nobody knows whether the bank has the order: from now on it is asked first (rules/bank-orders#21). */
function askFirst(work: Work, order: InstructionRow): void {
  if (order.status === 'waiting') {
    work.cancelJob(handOverJob(order), order.id);
    work.move(order, 'miss');
  }
  work.scheduleJob(handOverJob(order), order.id, addSeconds(work.now, pauseSeconds));
}

const loadOrder = (read: Read, { id }: { id: string }) => read.one(instructions, id);

const markUnclear = command('order_unclear', {
  load: loadOrder,
  decide: (work, order) => {
    if (order.status === 'waiting') askFirst(work, order);
    // Its record has ended meanwhile.
    else if (order.status === 'withdrawn') closeTaken(work, order);
    return { value: null };
  },
});

/** Gives an order that has lost its job one again (rules/bank-orders#30). */
export const takeUpOrder = command('order_taken_up', {
  load: loadOrder,
  decide: (work, order) => {
    if (isToHandOver(order)) askFirst(work, order);
    return { value: null };
  },
});

/** A call that was not made leaves nothing unclear. */
const wasCalled = (thrown: unknown): boolean => !(thrown instanceof RailsFault) || thrown.wasCalled;

const missed = ({ engine }: InstructionContext, { tenantId, id }: BankInstruction) =>
  engine.submit(markUnclear, { tenantId, input: { id }, lane: 'job' });

/** Hands an order over, unless the bank has it. @returns the bank's own id of it, where it says one */
async function handOver(
  context: InstructionContext,
  { order, isUnclear, providerId }: Waiting,
  call: RailsCall,
): Promise<string | null> {
  const { bank, inbound } = context;
  const { tenantId, id } = order;
  if (isUnclear && bankCan(bank, 'query')) {
    const found = await bank.query?.({ tenantId, id, providerId }, call);
    if (found?.known !== false) return providerId;
  }
  try {
    const taken = await bank.take(order, call);
    return taken?.providerId ?? null;
  } catch (error) {
    const refused = asRefused(error);
    if (!refused) {
      if (!isUnclear && wasCalled(error)) await missed(context, order);
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

/** How often it is looked whether an upgrade has ended. */
const upgradeSeconds = 60;

interface Tried {
  readonly providerId: string | null;
  readonly asked: AskedNumbers | null;
  /** Nothing was tried: an upgrade lasts. */
  readonly isLater?: true;
}
const later: Tried = { providerId: null, asked: null, isLater: true };

/** A process of 1.0 could hear the bank's answer (rules/bank-orders#31). */
async function waitsForUpgrade(context: InstructionContext, tenantId: string, id: string) {
  if (!(await isBesideAnother(context))) return false;
  const order = await context.db
    .selectFrom('instructions')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .select('purpose')
    .executeTakeFirst();
  return order !== undefined && isMisread(order);
}

/**
 * The jobs `instruction` and `order_hand_over`: hand an order to the bank, then record it. Where a process ended in
 * between, nobody knows whether the bank has the order.
 */
export const instructionJob = (context: InstructionContext, name: HandOverJob = 'instruction') =>
  command(name, {
    async prepare({ ref, isAgain = false }: JobInput, { tenantId, actor }): Promise<Tried | null> {
      if (name === 'order_hand_over' && (await waitsForUpgrade(context, tenantId, ref)))
        return later;
      const waiting = await waitingOrder(context, tenantId, ref);
      if (waiting?.job !== name) return null;
      if (isAgain && !waiting.isUnclear) {
        await missed(context, waiting.order);
        return null;
      }
      const providerId = await handOver(context, waiting, callFor(actor));
      return { providerId, asked: waiting.asked };
    },
    load: async (read, { ref }, taken) => ({
      order: await read.one(instructions, ref),
      link: taken?.asked ? await read.one(linkedAccounts, taken.asked.linkId) : null,
    }),
    decide: (work, { order, link }, { ref }, taken) => {
      if (link && taken?.asked) keepNumbers(work, link, taken.asked);
      const isOurs = isToHandOver(order) && handOverJob(order) === name;
      if (taken?.isLater) {
        if (isOurs) work.scheduleJob(name, ref, addSeconds(work.now, upgradeSeconds));
        else work.cancelJob(name, ref);
        return { value: null };
      }
      if (taken) markHandedOver(work, order);
      if (taken?.providerId && order.provider_id === null)
        work.change(order, { provider_id: taken.providerId });
      if (taken || !isOurs) work.cancelJob(name, ref);
      return { value: null };
    },
  });
