import { setTimeout as sleep } from 'node:timers/promises';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { choicesOf } from '../../kit/seed.ts';
import { bankEnds } from './bank/plays.ts';
import { becomeQuiet } from './bank/quiet.ts';
import { compare, requireSame } from './compare.ts';
import { reactivate } from './moves/customers.ts';
import { determineOne } from './moves/disputes.ts';
import { bankAnswers, learnPayouts, namedTargets } from './moves/money.ts';
import type { Move } from './moves/move.ts';
import { isReasserted } from './resources/dispute_rules.ts';
import { type ModelServer, startMs } from './server.ts';
import { advance, check, type TenantRun } from './tenant.ts';
import { dayMs, isOpen, isSent, isUnresolved, type ModelDispute } from './types.ts';

/** Each round is longer than the longest wait that the one before can have begun. */
const rounds = 4;
const roundMs = 31 * dayMs;
/** A delivery is retried for three days. */
const retriesMs = 3 * dayMs;
const deliveryPatienceMs = 60_000;
const deliveryLookMs = 100;

/** Nobody knows what is disputed, or it was answered before. */
const isDenied = (dispute: ModelDispute): boolean =>
  dispute.disputed === null || isReasserted(dispute);

/** The reviewer and the bank do everything that they are waited for. */
async function* answers(
  server: ModelServer,
  run: TenantRun,
  round: number,
  seed: number,
): AsyncGenerator<Move> {
  const choices = choicesOf(seed, `tenant ${run.number} finish ${round}`);
  const { people, disputes } = run.model;
  const sent = () => namedTargets(run).filter(isSent);
  for (const person of people) if (person.heldBack) yield reactivate(run, choices, person);
  const ends = run.process ? bankEnds : bankAnswers;
  for (let targets = sent(), isOver = false; targets.length > 0 && !isOver; targets = sent()) {
    isOver = true;
    for (const target of targets) {
      const pays = round > 0 || choices.percent(70);
      const move = isSent(target) && (await ends(run, choices, target, pays));
      if (move) yield move;
      if (move) isOver = false;
    }
    await becomeQuiet(server, run, choices);
    await learnPayouts(run);
  }
  for (const dispute of disputes)
    if (isUnresolved(dispute) && !dispute.linkedTo)
      yield determineOne(run, choices, dispute, isDenied(dispute) ? 'denied' : 'approved');
}

/** The part of the model that is still open, in words. */
function openOf({ model }: TenantRun): string[] {
  const records = [
    ...model
      .targets()
      .filter((one) => isOpen(one) || isSent(one) || one.status === 'pending_funds'),
    ...model.requests.filter(({ status, amount }) => status === 'open' && amount !== null),
    ...model.disputes.filter(({ status }) => status !== 'closed'),
  ];
  const people = model.people.filter(({ status, pending, earmarked, available, links }) => {
    const canPayOut = links.some((one) => one.status === 'verified' && one.offers.withdrawal);
    const canClose = status === 'closing' && (canPayOut || available === 0);
    return pending + earmarked > 0 || status === 'suspended' || canClose;
  });
  return [
    ...records.map(({ id, status }) => `${id} is ${status}`),
    ...people.map(({ customerId, status }) => `${customerId} is ${status} or holds something`),
  ];
}

/** How many events were not delivered, and how many of them should be by now. */
async function undelivered({ sender }: TenantRun): Promise<{ open: number; due: number }> {
  const [row] = await sender.query<{ open: number; due: number }>(
    `select count(*)::integer as open,
       (count(*) filter (where wake_at <= $2 or lease_until is not null))::integer as due
     from deliveries where tenant_id = $1 and status <> 'delivered'`,
    new Date(startMs).toISOString(),
  );
  return row ?? { open: 0, due: 0 };
}

/** Every event was delivered. The dispatcher runs in real time; a retry comes as the clock moves. */
async function requireDelivered(server: ModelServer, run: TenantRun): Promise<void> {
  const until = performance.now() + deliveryPatienceMs;
  for (let left = await undelivered(run); left.open > 0; left = await undelivered(run)) {
    if (performance.now() > until)
      throw new Error(`not delivered: ${left.open} events, ${left.due} of them due`);
    if (left.due > 0) await sleep(deliveryLookMs);
    else await advance(server, run, run.model.clock.nowMs + retriesMs);
  }
  const rows = await run.sender.query<{ id: string }>('select id from events where tenant_id = $1');
  const missing = rows.filter(({ id }) => !server.receiver.came.has(publicId('event', id)));
  requireSame('events that never came', missing.length, 0);
}

/**
 * No faults of its own any more, everything is answered and the clock goes past every deadline: all
 * that was begun must end, and everything must be as the model predicts.
 */
export async function playToTheEnd(
  server: ModelServer,
  run: TenantRun,
  seed: number,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for await (const move of answers(server, run, round, seed))
      await check(server, run, { ...move, leavesJobs: true });
    const choices = choicesOf(seed, `tenant ${run.number} quiet ${round}`);
    await becomeQuiet(server, run, choices, true);
    await advance(server, run, run.model.clock.nowMs + roundMs);
    await becomeQuiet(server, run, choices, true);
    await compare(run, 40);
    if (openOf(run).length === 0) break;
  }
  await compare(run, Infinity);
  requireSame('what is still open', openOf(run), []);
  if (run.hasReceiver) await requireDelivered(server, run);
}
