import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBank } from '../../../../bank/adapter/bank.ts';
import { openClient } from '../../../../bank/adapter/client.ts';
import { receiptOf } from '../../../../bank/adapter/facts.ts';
import type { BankEvent, Order } from '../../../../bank/book/types.ts';
import type { Bank, BankInstruction, TakenOrder } from '../../../../service/rails/bank.ts';
import type { RailsCall } from '../../../../service/rails/call.ts';
import type { BankFact, FactResult } from '../../../../service/rails/facts.ts';
import { isSimulated } from '../../../../service/sandbox/rails/test_values.ts';
import { startBank } from '../../../kit/bank/bank_process.ts';
import { freePort } from '../../../kit/processes/free_port.ts';
import { choicesOf } from '../../../kit/seed.ts';

/** Reports a fact to the service. */
type Tell = (tenantId: string, fact: BankFact) => Promise<FactResult>;

/** An order that the bank is asked about so often has ended there. */
const asksAtMost = 3;

/**
 * The sandbox bank in a process of its own, with its own ledger, of which the model plays every act. It answers what the
 * service orders for itself at once, some of it with no, and some with no before it does it; nothing else.
 * @param tell how its words reach the service
 */
export async function startModelBank(seed: number, tell: Tell) {
  const folder = mkdtempSync(join(tmpdir(), 'model-bank-'));
  const port = await freePort();
  const process = await startBank(folder, { BANK_PORT: `${port}` });
  await process.play('PUT', '/play/behaviour', { seed, faults: { silent: 1 } });
  const client = openClient({ url: process.url, folder });
  const book = openBank(client, tell);
  /** By which what each order meets is drawn: never its id, which is another one in each run. */
  const keys = new Map<string, string>();
  const counts = new Map<string, number>();
  const asked = new Map<string, number>();
  /** Tenants whose people are there. Before, an order that the bank has not taken would keep them waiting. */
  const begun = new Set<string>();
  const figures = {
    acts: 0,
    refusedOnce: 0,
    unheard: 0,
    ignored: 0,
    failedOwn: 0,
    contradictedOwn: 0,
  };

  /** @returns null where the bank cannot do that now */
  async function play(path: string, body: object): Promise<BankEvent | null> {
    const reply = await process.play('POST', `/play/${path}`, body);
    figures.acts += 1;
    return reply.status === 200 ? reply.body : null;
  }
  const playOrder = (id: string, act: string, body: object = {}) =>
    play(`orders/${id}/${act}`, body);

  /** @returns whether the order is new */
  function learn({ id, tenantId, purpose, amount }: BankInstruction): boolean {
    if (keys.has(id)) return false;
    const like = `${tenantId} ${purpose} ${amount}`;
    const before = counts.get(like) ?? 0;
    counts.set(like, before + 1);
    keys.set(id, `${purpose} ${amount} ${before}`);
    return true;
  }
  const drawOf = (id: string, question: string) => choicesOf(seed, `${question} ${keys.get(id)}`);

  async function take(order: BankInstruction, more?: RailsCall) {
    const { id, tenantId, purpose, amount } = order;
    const isFirst = learn(order);
    const fault = begun.has(tenantId) ? drawOf(id, 'taking').below(100) : 100;
    if (isFirst && fault < 3) {
      figures.refusedOnce += 1;
      throw new Error('an error of the bank; the order is not taken');
    }
    if (order.from?.role === 'operating')
      await play('money', { tenant: tenantId, account: 'operating', amount });
    // Its clock is another one than the Tenant's: the service ends requests, and cancels them here.
    const taken = await book.take({ ...order, expiresAt: null }, more);
    if (!isSimulated(purpose)) await answerAtOnce(tenantId, id);
    if (isFirst && fault < 6) {
      figures.unheard += 1;
      throw new Error('no answer in time; the order is taken');
    }
    return taken;
  }

  async function answerAtOnce(tenantId: string, id: string): Promise<void> {
    const drawn = drawOf(id, 'answering').below(100);
    const fails = drawn < 5;
    if (fails) figures.failedOwn += 1;
    else if (drawn < 10) {
      figures.contradictedOwn += 1;
      await tell(tenantId, {
        id: `untrue ${id}`,
        orderId: id,
        outcome: 'failed',
        reason: 'AC04',
      });
    }
    const event = await playOrder(id, fails ? 'fail' : 'settle', fails ? { reason: 'AC04' } : {});
    const receipt = event && receiptOf(event);
    if (receipt?.port === 'bank') await tell(tenantId, receipt.fact);
  }

  const bank: Bank = {
    ...book,
    take,
    /** One in three is not cancelled: its customer may still pay it. */
    async cancel(order: TakenOrder, more?: RailsCall) {
      if (drawOf(order.id, 'cancelling').below(3) > 0) return book.cancel?.(order, more);
      figures.ignored += 1;
    },
    async query(order: TakenOrder, more?: RailsCall) {
      const times = (asked.get(order.id) ?? 0) + 1;
      asked.set(order.id, times);
      if (times > asksAtMost) await playOrder(order.id, 'fail', { reason: 'AB09' });
      return (await book.query?.(order, more)) ?? { known: false };
    },
  };

  let read = 0;
  const events = new Map<string, BankEvent[]>();

  /** Reads on in the feed. @returns what it has told of a Tenant, from the beginning */
  async function eventsOf(tenantId: string): Promise<readonly BankEvent[]> {
    for (;;) {
      const { data } = (await process.call('GET', `/events?limit=500&after=${read}`)).body;
      for (const event of data as BankEvent[]) {
        const known = events.get(event.tenant) ?? [];
        known.push(event);
        events.set(event.tenant, known);
      }
      read += data.length;
      if (data.length === 0) return events.get(tenantId) ?? [];
    }
  }
  let reading: Promise<unknown> = Promise.resolve();

  return {
    bank,
    figures,
    playOrder,
    /** Has the bank refuse orders, and leave them without an answer, from now on. */
    begin: (tenantId: string) => void begun.add(tenantId),
    /** Puts in the reserve that a sandbox gives by itself, whose order no bank gets. */
    fund: (tenant: string, amount: number) => play('money', { tenant, amount, sender: 'Reserve' }),
    money: (tenant: string, amount: number) =>
      play('money', { tenant, amount, sender: 'A stranger' }),
    async orderAt(id: string): Promise<Order | null> {
      const { status, body } = await process.call('GET', `/orders/${id}`);
      return status === 200 ? body : null;
    },
    /** One reader at a time. */
    eventsOf(tenantId: string): Promise<readonly BankEvent[]> {
      const mine = reading.then(() => eventsOf(tenantId));
      reading = mine.catch(() => {});
      return mine;
    },
    async balanceOf(tenantId: string): Promise<number> {
      const path = `/accounts/fbo/balance?tenant=${tenantId}`;
      return (await process.call('GET', path)).body.balance;
    },
    async stop(): Promise<void> {
      await client.close();
      await process.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
export type ModelBank = Awaited<ReturnType<typeof startModelBank>>;
