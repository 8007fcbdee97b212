import type { ReplyBody } from '../harness/http.ts';
import type { Person } from './customers.ts';
import type { Model } from './model_book.ts';
import type { ModelPerson, ModelTarget } from './model_types.ts';
import type { Choices } from './seeded.ts';
import { type Outcome, recordOf, type Sender } from './sender.ts';

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
  readonly sender: Sender;
  readonly model: Model;
  readonly accepted: Accepted[];
}

/** A random command: what was asked, what should have come of it and what did. */
export interface Move {
  readonly told: string;
  readonly expected: string;
  readonly actual: string;
}

/** Null when there is nothing yet to do it to. */
export type Play = (twin: Twin, choices: Choices, nowMs: number) => Promise<Move | null>;

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
  made: { readonly outcome: Outcome; readonly send: () => Promise<Outcome> },
  nowMs: number,
): ReplyBody {
  const record = recordOf(made.outcome);
  target.id = record.id;
  if (target.session) target.session.id = record.confirmation_session.id;
  twin.accepted.push({ send: made.send, record, target, madeMs: nowMs });
  return record;
}
