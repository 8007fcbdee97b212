import type { Actor } from './actor.ts';
import type { Act } from './batch/acts.ts';
import type { Start } from './load/ahead.ts';
import type { Read, Reading } from './load/reader.ts';
import type { RefusedInProduction } from './production.ts';
import type { Work } from './work.ts';
import type { ClaimedJobRow } from './work_types.ts';

/**
 * The secret of a session, which only the first reply shows (rules/idempotency#6). It replaces the null of `field` in
 * the record's text. Its token is kept sealed, for replays while it is valid.
 */
export interface Once {
  readonly field: string;
  /** The token, or an object that holds it. */
  readonly value: unknown;
  readonly token: string;
  readonly sessionId: string;
}

/**
 * A decision that needs an answer of the outside first (rules/engine#30). `now`: `ask` is called.
 * `wait`: another call is asking the same. `told` is for `ask`.
 */
export interface Asking {
  readonly ask: 'now' | 'wait';
  readonly told?: unknown;
}

/**
 * The result of a command: a record as its table shows it, any other JSON value, or a question to
 * the outside. `told` is for who submitted it, such as whom to notify: neither sent nor kept.
 */
export type Answer =
  | {
      readonly record: object;
      readonly once?: Once;
      readonly told?: unknown;
    }
  | { readonly value: unknown; readonly sealed?: boolean; readonly told?: unknown }
  | Asking;

/**
 * An operation on the engine. `prepare` may wait and call outside services, before any batch and
 * without locks; `load` reads rows; `decide` is synchronous and pure, and changes state only by the
 * verbs of `work`. `load` and `decide` may run again on fresh rows, `prepare` does not.
 * What spends something outside belongs into `ask`: `decide` asks for it after the key and all checks.
 */
export interface Command<in Input, out Loaded = unknown, out Prepared = unknown> {
  readonly name: string;
  /** Whether it applies the rule of the second person itself. */
  readonly judgesItself?: true;
  /** Whether it may find settings that this release does not take: it is about to mend them (rules/operations#75). */
  readonly mendsSettings?: true;
  /** Whether it changes nothing, so that nobody names an act by it: a look at what a command would do. */
  readonly isRead?: true;
  prepare?(input: Input, context: PrepareContext): Promise<Prepared>;
  /**
   * The paths of foreign keys that `load` will follow from rows known by id, so that all of it
   * travels in one round trip. A hint: without it the result is the same, only later.
   */
  ahead?(input: Input, prepared: Prepared): readonly Start[];
  load(read: Read, input: Input, prepared: Prepared): Promise<Loaded>;
  decide(work: Work, loaded: Loaded, input: Input, prepared: Prepared): Answer;
  /**
   * Called after the commit of a decision `{ ask: 'now' }`. Its result is the new `prepared`, with
   * which the command is loaded and decided again. A refusal that it throws is the command's.
   */
  ask?(input: Input, context: AskContext): Promise<Prepared>;
}

export interface PrepareContext {
  readonly tenantId: string;
  readonly actor: Actor;
}

export interface AskContext extends PrepareContext {
  /** The decision's word to this call, such as its claim on the question. */
  readonly told: unknown;
  /** Runs a command of its own, such as one that keeps the answer. */
  submit<Input, Loaded, Prepared>(
    command: Command<Input, Loaded, Prepared>,
    input: NoInfer<Input>,
  ): Promise<Reply>;
}

/** Declares a command and infers what its `load` hands to its `decide`. */
export const command = <Input, Loaded, Prepared = undefined>(
  name: string,
  parts: Omit<Command<Input, Loaded, Prepared>, 'name'>,
): Command<Input, Loaded, Prepared> => ({ name, ...parts });

/** The parts of which a reply that shows a record is made again. */
export interface ShownBy {
  /** The event that shows the record. */
  readonly eventId: string;
  /** The field that showed a session's token, and the session; null: none did. */
  readonly onceField: string | null;
  readonly sessionId: string | null;
}

/** The engine's reply, given after the commit. */
export interface Reply {
  /** The JSON text to send. */
  readonly body: string;
  /** The same reply was sent before under this key (rules/idempotency#5). */
  readonly replayed: boolean;
  /** Null where it is replayed, or shows something else than an event's record. */
  readonly shownBy: ShownBy | null;
  /** The command's word to whoever submitted it; absent where the reply is replayed. */
  readonly told?: unknown;
  /** The refusal that production would give; absent where the reply is replayed, which decides nothing. */
  readonly refusedInProduction?: RefusedInProduction | null;
}

/** One submission of a command, from the queue to its reply. */
export interface Run {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly act: Act | null;
  readonly isRead: boolean;
  readonly idempotency: { readonly keyHash: string; readonly fingerprint: string } | null;
  readonly ahead: readonly Start[];
  readonly mendsSettings: boolean;
  /** The job that it runs for, if it is a job. */
  readonly held: ClaimedJobRow | null;
  readonly load: (reading: Reading) => Promise<unknown>;
  readonly decide: (work: Work, loaded: unknown) => Answer;
  readonly settle: (outcome: { reply: Reply } | Asking | { error: unknown }) => void;
  readonly enqueuedAt: number;
}
