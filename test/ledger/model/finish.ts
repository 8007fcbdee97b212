import { setTimeout as sleep } from 'node:timers/promises';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { choicesOf } from '../../kit/seed.ts';
import { determineOne } from './moves/disputes.ts';
import { bankSays, learnPayouts, reactivate, sentTo } from './moves/money.ts';
import type { Move } from './moves/move.ts';
import { type ModelHouse, startMs } from './server.ts';
import { advance, compare, expectSame, type Life } from './tenant.ts';
import { dayMs, isOpen, isUnresolved } from './types.ts';

/** Each round lies past the longest wait that the one before can have begun. */
const rounds = 4;
const roundMs = 31 * dayMs;
/** The schedule of a delivery ends after three days (contract: Delivery). */
const retriesMs = 3 * dayMs;
const deliveryPatienceMs = 60_000;
const deliveryLookMs = 100;

/** Everybody who was waited for does at last what it was waited for. */
async function* answers(life: Life, round: number, seed: number): AsyncGenerator<Move> {
  const choices = choicesOf(seed, `life ${life.number} liveness ${round}`);
  const { model } = life;
  for (const person of model.people) if (person.heldBack) yield reactivate(life, choices, person);
  for (let sent = sentTo(life); sent.length > 0; sent = sentTo(life)) {
    for (const target of sent)
      if (target.status === 'processing')
        yield bankSays(life, choices, life.nowMs, target, round > 0 || choices.percent(70));
    await learnPayouts(life);
  }
  for (const dispute of model.disputes)
    if (isUnresolved(dispute) && !dispute.linkedTo)
      yield determineOne(life, choices, dispute, dispute.disputed === null ? 'denied' : 'approved');
}

/** What of the model is still open, in words. */
function openOf({ model }: Life): string[] {
  const targets = [...model.payments, ...model.loads, ...model.withdrawals, ...model.refunds];
  return [
    ...targets
      .filter((one) => isOpen(one) || ['processing', 'pending_funds'].includes(one.status))
      .map(({ id, status }) => `${id} is ${status}`),
    ...model.requests
      .filter(({ status, amount }) => status === 'open' && amount !== null)
      .map(({ id }) => `${id} is open`),
    ...model.disputes
      .filter(({ status }) => status !== 'closed')
      .map(({ id, status }) => `${id} is ${status}`),
    ...model.people
      .filter(({ pending, earmarked }) => pending + earmarked > 0)
      .map(({ customerId }) => `something of ${customerId} is held`),
    ...model.people
      .filter(({ status, available, links }) => {
        const canPayOut = links.some((one) => one.status === 'verified' && one.offers.withdrawal);
        return status === 'suspended' || (status === 'closing' && (canPayOut || available === 0));
      })
      .map(({ customerId, status }) => `${customerId} is ${status}`),
  ];
}

/** What of a life's events was not delivered: at all, and of that what should be by now. */
async function undelivered({ sender }: Life): Promise<{ open: number; due: number }> {
  const [row] = await sender.query<{ open: number; due: number }>(
    `select count(*)::integer as open,
       (count(*) filter (where wake_at <= $2 or lease_until is not null))::integer as due
     from deliveries where tenant_id = $1 and status <> 'delivered'`,
    new Date(startMs).toISOString(),
  );
  return row ?? { open: 0, due: 0 };
}

/** The dispatcher runs in real time; what a receiver has refused comes again as the clock goes. */
async function awaitDeliveries(house: ModelHouse, life: Life): Promise<void> {
  const until = performance.now() + deliveryPatienceMs;
  for (let left = await undelivered(life); left.open > 0; left = await undelivered(life)) {
    if (performance.now() > until)
      throw new Error(`not delivered: ${left.open} events, ${left.due} of them due`);
    if (left.due > 0) await sleep(deliveryLookMs);
    else await advance(house, life, life.nowMs + retriesMs);
  }
}

/** Its endpoint was there before its first event, so each is due and each must have come. */
async function expectDelivered(house: ModelHouse, life: Life): Promise<void> {
  const { receiver, sender } = life;
  if (!receiver) return;
  await awaitDeliveries(house, life);
  const rows = await sender.query<{ id: string }>('select id from events where tenant_id = $1');
  const came = house.receivers.came(receiver);
  const missing = rows.filter(({ id }) => !came.has(publicId('event', id)));
  expectSame('events that never came', missing.length, 0);
}

/**
 * No faults of its own any more, the outside answers everything and the clock goes past every deadline: all that
 * was begun must end, and everything must be as the model says.
 */
export async function playToTheEnd(house: ModelHouse, life: Life, seed: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for await (const { told, expected, actual } of answers(life, round, seed)) {
      expectSame(`liveness: ${told}`, actual, expected);
      await house.settle(life.tenantId, life.nowMs);
    }
    await advance(house, life, life.nowMs + roundMs);
    await compare(life, 40);
    if (openOf(life).length === 0) break;
  }
  await compare(life, Infinity);
  expectSame('what is still open', openOf(life), []);
  await expectDelivered(house, life);
}
