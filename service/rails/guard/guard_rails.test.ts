import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { railsDeadlinesOf } from '../../config/rails_deadlines.ts';
import { type BankInstruction, bankCan } from '../bank.ts';
import type { RailsCall } from '../call.ts';
import type { Rails } from '../rails.ts';
import { guardRails } from './guard_rails.ts';

const order = (id: string): BankInstruction => ({
  tenantId: 'a tenant',
  id,
  kind: 'credit_transfer',
  request: null,
  amount: 1,
  endToEndId: id,
  purpose: 'withdrawal',
  from: { role: 'fbo', account: null },
  to: null,
  expiresAt: null,
  returnOf: null,
  reference: 'a reference',
  counterparty: null,
  remittance: 'Corner Shop wd-1',
});

const nothing = async () => {};
const unused = {
  identity: { collect: async () => '', check: nothing, matches: async () => true },
  aggregator: { linkToken: async () => '', exchange: async () => never(), verify: nothing },
  messages: { send: nothing },
};
const never = () => new Promise<never>(() => {});

/** Guarded rails with this bank, whose deadline is 1 s. */
function guarded(take: (order: BankInstruction, call: RailsCall) => Promise<void>, more = {}) {
  const results: string[] = [];
  const running: number[] = [];
  const rails = { ...unused, bank: { take }, ...more } as unknown as Rails;
  const safe = guardRails(rails, {
    deadlines: railsDeadlinesOf('1', []),
    observer: {
      ended: (_method, result) => results.push(result),
      running: (_method, count) => running.push(count),
      paused: () => {},
    },
  });
  return { ...safe, results, running };
}

const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error) => `${error.status} ${error.reason}`,
  );

test('a call without an answer ends at its deadline with 503, and its signal says so to the module', async () => {
  let aborted = false;
  const { bank, results } = guarded((_order, { signal }) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return never();
  });
  const beganMs = performance.now();
  expect(await reasonOf(bank.take(order('1')))).toBe('503 provider_timeout');
  expect(performance.now() - beganMs).toBeLessThan(2_000);
  expect([aborted, results]).toEqual([true, ['provider_timeout']]);
});

test('an order is not handed over again while its first call runs, and others are', async () => {
  const taken: string[] = [];
  let answer = nothing as () => void;
  const { bank, running } = guarded(({ id }) => {
    taken.push(id);
    return id === '1' ? new Promise<void>((resolve) => (answer = resolve)) : nothing();
  });
  expect(await reasonOf(bank.take(order('1')))).toBe('503 provider_timeout');
  expect(await reasonOf(bank.take(order('1')))).toBe('503 provider_busy');
  expect(await reasonOf(bank.take(order('2')))).toBe('ok');
  expect(running.at(-1)).toBe(1);
  answer();
  await sleep(0);
  expect(await reasonOf(Promise.race([bank.take(order('1')), sleep(10)]))).toBe('ok');
  expect(taken).toEqual(['1', '2', '1']);
});

test('a hundred calls of a method run at a time, and a hanging bank keeps no identity from being checked', async () => {
  const { bank, identity, results } = guarded(never);
  const orders = Array.from({ length: 130 }, (_, id) => reasonOf(bank.take(order(`${id}`))));
  await identity.check({
    tenantId: 'a tenant',
    subject: 'customer',
    subjectId: '1',
    since: '2026-01-01T00:00:00.000Z',
    reference: null,
  } as never);
  expect(results.filter((result) => result === 'ok')).toHaveLength(1);
  const ended = await Promise.all(orders);
  expect(ended.filter((reason) => reason === '503 provider_timeout')).toHaveLength(100);
  expect(ended.filter((reason) => reason === '503 provider_busy')).toHaveLength(30);
  expect(await reasonOf(bank.take(order('next')))).toBe('503 provider_paused');
});

test('what a module throws is 503, and never its own error', async () => {
  const { bank } = guarded(() => {
    throw new Error('of the module');
  });
  expect(await reasonOf(bank.take(order('1')))).toBe('503 provider_threw');
});

test('a refusal of the bank passes as it is, and ten of them pause nothing', async () => {
  const refused = Object.assign(new Error('closed'), { name: 'Refused', reason: 'AC04' });
  const { bank, results } = guarded(() => Promise.reject(refused));
  for (let count = 0; count < 11; count += 1)
    await expect(bank.take(order(`${count}`))).rejects.toBe(refused);
  expect(new Set(results)).toEqual(new Set(['refused']));
});

test('a refusal of a part that may not refuse is a failed call', async () => {
  const refused = Object.assign(new Error('no'), { name: 'Refused', reason: 'AC04' });
  const { aggregator } = guarded(nothing, {
    aggregator: { verify: () => Promise.reject(refused) },
  });
  const asked = aggregator.verify({ tenantId: 'a tenant', linkId: '1' } as never);
  expect(await reasonOf(asked)).toBe('503 provider_threw');
});

test('what a bank can do is known, and its calls about an order are guarded like the order', async () => {
  const can = { cancel: true, query: true };
  const part = { take: nothing, can, cancel: never, query: async () => ({ known: false }) };
  const { bank } = guarded(nothing, { bank: part });
  const of = { tenantId: 'a tenant', id: '1', providerId: null };
  expect([bankCan(bank, 'cancel'), bankCan(bank, 'query')]).toEqual([true, true]);
  expect(await bank.query?.(of)).toEqual({ known: false });
  expect(await reasonOf(bank.cancel?.(of) ?? nothing())).toBe('503 provider_timeout');
  expect(await reasonOf(bank.cancel?.(of) ?? nothing())).toBe('503 provider_busy');
});

test('methods keep the object that they belong to, and what a module lacks stays absent', async () => {
  const heard: string[] = [];
  class Messages {
    readonly name = 'own';
    async send() {
      heard.push(this.name);
    }
  }
  const { messages } = guarded(nothing, { messages: new Messages() });
  await messages.send({ tenantId: 'a tenant', id: '1' } as never);
  expect([heard, messages.can]).toEqual([['own'], undefined]);
});

test('a module that never closes does not keep a process from its end', async () => {
  const { close } = guarded(nothing, { close: never });
  const beganMs = performance.now();
  await close();
  expect(performance.now() - beganMs).toBeLessThan(6_000);
}, 10_000);
