import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../kit/api.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import type { Person } from '../../kit/person.ts';
import { choicesOf } from '../../kit/seed.ts';

const payers = 40;
const shops = 4;
const balanceCents = 900_00;
/** Callers that wait at most: more would be a queue, not a load. */
const mostAtOnce = 200;
const capacityCallers = 16;
/** Code is compiled where it is hot, so the first seconds are slower. */
const warmUpMs = 10_000;
const capacityMs = 30_000;

/** A load at a steady rate, and what its bank knows. */
export interface SteadyLoad {
  /** Milliseconds of each operation that ended since the last call. */
  take(): number[];
  /** The money that this load brought to the bank, in cents. */
  readonly bank: { cents: number };
  readonly failures: readonly string[];
  end(): Promise<void>;
}

type Operation = (number: number) => Promise<void>;

/** Payments from balances and by bank, and refunds, from their creation to their end. */
async function openOperations(api: Api, seed: number, bank: { cents: number }) {
  const [people, merchants] = await Promise.all([
    Promise.all(Array.from({ length: payers }, () => api.funded('individual', balanceCents))),
    Promise.all(Array.from({ length: shops }, () => api.approved('business'))),
  ]);
  const refundable: ReplyBody[] = [];

  async function byBank(payer: Person, shop: Person, amount: number): Promise<void> {
    const taken = ['session.completed', 'payment.completed'];
    await api.played(api.payByBank(payer, shop, amount), ...taken);
    bank.cents += amount;
  }

  const operation: Operation = async (number) => {
    const choices = choicesOf(seed, `operation ${number}`);
    const payer = choices.pick(people);
    const shop = choices.pick(merchants);
    const amount = 1 + choices.below(3);
    const paid = choices.percent(10) ? refundable.shift() : undefined;
    if (paid) await api.confirmed(api.refund(paid, 1));
    else if (choices.percent(20)) await byBank(payer, shop, amount);
    else {
      const made = await api.confirmed(api.pay(payer, shop, amount));
      if (refundable.length < 100) refundable.push(made);
    }
  };
  return operation;
}

/** Operations a second of callers that never wait, until all that follows from them is done too. */
async function capacityOf(
  operation: Operation,
  lastsMs: number,
  drained: () => Promise<void>,
): Promise<number> {
  const begunMs = performance.now();
  const untilMs = begunMs + lastsMs;
  let count = 0;
  async function caller(number: number): Promise<void> {
    for (let turn = 0; performance.now() < untilMs; turn += 1) {
      await operation(-(number + capacityCallers * turn) - 1);
      count += 1;
    }
  }
  await Promise.all(Array.from({ length: capacityCallers }, (_, number) => caller(number)));
  await drained();
  return count / ((performance.now() - begunMs) / 1_000);
}

/**
 * Measures what the service can do, and then asks half of it, whether replies are slow or not.
 * @param drained waits until all that follows is done, such as the delivery of all events
 */
export async function startHalfLoad(
  api: Api,
  seed: number,
  drained: () => Promise<void>,
): Promise<SteadyLoad & { rate: number }> {
  const bank = { cents: 0 };
  const failures: string[] = [];
  const operation = await openOperations(api, seed, bank);
  await capacityOf(operation, warmUpMs, drained);
  const rate = (await capacityOf(operation, capacityMs, drained)) / 2;
  let ended: number[] = [];
  let isOver = false;
  const under = new Set<Promise<void>>();

  async function timed(number: number): Promise<void> {
    const begunMs = performance.now();
    await operation(number).catch((error: Error) => void failures.push(error.message));
    ended.push(performance.now() - begunMs);
  }

  async function pace(): Promise<void> {
    const begunMs = performance.now();
    for (let number = 0; !isOver; number += 1) {
      const dueMs = begunMs + (number / rate) * 1_000;
      if (dueMs > performance.now()) await sleep(dueMs - performance.now());
      if (under.size >= mostAtOnce) failures.push(`${mostAtOnce} operations wait`);
      if (under.size >= mostAtOnce) await Promise.race(under);
      const one: Promise<void> = timed(number).finally(() => under.delete(one));
      under.add(one);
    }
  }
  const pacing = pace();

  return {
    rate,
    bank,
    failures,
    take() {
      const taken = ended;
      ended = [];
      return taken;
    },
    async end() {
      isOver = true;
      await pacing;
      await Promise.all(under);
    },
  };
}
