import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds, epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import { type Bank, bankCan } from '../rails/bank.ts';
import { callFor, type RailsCall } from '../rails/call.ts';
import type { Inbound } from '../rails/facts.ts';
import { instructions } from '../rails/instructions.ts';
import { asRefused } from '../rails/refused.ts';
import type { Service } from '../service.ts';
import { readOrder } from './bank_facts.ts';
import { askForTheLastWord, isAsked, stopAsking } from './order_ends.ts';
import { type BankFailure, isDuplicate, isTimeout } from './reasons.ts';

interface Context extends Pick<Service, 'db' | 'engine' | 'log'> {
  readonly bank: Bank;
  readonly inbound: Pick<Inbound, 'bank'>;
}

interface Ref {
  readonly ref: string;
}

const askedOrder = ({ db }: Context, tenantId: string, id: string) =>
  db
    .selectFrom('instructions')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .select(['status', 'cancel', 'provider_id', 'asked_at', 'asked_reason', 'queried_at'])
    .executeTakeFirst();

/**
 * Job `order_cancel`: asks the bank not to execute an order whose record has ended, and again until that is recorded.
 * Whether it did is a fact (rules/bank-orders#18).
 */
export const orderCancelJob = (context: Context) =>
  command('order_cancel', {
    prepare: async ({ ref: id }: Ref, { tenantId, actor }) => {
      const { bank } = context;
      const order = await askedOrder(context, tenantId, id);
      if (order?.status !== 'closing' || order.cancel !== 'wanted') return null;
      if (!bankCan(bank, 'cancel')) return 'cannot';
      try {
        await bank.cancel?.({ tenantId, id, providerId: order.provider_id }, callFor(actor));
        return 'asked';
      } catch (error) {
        if (asRefused(error)) return 'cannot';
        throw error;
      }
    },
    load: (read, { ref }) => read.one(instructions, ref),
    decide: (work, order, { ref }, cancel) => {
      if (cancel && order.status === 'closing') {
        work.change(order, { cancel });
        if (bankCan(context.bank, 'query')) askForTheLastWord(work, order);
      }
      work.cancelJob('order_cancel', ref);
      return { value: null };
    },
  });

/** The bank was asked: what it says from now on is its answer. */
const recordQuery = command('order_queried', {
  load: (read, { id }: { id: string }) => read.one(instructions, id),
  decide: (work, order) => {
    if (order.asked_at !== null) work.change(order, { queried_at: work.now });
    return { value: null };
  },
});

/** The time without an answer, from the first question on, after which a person looks into it. */
const alarmAfterSeconds = 3_600;
const shortestPause = 60;
const longestPause = 3_600;

const secondsBetween = (from: Instant, to: Instant): number =>
  (epochMs(to) - epochMs(from)) / 1_000;

/** Why an order fails that the bank does not know: one that it has called a duplicate of itself was never sent. */
const endOf = (reason: string): string =>
  isDuplicate(reason) ? ('order_rejected' satisfies BankFailure) : reason;

type Asked = NonNullable<Awaited<ReturnType<typeof askedOrder>>>;

/** @returns whether the bank has the order */
async function queried(
  { bank, engine, inbound }: Context,
  tenantId: string,
  id: string,
  { status, provider_id: providerId, asked_reason: reason }: Asked,
  call: RailsCall,
): Promise<boolean> {
  const asked = { tenantId, id, providerId };
  const found = bankCan(bank, 'query') ? await bank.query?.(asked, call) : null;
  if (found && found.known !== false) return true;
  await engine.submit(recordQuery, { tenantId, input: { id }, lane: 'job' });
  const fact = { id: `queried ${id}`, orderId: id } as const;
  // A closing record has nothing that could settle.
  if (status === 'closing') await inbound.bank(tenantId, { ...fact, outcome: 'cancelled' });
  // The bank's first word is how the order ended, unless that is a duplicate, and the bank cannot be asked.
  else if (reason !== null && (found || isTimeout(reason)))
    await inbound.bank(tenantId, { ...fact, outcome: 'failed', reason: endOf(reason) });
  return false;
}

/**
 * Job `order_query`: asks the bank how an order stands, and again until it has said it, with longer and longer pauses
 * up to an hour (rules/bank-orders#22).
 */
export const orderQueryJob = (context: Context) =>
  command('order_query', {
    prepare: async ({ ref: id }: Ref, { tenantId, actor }) => {
      const order = await askedOrder(context, tenantId, id);
      if (!order || order.asked_at === null) return true;
      const { asked_at, asked_reason: reason, queried_at } = order;
      if (queried_at !== null && secondsBetween(asked_at, queried_at) >= alarmAfterSeconds)
        context.log.error(
          { alarm: 'order_unclear', tenant_id: tenantId, order_id: id, reason, since: asked_at },
          'the bank does not say how an order stands that may have been executed',
        );
      return queried(context, tenantId, id, order, callFor(actor));
    },
    load: (read, { ref }) => readOrder(read, ref),
    decide: (work, rows, { ref }, isKnown) => {
      const { order } = rows;
      if (!isKnown || !isAsked(rows) || order.asked_at === null) {
        stopAsking(work, order);
        work.cancelJob('order_query', ref);
        return { value: null };
      }
      work.change(order, { queried_at: work.now });
      const age = secondsBetween(order.asked_at, work.now);
      const pause = Math.min(longestPause, Math.max(shortestPause, Math.floor(age)));
      work.scheduleJob('order_query', ref, addSeconds(work.now, pause));
      return { value: null };
    },
  });
