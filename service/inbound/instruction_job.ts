import { command } from '@tenant-payments/engine/command.ts';
import type { JobInput } from '@tenant-payments/engine/job_names.ts';
import { type Bank, bankCan } from '../rails/bank.ts';
import { callFor, type RailsCall } from '../rails/call.ts';
import type { Inbound } from '../rails/facts.ts';
import { RailsFault } from '../rails/guard/rails_fault.ts';
import { closeTaken, instructions } from '../rails/instructions.ts';
import { asRefused } from '../rails/refused.ts';
import { keepNumbers } from '../resources/linked_accounts/numbers.ts';
import { linkedAccounts } from '../resources/linked_accounts/table.ts';
import type { Service } from '../service.ts';
import { type OrderSources, type Waiting, waitingOrder } from './waiting_order.ts';

export interface InstructionContext extends OrderSources, Pick<Service, 'engine'> {
  readonly bank: Bank;
  readonly inbound: Pick<Inbound, 'bank'>;
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
  call: RailsCall,
): Promise<string | null> {
  const { tenantId, id } = order;
  const unclear = () => engine.submit(markUnclear, { tenantId, input: { id }, lane: 'job' });
  if (isAgain && !isUnclear) await unclear();
  if ((isAgain || isUnclear) && bankCan(bank, 'query')) {
    const found = await bank.query?.({ tenantId, id, providerId }, call);
    if (found?.known !== false) return providerId;
  }
  try {
    const taken = await bank.take(order, call);
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
    prepare: async ({ ref, isAgain = false }: JobInput, { tenantId, actor }) => {
      const waiting = await waitingOrder(context, tenantId, ref);
      if (!waiting) return null;
      const providerId = await handOver(context, waiting, isAgain, callFor(actor));
      return { providerId, asked: waiting.asked };
    },
    load: async (read, { ref }, taken) => ({
      order: await read.one(instructions, ref),
      link: taken?.asked ? await read.one(linkedAccounts, taken.asked.linkId) : null,
    }),
    decide: (work, { order, link }, { ref }, taken) => {
      if (link && taken?.asked) keepNumbers(work, link, taken.asked);
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
