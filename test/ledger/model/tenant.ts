import { setTimeout as sleep } from 'node:timers/promises';
import { type IdKind, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { ApiError } from '../../../service/core/fail.ts';
import { openInbound } from '../../../service/inbound/inbound.ts';
import type { Service } from '../../../service/service.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { openPeople } from '../customers.ts';
import { openSender } from '../sender.ts';
import { statements } from './bank_statement.ts';
import { openHand } from './client.ts';
import { moveClock } from './clock.ts';
import { openModel } from './model.ts';
import { learnPayouts, newcomer, openingCents } from './moves/money.ts';
import type { Move, Twin } from './moves/move.ts';
import { playMove } from './moves/moves.ts';
import { termsMsOf } from './resources/terms.ts';
import { type ModelHouse, startMs } from './server.ts';
import { settingsOf } from './settings.ts';
import { dayMs, type ModelPerson, type Told } from './types.ts';

/** A tenant from its first person to the end of all that was begun. */
export interface Life extends Twin {
  readonly number: number;
  readonly tenantId: string;
  readonly token: string;
  /** Of its webhook endpoint; null: it has none. */
  readonly receiver: string | null;
  nowMs: number;
}

/** One life in four is told of its events. */
const receiversEvery = 4;

/** One in eight has its reports, sweeps and statements, which weigh more than all that it does. */
const calendarsEvery = 8;
const hasCalendar = (number: number): boolean => number % calendarsEvery === 0;

/** How long a life is beside others, so that all end about together. */
export const weightOf = (number: number): number => (hasCalendar(number) ? 1 : 2);

/** @param via which of the services takes the next request */
export async function openLife(
  house: ModelHouse,
  number: number,
  via: () => number,
): Promise<Life> {
  const [{ service }] = house.services;
  const calendar = hasCalendar(number);
  const { tenantId, token } = await house.services[0].anotherTenant({
    settings: settingsOf(number),
    calendar,
  });
  const receiver = number % receiversEvery === 0 ? `life-${number}` : null;
  if (receiver) await enable(house, token, receiver);
  const hand = openHand(house.wire, token, via);
  const query = async <Row>(text: string, ...values: readonly unknown[]) =>
    (await house.control.query(text, [tenantId, ...values])).rows as Row[];
  const sender = { ...openSender([service], tenantId), query };
  const opened = [
    ...(await openPeople(sender, 4, 'individual', openingCents.individual)),
    ...(await openPeople(sender, 3, 'business', openingCents.business)),
  ];
  const [row] = await query<{ settings: Settings }>(
    'select settings from tenants where tenant_id = $1',
  );
  if (!row) throw new Error('the tenant is not there');
  const people = await Promise.all(opened.map((one) => newcomer(sender, one, startMs)));
  const model = openModel(row.settings, people, { calendar });
  model.clock.nowMs = startMs;
  await house.settle(tenantId, startMs);
  const { calmly } = house;
  const bank = openBank(service, tenantId);
  const doors = { sender, hand, bank, calmly };
  const life = { number, tenantId, token, receiver, ...doors, model, accepted: [] };
  return { ...life, openedMs: startMs, nowMs: startMs };
}

const triesOfBank = 200;
const pauseOfBankMs = 10;

/** A bank tells of a fact again until it is told that it was heard. */
function openBank(service: Service, tenantId: string): Twin['bank'] {
  const inbound = openInbound(service);
  return async (fact) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await inbound.bank(tenantId, fact);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 503) || tries > triesOfBank)
          throw error;
        await sleep(pauseOfBankMs);
      }
    }
  };
}

async function enable(house: ModelHouse, token: string, receiver: string): Promise<void> {
  const path = '/portal/api/webhook-endpoint';
  const body = { url: house.receivers.url(receiver), enabled: true };
  for (let status = 0; status !== 200; )
    status = (await house.wire.once({ method: 'PUT', path, token, body }))?.status ?? 0;
}

/** What differs, in a sentence; the whole of both where that is short. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: is ${is}, should be ${should}`);
}

/** After so long an account without movement becomes dormant, of which the model knows nothing. */
const longestMs = 250 * dayMs;

/**
 * Mostly within the life of a session; rarely past the day of a limit, or to just before or after the
 * end of refunds that wait for money, or of a dispute's days.
 */
function secondsOf({ nowMs, model }: Life, choices: Choices): number {
  const isSlow =
    model.refunds.some(({ waitingMs }) => waitingMs) ||
    model.disputes.some(({ status }) => status !== 'closed') ||
    model.askedOf().length > 0;
  if (choices.percent(isSlow ? 12 : 3) && nowMs - startMs < longestMs)
    return choices.pick([29.6, 0.5, 31, 1, 3, 8, 15]) * 86_400;
  if (choices.percent(5)) return 30_000;
  return choices.below(choices.percent(65) ? 60 : 1_000);
}

/** Moves the tenant's clock; the model goes from due instant to due instant (decisions 2.5). */
export async function advance(house: ModelHouse, life: Life, targetMs: number): Promise<void> {
  const { model, tenantId } = life;
  await moveClock(house, life, new Date(targetMs).toISOString());
  for (let at = model.nextDueMs(); at <= targetMs; at = model.nextDueMs()) model.runDue(at);
  model.clock.nowMs = targetMs;
  life.nowMs = targetMs;
  await house.settle(tenantId, targetMs);
}

/** What one person has, as its Tenant is told. */
async function look(life: Life, person: ModelPerson): Promise<void> {
  const { available, pending, earmarked, accountId } = person;
  const id = `acct_${accountId.replaceAll('-', '')}`;
  const body = await life.hand.read(`/v1/accounts/${id}/balance`);
  const ledger = available + pending + earmarked;
  expectSame(
    `the balance of ${person.customerId}`,
    [body.ledger, body.available, body.earmarked, body.pending_outgoing],
    [ledger, available, earmarked, pending],
  );
}

