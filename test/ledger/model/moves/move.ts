import type { BankFact, FactResult } from '../../../../service/rails/facts.ts';
import type { ReplyBody } from '../../../kit/http/http.ts';
import type { Choices } from '../../../kit/seed.ts';
import type { Person } from '../../customers.ts';
import { type Outcome, recordOf, type Sender } from '../../sender.ts';
import type { ModelBank } from '../bank/process.ts';
import { type Client, type Order, post } from '../client.ts';
import type { Model } from '../model.ts';
import { isTarget, type ModelPerson, type ModelRecord, type ModelTarget } from '../types.ts';

/** A creation that was accepted, to be sent again. */
interface Accepted {
  readonly again: () => Promise<Outcome>;
  readonly reply: ReplyBody;
  readonly record: ModelRecord;
  readonly madeMs: number;
}

/** A tenant at the bank. */
export interface BankSide {
  readonly bank: ModelBank;
  readonly tenantId: string;
  /** Events that the service has heard. */
  readonly told: Set<string>;
  /** Quiet moments at which both books were compared, and messages that a person has booked. */
  quiet: number;
  /** Cents of the reserve that were paid in. */
  funded: number;
  booked: number;
}

/** A tenant as the service has it and as the model has it. */
export interface Twin {
  /** Asks the database, and makes people. */
  readonly sender: Sender;
  /** Sends everything else, over HTTP. */
  readonly client: Client;
  /** Callbacks of the bank. */
  readonly bank: (fact: BankFact) => Promise<FactResult>;
  /** The bank in a process of its own; null: simulate and callbacks play it. */
  readonly process: BankSide | null;
  /** No fault is caused meanwhile. */
  readonly withoutFaults: <T>(work: () => Promise<T>) => Promise<T>;
  readonly model: Model;
  readonly accepted: Accepted[];
}

/** A random command: what was done, what the model predicts and what came. */
export interface Move {
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
  /** The people whose balances it may have changed. */
  readonly people?: readonly ModelPerson[];
  /** Leaves jobs to be run at once, which a simulation runs itself. */
  readonly leavesJobs?: boolean;
}

/** Null when there is nothing yet that it can be done to. */
export type Play = (twin: Twin, choices: Choices) => Promise<Move | null>;

/** An act of the reviewer, the bank or the customer. */
export const simulation = (event: string, objectId: string, failure_code?: string): Order =>
  post(`/v1/sandbox/simulate/${event}`, {
    object_id: objectId,
    ...(failure_code ? { failure_code } : {}),
  });

const textOf = ({ method, path, body = {} }: Order) => `${method} ${path} ${JSON.stringify(body)}`;

/** Sends an order whose reply is compared by its code. */
export async function send(
  { client }: Twin,
  choices: Choices,
  order: Order,
  expected: string,
  people: readonly ModelPerson[] = [],
): Promise<Move> {
  const { outcome } = await client.send(order, expected, choices);
  const leavesJobs = !order.path.includes('/simulate/');
  return { what: textOf(order), expected, actual: outcome.code, people, leavesJobs };
}

const shown = ({ amount, status, version, net_amount = null }: ReplyBody): string =>
  JSON.stringify([amount, net_amount, status, version]);

/** The text that the reply of a creation must show. */
function predicted(record: ModelTarget): string {
  const net = record.kind === 'payment' ? { net_amount: record.amount - record.payeeFees } : {};
  return shown({ amount: record.amount, status: record.status, version: 1, ...net });
}

/** Sends a creation, keeps it to be sent again, and gives the model's record its id. */
export async function create(
  twin: Twin,
  choices: Choices,
  order: Order,
  expected: string,
  records: readonly ModelRecord[],
  people: readonly ModelPerson[] = [],
): Promise<Move> {
  const { outcome, again } = await twin.client.send(order, expected, choices);
  const move = { what: textOf(order), people };
  const record = records.at(-1);
  if (expected !== 'done' || outcome.code !== 'done' || !record)
    return { ...move, expected, actual: outcome.code };
  const reply = recordOf(outcome);
  record.id = reply.id;
  twin.accepted.push({ again, reply, record, madeMs: twin.model.clock.nowMs });
  if ('qrPayload' in record) record.qrPayload = reply.qr_payload;
  if (!isTarget(record)) return { ...move, expected, actual: outcome.code, leavesJobs: true };
  if (record.session) record.session.id = reply.confirmation_session.id;
  const { net_amount = null, ...rest } = reply;
  const compared = record.kind === 'payment' ? { ...rest, net_amount } : rest;
  return { ...move, expected: predicted(record), actual: shown(compared) };
}

/** One of the latest, or null. */
export const latest = <T>(choices: Choices, list: readonly T[], count = list.length): T | null =>
  list.length === 0 ? null : choices.pick(list.slice(-count));

/** Mostly a customer with an active account, of a type if one is named; sometimes any. */
export function someone(choices: Choices, { people }: Model, type?: Person['type']): ModelPerson {
  const fit = people.filter(
    (one) => one.status === 'active' && (type === undefined || one.type === type),
  );
  return latest(choices, choices.percent(92) ? fit : people) ?? choices.pick(people);
}

/** Cents near what there is, beyond a limit, or any. */
export function amountOf(choices: Choices, { available }: Pick<ModelPerson, 'available'>): number {
  // The schema takes no less than a cent.
  if (choices.percent(10)) return Math.max(1, available - 1 + choices.below(3));
  if (choices.percent(5)) return 500_000 + choices.below(3);
  return 1 + choices.below(choices.percent(50) ? 100 : 20_000);
}
