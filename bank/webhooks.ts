import pLimit from 'p-limit';
import type { Bank } from './bank.ts';
import type { BankEvent, Delivery, Entry } from './book/types.ts';
import { signedHeaders } from './signature.ts';

export interface WebhookSettings {
  /** Null: nobody hears of events by webhook. */
  readonly url: string | null;
  readonly secret: string;
  /** After the first try that failed; each further one waits twice as long. */
  readonly retryMs: number;
}

const longestWaitMs = 3_600_000;
const giveUpAfterMs = 3 * 24 * 3_600_000;
const answerWithinMs = 10_000;
const atOnce = 16;

/** How many messages of an event go out. */
const copies: Readonly<Record<Delivery, number>> = { once: 1, doubled: 2, reversed: 1, lost: 0 };

/** Sends events, again until they are taken, also after a restart. */
export function openWebhooks({ book, commit, onKept }: Bank, settings: WebhookSettings) {
  const { url, secret, retryMs } = settings;
  const limit = pLimit(atOnce);
  const timers = new Set<NodeJS.Timeout>();
  const ending = new AbortController();
  /** Events of an order that go out in the opposite order. */
  const held = new Map<string, BankEvent[]>();

  async function isTaken(event: BankEvent): Promise<boolean> {
    const body = JSON.stringify(event);
    const headers = signedHeaders(event.id, Math.floor(Date.now() / 1_000), body, secret);
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(answerWithinMs)]);
    try {
      const reply = await fetch(url ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'error',
        signal,
      });
      await reply.arrayBuffer();
      return reply.ok;
    } catch {
      return false;
    }
  }

  const end = (event: BankEvent) =>
    commit({ at: new Date().toISOString(), delivered: event.id }).catch(() => {});

  async function send(event: BankEvent, waitMs = retryMs): Promise<void> {
    const taken = await limit(() => isTaken(event));
    if (ending.signal.aborted || !book.undelivered.has(event.id)) return;
    const isOver = Date.now() - Date.parse(event.at) > giveUpAfterMs;
    if (taken || isOver) return end(event);
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        void send(event, waitMs * 2);
      },
      Math.min(waitMs, longestWaitMs),
    );
    timers.add(timer);
  }

  const deliveryOf = ({ order }: BankEvent): Delivery =>
    book.orders.get(order ?? '')?.plan.delivery ?? 'once';

  function tell(event: BankEvent): void {
    const delivery = deliveryOf(event);
    if (delivery === 'lost') void end(event);
    for (let copy = 0; copy < copies[delivery]; copy += 1) void send(event);
  }

  /** Holds events back until the plan of their order is done, and then sends the last one first. */
  async function turnRound(id: string, event: BankEvent | undefined): Promise<void> {
    const events = held.get(id) ?? [];
    if (event) events.push(event);
    held.set(id, events);
    const order = book.orders.get(id);
    if (order && order.plan.steps.length > order.stepsDone) return;
    held.delete(id);
    for (const one of events.reverse()) await send(one);
  }

  function hear({ event, stepOf }: Entry): void {
    const id = event?.order ?? stepOf ?? null;
    if (id !== null && book.orders.get(id)?.plan.delivery === 'reversed') void turnRound(id, event);
    else if (event) tell(event);
  }

  if (url !== null) {
    for (const event of book.undelivered.values()) tell(event);
    onKept(hear);
  }
  return {
    close(): void {
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
