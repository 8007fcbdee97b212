import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Choices } from '../../../kit/seed.ts';
import { post } from '../client.ts';
import { requireSame } from '../compare.ts';
import { learnPayouts } from '../moves/money.ts';
import type { Twin } from '../moves/move.ts';
import type { ModelServer } from '../server.ts';
import { closingEnds } from './plays.ts';
import { tellEvent } from './told.ts';

/** The feed has what was late or lost, and a person books what contradicts: then both books are one. */

/** Words of the bank that move money: what follows them is done before the next is heard. */
const moving: ReadonlySet<string> = new Set([
  'order.settled',
  'order.failed',
  'order.returned',
  'money.received',
]);

/** Tells what the service has not heard, in any order. */
async function hearAll(server: ModelServer, run: Twin, choices: Choices): Promise<void> {
  const { process, model } = run;
  const tenantId = process?.tenantId ?? '';
  for (let left = true; left; ) {
    await server.settle(tenantId, model.clock.nowMs);
    await learnPayouts(run);
    const events = (await process?.bank.eventsOf(tenantId)) ?? [];
    const unheard = events.filter(({ id }) => !process?.told.has(id));
    left = unheard.length > 0;
    for (const event of choices.shuffle(unheard)) {
      process?.told.add(event.id);
      const telling = await tellEvent(run, event);
      if (!telling) continue;
      requireSame(`the feed tells ${JSON.stringify(event)}`, telling.actual, telling.expected);
      if (telling.target && moving.has(event.type))
        await server.settle(tenantId, model.clock.nowMs);
    }
  }
}

/**
 * A person books what the bank moved after it had said that it failed, and the bank's own book shows: a transfer of another
 * amount than was ordered stands only in an untrue message.
 */
async function bookAll({ sender, client }: Twin, choices: Choices): Promise<number> {
  const open = await sender.query<{ id: string }>(
    `select id from bank_messages where tenant_id = $1 and status = 'open' and outcome in ('settled', 'returned')
       and source_type not in ('load', 'payment') and record_status in ('failed', 'suspense')
       and (outcome = 'returned' or amount in (select i.amount from instructions i
         where i.tenant_id = $1 and i.source_id = bank_messages.source_id))
     order by created_at, id`,
  );
  let booked = 0;
  for (const { id } of open) {
    const path = `/portal/api/review/bank-messages/${publicId('bank_message', id)}/book`;
    const { outcome } = await client.send(post(path, {}), 'done', choices);
    requireSame(`booking ${id}`, outcome.code, 'done');
    booked += 1;
  }
  return booked;
}

/** The sandbox fills its reserve by itself: what it says that its bank has moved is paid in here. */
async function fundReserve({ sender, process }: Twin): Promise<void> {
  const [row] = await sender.query<{ cents: number }>(
    `select coalesce(sum(amount), 0)::bigint as cents from instructions
     where tenant_id = $1 and purpose = 'reserve_top_up' and answer = 'settled'`,
  );
  if (!process || !row || row.cents === process.funded) return;
  const event = await process.bank.fund(process.tenantId, row.cents - process.funded);
  process.funded = row.cents;
  if (event) process.told.add(event.id);
}

/** @throws where the ledger's cash is not what the bank holds */
export async function requireOneBook(run: Twin): Promise<void> {
  const [row] = await run.sender.query<{ cash: number }>(
    `select coalesce(-sum(delta), 0)::bigint as cash from entries where tenant_id = $1 and pocket = 'cash'`,
  );
  const held = await run.process?.bank.balanceOf(run.process.tenantId);
  requireSame('cash, and what the bank holds', row?.cash, held);
}

/**
 * Brings a moment at which nothing is on its way, and holds the ledger against the bank's own book.
 * @param ends the bank also says its last word of what it was asked to cancel
 */
export async function becomeQuiet(
  server: ModelServer,
  run: Twin,
  choices: Choices,
  ends = false,
): Promise<void> {
  if (!run.process) return;
  if (ends) await closingEnds(run, choices);
  await hearAll(server, run, choices);
  run.process.booked += await bookAll(run, choices);
  run.process.quiet += 1;
  await server.settle(run.process.tenantId, run.model.clock.nowMs);
  await fundReserve(run);
  await requireOneBook(run);
}
