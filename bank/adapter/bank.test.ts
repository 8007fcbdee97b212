import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bank, BankInstruction } from '../../service/rails/bank.ts';
import type { BankFact } from '../../service/rails/facts.ts';
import { type BankProcess, startBank } from '../../test/kit/bank/bank_process.ts';
import { until } from '../../test/kit/wait.ts';
import { openBank } from './bank.ts';
import { openClient } from './client.ts';
import { openProvider } from './provider.ts';

/** The adapter's calls, answered by a bank process. */

let process: BankProcess;
let bank: Bank;
let client: ReturnType<typeof openClient>;
let told: BankFact[] = [];
const folder = mkdtempSync(join(tmpdir(), 'bank-'));
beforeAll(async () => {
  process = await startBank(folder, { BANK_ANSWER_MS: '1' });
  client = openClient({ url: process.url, folder });
  bank = openBank(client, async (_tenantId, fact) => void told.push(fact));
});
afterAll(async () => {
  await client.close();
  await process.stop();
  rmSync(folder, { recursive: true });
});

const tenantId = randomUUID();
function orderOf(given: Partial<BankInstruction> = {}): BankInstruction {
  const id = randomUUID();
  return {
    tenantId,
    id,
    endToEndId: id.replaceAll('-', ''),
    kind: 'request_for_payment',
    purpose: 'load',
    request: { useCase: 'account_to_account', networks: ['rtp'] },
    amount: 5_00,
    from: null,
    to: { role: 'fbo', account: null },
    expiresAt: null,
    reference: 'her bank',
    counterparty: null,
    remittance: 'Corner Shop ld-1',
    returnOf: null,
    ...given,
  };
}
const silent = (share: number) =>
  process.play('PUT', '/play/behaviour', { faults: { silent: share } });
const asked = ({ id }: BankInstruction) => ({ tenantId, id, providerId: null });
const ends = async ({ id }: BankInstruction, status: string) =>
  until(async () => (await process.call('GET', `/orders/${id}`)).body.status === status);

test('an order is taken under the bank\u2019s own id, and what has ended is told when it is handed over again', async () => {
  told = [];
  const order = orderOf();
  const taken = await bank.take(order);
  expect(taken).toEqual({ providerId: expect.stringMatching(/^trf_/) });
  await ends(order, 'settled');
  expect(told).toEqual([]);
  expect(await bank.take({ ...order, remittance: 'Corner Shop ld-2' })).toEqual(taken);
  const { providerId } = taken as { providerId: string };
  const settled = { orderId: order.id, outcome: 'settled', amount: 5_00, paymentId: providerId };
  expect(told).toEqual([expect.objectContaining(settled)]);
  await expect(bank.take({ ...order, amount: 6_00 })).rejects.toThrow('order_differs');
});

test('an order that the bank can do nothing with is refused, and one that it could not take is not', async () => {
  const refused = { name: 'Refused', reason: 'FF02', saidBy: 'bank' };
  await expect(bank.take(orderOf({ amount: 0 }))).rejects.toMatchObject(refused);
  await process.play('PUT', '/play/behaviour', { faults: { error_500: 1 } });
  await expect(bank.take(orderOf({ amount: 5_03 }))).rejects.toMatchObject({ name: 'Error' });
  await silent(0);
});

test('an order is cancelled at the bank, and one that it never had is over', async () => {
  await silent(1);
  const order = orderOf();
  await bank.take(order);
  await bank.cancel?.(asked(order));
  await ends(order, 'cancelled');
  await silent(0);
  const settled = orderOf();
  await bank.take(settled);
  await ends(settled, 'settled');
  await bank.cancel?.(asked(settled));
  told = [];
  const never = orderOf();
  await bank.cancel?.(asked(never));
  expect(told).toEqual([expect.objectContaining({ orderId: never.id, outcome: 'cancelled' })]);
});

test('the bank says how an order stands, and which it has never had', async () => {
  expect(await bank.query?.(asked(orderOf()))).toEqual({ known: false });
  const order = orderOf({ amount: 7_00 });
  await silent(1);
  await bank.take(order);
  told = [];
  expect(await bank.query?.(asked(order))).toEqual({ known: true });
  await process.play('POST', `/play/orders/${order.id}/fail`, { reason: 'AC04' });
  await silent(0);
  await bank.query?.(asked(order));
  expect(told).toMatchObject([{ outcome: 'sent' }, { outcome: 'failed', reason: 'AC04' }]);
});

test('the answer to a request to give money back reaches the bank that asked', async () => {
  const order = orderOf({ amount: 8_00 });
  await bank.take(order);
  await ends(order, 'settled');
  const { return_request: id } = (
    await process.play('POST', `/play/orders/${order.id}/ask-back`, { reason: 'FRAD' })
  ).body;
  const answer = { tenantId, id, answer: 'partial', amount: 3_00, text: 'half' } as const;
  for (let times = 0; times < 2; times += 1) await bank.answerReturnRequest?.(answer);
  const other = { ...answer, answer: 'reject', amount: null } as const;
  await expect(bank.answerReturnRequest?.(other)).rejects.toThrow('already_answered');
});

test('the check says of each of two lines whether it is so, and what to do', async () => {
  const linesOf = (given: typeof client) =>
    openProvider(given, { pollSeconds: 1, dropped: new Map() }).check?.({
      signal: new AbortController().signal,
    });
  expect((await linesOf(client))?.map(({ ok }) => ok)).toEqual([true, true]);
  const empty = openClient({ url: process.url, folder: join(folder, 'none') });
  const lines = await linesOf(empty);
  expect(lines?.map(({ ok }) => ok)).toEqual([false, false]);
  expect(lines?.every(({ advice }) => advice !== null)).toBe(true);
});
