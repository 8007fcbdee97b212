import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Api } from '../../kit/api.ts';
import type { CallOptions, Reply } from '../../kit/http/http.ts';
import { keyFor } from '../../kit/ids.ts';
import { until } from '../../kit/wait.ts';

/** A caller that sends a request again, with the same key, until it is answered by other than 503. */
function openPatience({ call }: Api) {
  /** The number of refusals: none but 503 with `Retry-After`, or a connection that was cut. */
  let refusals = 0;
  let longestMs = 0;

  async function ask(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    let firstMs: number | null = null;
    for (;;) {
      const reply = await call(method, path, options).catch(() => null);
      if (reply !== null && reply.status !== 503) {
        if (firstMs !== null) longestMs = Math.max(longestMs, performance.now() - firstMs);
        return reply;
      }
      firstMs ??= performance.now();
      refusals += 1;
      if (reply) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      await sleep(20);
    }
  }
  return { ask, found: () => ({ refusals, longestMs }) };
}

/** Between two payments of a lane: what is tried is the move, not how much the machine carries. */
const pauseMs = 100;

/** Makes, confirms and reads payments of a cent until it is ended. */
export async function openPayments(api: Api) {
  const payer = await api.funded('individual', 500_00);
  const payee = await api.banked('business');
  const { ask, found } = openPatience(api);
  const completed: string[] = [];
  let isOver = false;

  async function pay(): Promise<void> {
    while (!isOver) {
      const { customerId } = payer;
      const body = {
        payer_customer_id: customerId,
        payee_customer_id: payee.customerId,
        amount: 1,
      };
      const options = { ...keyFor('POST'), body: { ...body, source: 'balance' } };
      const reply = await ask('POST', '/v1/payments', options);
      expect(reply.status, JSON.stringify(reply.body)).toBe(201);
      const { id: object_id } = reply.body;
      const played = { ...keyFor('POST'), body: { object_id } };
      const done = await ask('POST', '/v1/sandbox/simulate/session.completed', played);
      expect(done.status, JSON.stringify(done.body)).toBe(202);
      completed.push(object_id);
      await sleep(pauseMs);
    }
  }
  async function read(): Promise<void> {
    while (!isOver) {
      const reply = await ask('GET', `/v1/customers/${payer.customerId}`);
      expect([reply.status, reply.body.id]).toEqual([200, payer.customerId]);
      await sleep(pauseMs);
    }
  }
  const running = Promise.all([pay(), pay(), read()]);
  running.catch(() => {});

  return {
    /** Payments whose completion was acknowledged so far. */
    completed,
    /** Waits until `count` more are. @throws what was wrong */
    more(count: number): Promise<unknown> {
      const target = completed.length + count;
      return Promise.race([running, until(() => completed.length >= target)]);
    },
    /** Ends the load. @returns its refusals, and the longest time without an answer; throws what was wrong */
    async end() {
      isOver = true;
      await running;
      return { ...found(), payer };
    },
  };
}
