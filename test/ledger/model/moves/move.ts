import type { BankFact, FactResult } from '../../../../service/rails/facts.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import type { Choices } from '../../../kit/seed.ts';
import type { Person } from '../../customers.ts';
import { type Outcome, recordOf, type Sender } from '../../sender.ts';
import { type Hand, type Order, post, type Sent } from '../client.ts';
import type { Model } from '../model.ts';
import type { ModelPerson, ModelTarget, Told } from '../types.ts';

/** A creation that was accepted, to be sent again. */
interface Accepted {
  readonly send: () => Promise<Outcome>;
  readonly record: ReplyBody;
  /** What it made, where that waits for its customer. */
  readonly target: ModelTarget | null;
  readonly madeMs: number;
}

/** A tenant twice: as the service holds it, and as the model does. */
export interface Twin {
  /** Asks the database, and makes people. */
  readonly sender: Sender;
  /** Sends everything else, over HTTP. */
  readonly hand: Hand;
  /** The door by which the bank calls back. */
  readonly bank: (fact: BankFact) => Promise<FactResult>;
  /** No fault strikes meanwhile. */
  readonly calmly: <T>(work: () => Promise<T>) => Promise<T>;
  readonly model: Model;
  readonly accepted: Accepted[];
  /** When the first people came; no clock of this tenant has stood earlier. */
  readonly openedMs: number;
}

/** A random command: what was asked, what should have come of it and what did. */
export interface Move {
  readonly told: string;
  readonly expected: string;
  readonly actual: string;
  /** Whose balance it may have moved. */
  readonly people?: readonly ModelPerson[];
  /** Leaves something to be done at once, which a worker would do within a second. */
  readonly stages?: boolean;
}

/** Null when there is nothing yet to do it to. */
export type Play = (twin: Twin, choices: Choices, nowMs: number) => Promise<Move | null>;

/** What the reviewer, the bank or the customer does. */
export const simulation = (event: string, objectId: string, failure_code?: string): Order =>
  post(`/v1/sandbox/simulate/${event}`, {
    object_id: objectId,
    ...(failure_code ? { failure_code } : {}),
  });

/** An order that makes nothing: its reply is its code. */
export async function asked(
  { hand }: Twin,
  choices: Choices,
  { order, ...move }: Omit<Move, 'actual'> & { readonly order: Order },
): Promise<Move> {
  const { outcome } = await hand.ask(order, move.expected, choices);
  return { ...move, actual: outcome.code };
}

/** One of the latest, or null. */
export const latest = <T>(choices: Choices, list: readonly T[], count: number): T | null =>
  list.length === 0 ? null : choices.pick(list.slice(-count));

/** Mostly somebody who may act, of a type if one is named; sometimes anybody. */
export function someone(choices: Choices, { people }: Model, type?: Person['type']): ModelPerson {
  const fit = people.filter(
    (one) => one.status === 'active' && (type === undefined || one.type === type),
  );
  return latest(choices, choices.percent(92) ? fit : people, people.length) ?? choices.pick(people);
}

/** Cents at the edge of what there is, beyond a limit, or any. */
export function amountOf(choices: Choices, { available }: Pick<ModelPerson, 'available'>): number {
  // The schema takes no less than a cent.
  if (choices.percent(10)) return Math.max(1, available - 1 + choices.below(3));
  if (choices.percent(5)) return 500_000 + choices.below(3);
  return 1 + choices.below(choices.percent(50) ? 100 : 20_000);
}

/** Takes the ids of what both have made, and keeps the creation to be sent again. */
export function keep(
  twin: Twin,
  target: ModelTarget,
  { outcome, again }: Sent,
  nowMs: number,
): ReplyBody {
  const record = recordOf(outcome);
  target.id = record.id;
  if (target.session) target.session.id = record.confirmation_session.id;
  twin.accepted.push({ send: again, record, target, madeMs: nowMs });
  return record;
}

/** The same, of a record that waits for nobody. */
export function keepTold(twin: Twin, made: Told, { outcome, again }: Sent, nowMs: number): void {
  const record = recordOf(outcome);
  made.id = record.id;
  twin.accepted.push({ send: again, record, target: null, madeMs: nowMs });
}
