import { randomUUID } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { openInbound } from '@tenant-payments/service/inbound/inbound.ts';
import type { BankOutcome } from '@tenant-payments/service/rails/facts.ts';
import { expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';

/** Transfers that the bank executed after it had said that they failed (rules/bank-orders#27). */

const server = await openServer({ manual: true, onLog: () => {}, bank: { take: async () => {} } });
const { api, engine } = server;
const { tenantId } = server.tenant;
const inbound = openInbound({ ...server.service, asks: false });

const review = (resource: string, id: string, move: string, body: object = {}) =>
  api.post(`/portal/api/review/${resource}/${id}/${move}`, body);

/** The Tenant's own accounts, in cents: what the bank has, and the reserve. */
async function held() {
  const [row] = await engine.query<{ cash: number; reserve: number }>(
    `select coalesce(-sum(delta) filter (where pocket = 'cash'), 0)::int as cash,
       coalesce(sum(delta) filter (where pocket = 'reserve'), 0)::int as reserve
     from entries where tenant_id = $1 and account_id is null`,
  );
  return row ?? { cash: 0, reserve: 0 };
}

const orderOf = async (source: string): Promise<string> =>
  (
    await engine.query(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      source,
    )
  )[0].id;
const say = async (source: string, answer: BankOutcome) =>
  inbound.bank(tenantId, { id: randomUUID(), orderId: await orderOf(source), ...answer });

/** The open messages about a record, the oldest first. */
const messagesOf = async (source: string): Promise<string[]> =>
  (
    await engine.query<{ id: string }>(
      `select id from bank_messages where tenant_id = $1 and source_id = $2 and status = 'open'
       order by created_at, id`,
      source,
    )
  ).map(({ id }) => publicId('bank_message', id));

const failed = { outcome: 'failed', reason: 'AC04' } as const;

/** A withdrawal of $3.00 that the bank had reported as failed, and then executed. */
async function executed() {
  const ben = await api.funded('individual', 5_00);
  const made: ReplyBody = await api.confirmed(api.withdraw(ben, 3_00));
  const source = uuid('withdrawal', made.id);
  expect(await say(source, failed)).toBe('taken');
  expect(await say(source, { outcome: 'settled', amount: 3_00 })).toBe('contradiction');
  const [message = ''] = await messagesOf(source);
  return { ben, id: made.id, source, message };
}

test('a withdrawal that was executed after it had failed leaves cash by the reserve, and an adjustment takes it back from its customer', async () => {
  const { ben, id, message } = await executed();
  const before = await held();
  const booked = await review('bank-messages', message, 'book', { note: 'the bank confirms it' });
  expect(booked).toMatchObject({ status: 'closed', booked_at: expect.any(String) });
  expect(await held()).toEqual({ cash: before.cash - 3_00, reserve: before.reserve - 3_00 });
  expect((await api.get(`/v1/withdrawals/${id}`)).status).toBe('failed');
  expect(await api.balance(ben)).toMatchObject({ available: 5_00 });
  await review('accounts', ben.accountId, 'adjust', { amount: -3_00, note: 'paid after all' });
  expect(await held()).toEqual({ cash: before.cash - 3_00, reserve: before.reserve });
});

test('of one order it is booked once, whichever amount another message names', async () => {
  const { source, message } = await executed();
  await say(source, { outcome: 'settled', amount: 3_01 });
  const [, other = ''] = await messagesOf(source);
  await review('bank-messages', message, 'book');
  const before = await held();
  for (const [of, reason] of [
    [other, 'booked_before'],
    [message, undefined],
  ] as const) {
    const refusal = await refusalOf(review('bank-messages', of, 'book'));
    expect(refusal).toMatchObject({ code: 'invalid_state' });
    expect((refusal as ReplyBody).details.reason).toBe(reason);
  }
  expect(await held()).toEqual(before);
});

test('what comes back of it is booked to the reserve', async () => {
  const { source, message } = await executed();
  const before = await held();
  await review('bank-messages', message, 'book');
  expect(await say(source, { outcome: 'returned', amount: 3_00 })).toBe('contradiction');
  const [returned = ''] = await messagesOf(source);
  await review('bank-messages', returned, 'book');
  expect(await held()).toEqual(before);
});

test('money for the reserve that came after it had failed is cash, and in the reserve', async () => {
  const before = await held();
  const { id } = await review('reserve', 'reserve', 'fund', { amount: 7_00, note: 'more' });
  const source = uuid('adjustment', id);
  await say(source, failed);
  expect(await held()).toEqual(before);
  await say(source, { outcome: 'settled', amount: 7_00 });
  const [message = ''] = await messagesOf(source);
  await review('bank-messages', message, 'book');
  expect(await held()).toEqual({ cash: before.cash + 7_00, reserve: before.reserve + 7_00 });
});

test('a message of which nothing is left to book is refused', async () => {
  const ben = await api.banked('individual');
  const load = await api.confirmed(api.load(ben, 3_00));
  const source = uuid('load', load.id);
  await say(source, failed);
  await say(source, { outcome: 'settled', amount: 3_00 });
  const [late = ''] = await messagesOf(source);
  const withdrawal = await api.confirmed(api.withdraw(await api.funded('individual', 5_00), 3_00));
  await say(uuid('withdrawal', withdrawal.id), { outcome: 'settled', amount: 3_00 });
  await say(uuid('withdrawal', withdrawal.id), failed);
  const [untrue = ''] = await messagesOf(uuid('withdrawal', withdrawal.id));
  for (const message of [late, untrue])
    expect(await refusalOf(review('bank-messages', message, 'book'))).toMatchObject({
      code: 'invalid_state',
      details: { reason: 'nothing_to_book' },
    });
});

test('requests are allowed again to a customer who takes them, with the reason, and to nobody else', async () => {
  const ben = await api.banked('individual');
  const link = String(ben.linkedAccountId);
  const lift = (body: object = { note: 'the bank has it in writing' }) =>
    review('linked-accounts', link, 'lift_opt_out', body);
  expect(await refusalOf(lift())).toMatchObject({ details: { reason: 'not_opted_out' } });
  const load = await api.confirmed(api.load(ben, 3_00));
  await say(uuid('load', load.id), { outcome: 'failed', reason: 'SL12' });
  await server.workers.jobs.runDueJobs(tenantId);
  expect(await refusalOf(api.load(ben, 3_00))).toMatchObject({ code: expect.any(String) });
  expect(await refusalOf(lift({}))).toMatchObject({ code: 'parameter_missing', param: 'note' });
  expect(await lift()).toMatchObject({ capabilities: { load: true, pay_by_bank: true } });
  expect((await api.load(ben, 3_00)).status).toBe('requires_confirmation');
});
