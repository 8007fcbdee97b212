import { receiptOf } from '../../../bank/adapter/facts.ts';
import { ApiError } from '../../../engine/fail.ts';
import { settingsOf as inForce, type SettingsRow } from '../../../engine/settings.ts';
import type { Inbound } from '../../../service/rails/facts.ts';
import { uuid } from '../../kit/ids.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { openSender, type Sender } from '../sender.ts';
import { becomeQuiet } from './bank/quiet.ts';
import { openClient } from './client.ts';
import { compare, compareBalance, requireSame } from './compare.ts';
import { openModel } from './model.ts';
import { bringPeople } from './moves/customers.ts';
import type { BankSide, Move, Twin } from './moves/move.ts';
import { playMove } from './moves/moves.ts';
import { type ModelServer, startMs } from './server.ts';
import { settingsOf } from './settings.ts';
import { dayMs } from './types.ts';

/** A tenant from its first customer to the end of all that was begun. */
export interface TenantRun extends Twin {
  readonly number: number;
  readonly tenantId: string;
  readonly token: string;
  readonly hasReceiver: boolean;
}

/** One tenant in four receives its events. */
const receiversEvery = 4;
/** One in eight has reports, sweeps and statements, which cost more than all its operations. */
const calendarsEvery = 8;
const hasCalendar = (number: number): boolean => number % calendarsEvery === 0;

/** How many operations a tenant has beside others, so that all end about together. */
export const weightOf = (number: number): number => (hasCalendar(number) ? 1 : 2);

/** @param via which of the services takes the next request */
export async function openTenantRun(
  server: ModelServer,
  number: number,
  via: () => number,
): Promise<TenantRun> {
  const { places, wire, withoutFaults } = server;
  const calendar = hasCalendar(number);
  const settings = settingsOf(number, server.bank !== null);
  const { tenantId, token } = await places.newTenant(number, { settings, calendar });
  const hasReceiver = number % receiversEvery === 0;
  if (hasReceiver) {
    const body = { url: server.receiver.url, enabled: true };
    const request = { method: 'PUT', path: '/portal/api/webhook-endpoint', token, body };
    await until(async () => (await wire.once(request))?.status === 200);
  }
  const query = <Row>(text: string, ...values: readonly unknown[]) =>
    server.query<Row>(tenantId, text, values);
  const opened = { ...openSender([places.serviceOf(tenantId)], tenantId), query };
  const process = server.bank && {
    bank: server.bank,
    tenantId,
    told: new Set<string>(),
    quiet: 0,
    funded: 0,
    booked: 0,
  };
  const sender = process ? paidByBank(server, opened, process) : opened;
  const [row] = await query<SettingsRow>('select name, settings from tenants where tenant_id = $1');
  if (!row) throw new Error('there is no such tenant');
  const people = await bringPeople(sender, startMs);
  await server.settle(tenantId, startMs);
  server.bank?.begin(tenantId);
  return {
    number,
    tenantId,
    token,
    hasReceiver,
    sender,
    client: openClient(wire, token, via),
    bank: openBank(places.inbound, tenantId),
    process,
    withoutFaults,
    model: openModel(inForce(tenantId, row), people, { calendar, nowMs: startMs }),
    accepted: [],
  };
}

/** Sends through the payer of customers' first loads: the bank's process, of which simulate knows nothing. */
function paidByBank(server: ModelServer, sender: Sender, { bank, tenantId }: BankSide): Sender {
  return {
    ...sender,
    async simulate(event, objectId, sending) {
      if (event !== 'load.settled') return sender.simulate(event, objectId, sending);
      await server.settle(tenantId, startMs);
      const [order] = await sender.query<{ id: string }>(
        'select id from instructions where tenant_id = $1 and source_id = $2',
        uuid('load', objectId),
      );
      const paid = await bank.playOrder(order?.id ?? '', 'settle');
      const receipt = paid && receiptOf(paid);
      if (receipt?.port !== 'bank') throw new Error(`the bank does not pay ${objectId}`);
      await server.places.inbound.bank(tenantId, receipt.fact);
      return { code: 'done', text: '{}', replayed: false };
    },
  };
}

/** A bank repeats a callback until it has an answer other than 503. */
function openBank(inbound: Inbound, tenantId: string): Twin['bank'] {
  return (fact) =>
    until(
      () =>
        inbound.bank(tenantId, fact).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 503) return null;
          throw error;
        }),
      { what: 'an answer to the bank' },
    );
}