/** How many moves lie between two comparisons of everything recent. */
const compareEvery = 40;
const clockPercent = 7;

/** One random move. @returns what was done, or null where there was nothing to do it to */
export async function playStep(
  house: ModelHouse,
  life: Life,
  seed: number,
  step: number,
): Promise<string | null> {
  const choices = choicesOf(seed, `life ${life.number} step ${step}`);
  if (choices.percent(clockPercent)) {
    const targetMs = life.nowMs + secondsOf(life, choices) * 1_000 + choices.below(1_000);
    await advance(house, life, targetMs);
    return `the clock goes to ${new Date(targetMs).toISOString()}`;
  }
  const isPerson = (move: Move) => move.people && choices.percent(40);
  life.model.clock.nowMs = life.nowMs;
  const move = await playMove(life, choices, life.nowMs);
  if (!move) return null;
  if (house.faults || move.stages) await house.settle(life.tenantId, life.nowMs);
  const told = `${move.told}: ${move.actual}`;
  expectSame(told, move.actual, move.expected);
  if (isPerson(move)) await look(life, choices.pick(move.people ?? []));
  if (step % compareEvery === compareEvery - 1) await compare(life, 40);
  return told;
}

/** The types of each record's events, in the order of its versions, without its kind. */
async function compareEvents(
  { sender }: Life,
  kind: IdKind,
  told: readonly Pick<Told, 'id' | 'events'>[],
): Promise<void> {
  const uuids = told.map(({ id }) => (id.includes('_') ? uuidOf(kind, id) : id));
  const rows = await sender.query<{ id: string; types: string[]; versions: number[] }>(
    `select object_id as id, array_agg(type order by version) as types,
       array_agg(version order by version) as versions
     from events where tenant_id = $1 and object_id = any($2) and not sample group by object_id`,
    uuids,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  told.forEach(({ id, events }, index) => {
    const { types = [], versions = [] } = found.get(uuids[index] ?? '') ?? {};
    const expected = events.map((event) => `${kind}.${event}`);
    expectSame(`the events of ${id}`, types, expected);
    expectSame(
      `the versions of ${id}`,
      versions,
      expected.map((_, at) => at + 1),
    );
  });
}

const shownColumns = {
  payment: ['status', 'failure_code', 'refunded_amount', 'open_refunds', 'disputed_cents'],
  load: ['status', 'failure_code'],
  withdrawal: ['status', 'failure_code'],
  refund: ['status', 'failure_code', 'held_cents'],
  payment_request: ['status'],
  linked_account: ['status'],
  dispute: ['status', 'outcome', 'held_cents', 'credited_cents', 'provisional_credit_amount'],
} as const;

type Shown = readonly (string | number | null)[];

async function compareKind<R extends Told>(
  life: Life,
  kind: keyof typeof shownColumns,
  records: readonly R[],
  shown: (record: R) => Shown,
): Promise<void> {
  const uuids = records.map(({ id }) => uuidOf(kind, id));
  const rows = await life.sender.query<Record<string, string | number | null>>(
    `select id, ${shownColumns[kind].join(', ')} from ${kind}s
     where tenant_id = $1 and id = any($2)`,
    uuids,
  );
  const found = new Map(rows.map((row) => [row.id, shownColumns[kind].map((name) => row[name])]));
  records.forEach((record, index) => {
    expectSame(record.id, found.get(uuids[index] ?? ''), shown(record));
  });
  await compareEvents(life, kind, records);
}

/** Holds of each kind the latest `count` records against what the service has of them. */
export async function compare(life: Life, count: number): Promise<void> {
  const { sender, model } = life;
  await learnPayouts(life);
  const accounts = await sender.query<{ id: string }>(
    `select b.account_id as id, available, pending_outgoing as pending, earmarked, a.status,
       (extract(epoch from c.terms_due_at) * 1000)::bigint as "termsMs"
     from balances b join accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
       join customers c on c.tenant_id = a.tenant_id and c.id = a.customer_id
     where b.tenant_id = $1 and b.account_id = any($2)`,
    model.people.map(({ accountId }) => accountId),
  );
  const byId = new Map(accounts.map((row) => [row.id, row]));
  for (const person of model.people) {
    const { accountId: id, available, pending, earmarked, status } = person;
    const termsMs = termsMsOf(person);
    expectSame('an account', byId.get(id), { id, available, pending, earmarked, status, termsMs });
  }
  await compareEvents(
    life,
    'account',
    model.people.map(({ accountId: id, events }) => ({ id, events })),
  );
  const [booked, known] = await statements(life);
  expectSame("the bank's statement", booked, known);
  const last = <T>(list: readonly T[]): T[] => list.slice(-count);
  await compareKind(life, 'payment', last(model.payments), (one) => [
    one.status,
    one.failureCode,
    one.refunded,
    one.openRefunds,
    one.credited,
  ]);
  const ending = (one: { status: string; failureCode: string | null }): Shown => [
    one.status,
    one.failureCode,
  ];
  await compareKind(life, 'load', last(model.loads), ending);
  await compareKind(life, 'withdrawal', last(model.withdrawals), ending);
  await compareKind(life, 'refund', last(model.refunds), (one) => [...ending(one), one.held]);
  await compareKind(life, 'payment_request', last(model.requests), ({ status }) => [status]);
  const links = model.people.flatMap((person) => person.links);
  await compareKind(life, 'linked_account', last(links), ({ status }) => [status]);
  await compareKind(life, 'dispute', last(model.disputes), (one) => [
    one.status,
    one.outcome,
    one.held,
    one.credited,
    one.provisional,
  ]);
}
