import type { IdentityDocumentKind } from '@tenant-payments/contract/core/identity_documents.ts';
import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { LegalText } from '@tenant-payments/contract/resources/documents.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { AnyTable, RowOf } from '@tenant-payments/engine/table.ts';
import type { MovesOf } from '@tenant-payments/engine/work_types.ts';
import { statusesFor } from '@tenant-payments/service/resources/assert_status.ts';
import type { DisputeKind } from '@tenant-payments/service/resources/disputes/rule.ts';
import type { Day } from '@tenant-payments/service/resources/limits/days.ts';

/** The input of a move. A field that the move does not take is null. */
export interface ReviewInput {
  /** The record's uuid, or the name of what exists once. */
  readonly id: string;
  readonly amount: number | null;
  readonly failure_code: string | null;
  readonly finding: string | null;
  readonly asks: readonly IdentityDocumentKind[] | null;
  readonly handled_as: DisputeKind | null;
  readonly customer_bears: number | null;
  readonly learned_on: Day | null;
  readonly shown_on: Day | null;
  readonly account_id: string | null;
  readonly version: string | null;
  readonly title: LegalText['title'] | null;
  readonly text: LegalText['text'] | null;
  readonly security_reason: string | null;
  readonly settings: Partial<Settings> | null;
}

export type ReviewField = Exclude<keyof ReviewInput, 'id'>;

/** The fields of the body that a move takes, and whether they are required; a note is taken by all. */
export type Takes = Readonly<
  Partial<Record<ReviewField, 'required' | 'optional'> & { note: 'required' }>
>;

export interface ReviewMove {
  readonly command: Command<ReviewInput>;
  /** The statuses from which the lifecycle allows it; null: the command checks. */
  readonly from: readonly string[] | null;
  readonly takes: Takes;
}

/** A command as a reviewer's move. */
export const runs = (command: Command<ReviewInput>, takes: Takes = {}): ReviewMove => ({
  command,
  from: null,
  takes,
});

/** Statuses from which the same command, and so the same simulated event, serves another actor. */
function othersOf(moves: Readonly<Record<string, Move>>, names: readonly string[]): string[] {
  const own = names.flatMap((name) => moves[name] ?? []);
  const taken = statusesFor({ moves }, names);
  return Object.values(moves)
    .filter((move) => own.some(({ simulate }) => simulate && simulate === move.simulate))
    .flatMap(({ from }) => from)
    .filter((status) => !taken.includes(status));
}

/**
 * Keeps a reviewer from the statuses in which the lifecycle lets another actor make the move, such
 * as the identity provider. In every other status the command refuses by itself, as it does when it
 * is simulated (rules/review#5).
 */
export function allowed<T extends AnyTable>(
  table: T,
  names: readonly (keyof MovesOf<T> & string)[],
  { command, takes }: ReviewMove,
): ReviewMove {
  const moves: Readonly<Record<string, Move>> = table.lifecycle?.moves ?? {};
  const from = statusesFor({ moves }, names);
  const others = othersOf(moves, names);
  const guarded: Command<ReviewInput, { row: RowOf<AnyTable>; rest: unknown }> = {
    ...command,
    load: async (read, input, prepared) => {
      const [row, rest] = await Promise.all([
        read.one<AnyTable>(table, input.id),
        command.load(read, input, prepared),
      ]);
      return { row, rest };
    },
    decide: (work, { row, rest }, input, prepared) => {
      const status = String(row.status);
      if (others.includes(status))
        throw fail('invalid_state', {
          details: { current_status: status, allowed: from, reason: 'not_the_reviewers' },
          message: `from ${status} another actor moves it; a reviewer does from ${from.join(', ')}`,
        });
      return command.decide(work, rest, input, prepared);
    },
  };
  return { command: guarded, from, takes };
}

/** A command whose input has another shape than the move's. */
export const shaped = <Input, Loaded, Prepared>(
  { name, prepare, load, decide }: Command<Input, Loaded, Prepared>,
  shape: (input: ReviewInput) => Input,
): Command<ReviewInput, Loaded, Prepared> => ({
  name,
  ...(prepare ? { prepare: (input, context) => prepare(shape(input), context) } : {}),
  load: (read, input, prepared) => load(read, shape(input), prepared),
  decide: (work, loaded, input, prepared) => decide(work, loaded, shape(input), prepared),
});

/** A resource that can be reviewed. */
export interface Reviewed {
  /** The record for an id of the path; null: there is none. */
  readonly idOf: (id: string) => string | null;
  readonly moves: Readonly<Record<string, ReviewMove>>;
}

/** Moves by resource, whichever they are. */
export type MoveTable = Readonly<Record<string, Reviewed>>;