/** An account without movement becomes dormant after a year, which the model does not know. */
const longestMs = 250 * dayMs;

/** Mostly within a session; rarely past a limit's day, or near the end of a refund or dispute. */
function secondsOf(run: TenantRun, choices: Choices): number {
  const { model } = run;
  const isSlow =
    model.refunds.some(({ waitingMs }) => waitingMs) ||
    model.disputes.some(({ status }) => status !== 'closed') ||
    model.people.some(({ waiting }) => waiting.size > 0);
  if (choices.percent(isSlow ? 12 : 3) && model.clock.nowMs - startMs < longestMs)
    return choices.pick([29.6, 0.5, 31, 1, 3, 8, 15, 62]) * 86_400;
  // Requests that nobody has paid end.
  if (run.process && choices.percent(8)) return 90_000;
  if (choices.percent(5)) return 30_000;
  return choices.below(choices.percent(65) ? 60 : 1_000);
}

/** A clock that stands still for so long in an advance does not go on. */
const clockPatienceMs = 90_000;

/** Requests an instant until the clock is there: a reply may be lost, or come while the clock moves. */
async function moveClock(server: ModelServer, run: TenantRun, to: string): Promise<void> {
  const { token, number } = run;
  const via = server.faults ? number % 2 : 0;
  const path = '/portal/api/clock';
  const advancing = { method: 'POST', path: `${path}/advance`, token, body: { to }, via };
  let standsAt = '';
  let sinceMs = performance.now();
  let looks = 0;
  async function isThere(): Promise<boolean> {
    looks += 1;
    const request = looks % 2 === 1 ? advancing : { method: 'GET', path, token, via };
    const reply = await server.wire.once(request);
    if (reply?.status !== 200) return false;
    const seen = JSON.stringify(reply.body);
    if (seen !== standsAt) sinceMs = performance.now();
    standsAt = seen;
    if (performance.now() - sinceMs > clockPatienceMs)
      throw new Error(`the clock does not go on to ${to}: ${seen}`);
    return reply.body.now === to && reply.body.pending === 0;
  }
  await until(isThere, { what: `the clock at ${to}`, withinMs: 10 * clockPatienceMs, everyMs: 50 });
}

/** Moves the tenant's clock; the model goes from due instant to due instant. */
export async function advance(server: ModelServer, run: TenantRun, toMs: number): Promise<void> {
  const { model, tenantId } = run;
  await moveClock(server, run, new Date(toMs).toISOString());
  for (let at = model.nextDueMs(); at <= toMs; at = model.nextDueMs()) model.runDue(at);
  model.clock.nowMs = toMs;
  await server.settle(tenantId, toMs);
}

/** The moves after which all recent records are compared. */
const compareEvery = 40;
const clockPercent = 7;
/** Before a wait of this length the bank ends what it was asked to cancel: it would be asked each hour. */
const longWaitMs = 3_600_000;

/** Compares a move with its prediction. */
export async function check(server: ModelServer, run: TenantRun, move: Move): Promise<void> {
  if (server.mayLeaveJobs() || move.leavesJobs)
    await server.settle(run.tenantId, run.model.clock.nowMs);
  requireSame(`${move.what}: ${move.actual}`, move.actual, move.expected);
}

/** One random move. @returns what was done, or null where there was nothing to do it to */
export async function playStep(
  server: ModelServer,
  run: TenantRun,
  seed: number,
  step: number,
): Promise<string | null> {
  const choices = choicesOf(seed, `tenant ${run.number} step ${step}`);
  const { clock } = run.model;
  if (choices.percent(clockPercent)) {
    const toMs = clock.nowMs + secondsOf(run, choices) * 1_000 + choices.below(1_000);
    await becomeQuiet(server, run, choices, toMs - clock.nowMs > longWaitMs);
    await advance(server, run, toMs);
    return `the clock goes to ${new Date(toMs).toISOString()}`;
  }
  const move = await playMove(run, choices);
  if (!move) return null;
  await check(server, run, move);
  const { people = [] } = move;
  if (people.length > 0 && choices.percent(40)) await compareBalance(run, choices.pick(people));
  if (step % compareEvery === compareEvery - 1) {
    await becomeQuiet(server, run, choices);
    await compare(run, 40);
  }
  return `${move.what}: ${move.actual}`;
}
