import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../kit/api.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import type { Person } from '../../kit/person.ts';
import { choicesOf } from '../../kit/seed.ts';
import type { TestTenant } from '../../kit/server.ts';
import { type LastingApi, openLastingApi } from './lasting_api.ts';

const payers = 40;
const shops = 4;
const balanceCents = 900_00;
/** Callers that wait at most: more would be a queue, not a load. */
const mostAtOnce = 200;
const capacityCallers = 16;

/** A service, and the Tenant that calls it. */
export interface LoadPlan {
  readonly baseUrl: string;
  readonly tenant: TestTenant;
  readonly seed: number;
}

/** A Tenant's server: it takes webhooks, keeps none, and calls at a steady rate. */
export interface TenantServer {
  /** Takes every event. @returns its address */
  listen(): Promise<string>;
  /** Makes the customers. */
  open(plan: LoadPlan): Promise<void>;
  /** Calls without a pause. @returns the operations that ended in this time */
  callFor(ms: number): Promise<number>;
  /** The money that its operations brought to the bank so far, in cents. */
  brought(): Promise<number>;
  /** Begins to call so many times a second, whether replies are slow or not. */
  pace(rate: number): Promise<void>;
  /** Milliseconds of each operation that ended since the last call. */
  take(): Promise<number[]>;
  /** Ends the load when all replies are there. */
  end(): Promise<{ failures: string[]; repeats: number }>;
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

/** One Tenant's server; `open` is called first. */
export function openTenantServer(): TenantServer {
  const bank = { cents: 0 };
  const failures: string[] = [];
  const under = new Set<Promise<void>>();
  let ended: number[] = [];
  let isOver = false;
  let pacing: Promise<void> | null = null;
  let lasting: LastingApi;
  let operation: Operation;

  async function timed(number: number): Promise<void> {
    const begunMs = performance.now();
    await operation(number).catch((error: Error) => void failures.push(error.message));
    ended.push(performance.now() - begunMs);
  }

  async function callAt(rate: number): Promise<void> {
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

  return {
    async listen() {
      const sink = createServer((request, response) => {
        request.resume().on('end', () => response.writeHead(200).end());
      });
      await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
    },
    async open({ baseUrl, tenant, seed }) {
      lasting = openLastingApi(baseUrl, tenant);
      operation = await openOperations(lasting.api, seed, bank);
    },
    async callFor(ms) {
      const untilMs = performance.now() + ms;
      let count = 0;
      async function caller(number: number): Promise<void> {
        for (let turn = 0; performance.now() < untilMs; turn += 1) {
          await operation(-(number + capacityCallers * turn) - 1);
          count += 1;
        }
      }
      await Promise.all(Array.from({ length: capacityCallers }, (_, number) => caller(number)));
      return count;
    },
    brought: async () => bank.cents,
    async pace(rate) {
      pacing = callAt(rate);
    },
    async take() {
      const taken = ended;
      ended = [];
      return taken;
    },
    async end() {
      isOver = true;
      await pacing;
      await Promise.all(under);
      return { failures, repeats: lasting.counts.repeats };
    },
  };
}
