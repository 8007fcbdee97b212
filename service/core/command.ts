import type { Ahead } from './load/ahead.ts';
import type { Read, Reading } from './load/reader.ts';
import type { Work } from './work.ts';
import type { ClaimedJobRow } from './work_types.ts';

/**
 * What only the first reply may show (contract: "returned only on creation"). It is spliced into
 * the record's text under `field` and kept sealed for replays until the session's token dies.
 */
export interface Once {
  readonly field: string;
  readonly value: unknown;
  readonly sessionId: string;
}

/** What a command answers: a record as its table shows it, or any other JSON value. */
export type Answer =
  | {
      readonly record: object;
      /**
       * What only this reply may show (contract: "returned only on creation"). It is spliced into
       * the record's text under `field` and kept sealed for replays until the session's token dies.
       */
      readonly once?: {
        readonly field: string;
        readonly value: unknown;
        readonly sessionId: string;
      };
    }
  | { readonly value: unknown; readonly sealed?: boolean };

/**
 * An operation on the engine (architecture 3). `prepare` may wait and ask the outside, before any
 * batch and without locks; `load` reads rows; `decide` is synchronous and pure, and changes state by
 * the verbs of `work` alone. `load` and `decide` may run again on fresh rows, `prepare` does not.
 */
export interface Command<in Input, out Loaded = unknown, out Prepared = unknown> {
  readonly name: string;
  prepare?(input: Input, context: PrepareContext): Promise<Prepared>;
  /**
   * The path of foreign keys that `load` will follow from a row known by id, so that all of it
   * travels in one round trip. A hint: without it the result is the same, only later.
   */
  ahead?(input: Input, prepared: Prepared): { plan: Ahead; id: string } | null;
  load(read: Read, input: Input, prepared: Prepared): Promise<Loaded>;
  decide(work: Work, loaded: Loaded, input: Input, prepared: Prepared): Answer;
}

export interface PrepareContext {
  readonly tenantId: string;
}

/** Declares a command and infers what its `load` hands to its `decide`. */
export const command = <Input, Loaded, Prepared = undefined>(
  name: string,
  parts: Omit<Command<Input, Loaded, Prepared>, 'name'>,
): Command<Input, Loaded, Prepared> => ({ name, ...parts });

/** What the engine gives back after the commit. */
export interface Reply {
  /** The JSON text to send. */
  readonly body: string;
  /** The same reply was given before under this key (decisions 1.7). */
  readonly replayed: boolean;
}

/** One submission of a command, from the queue to its reply. */
export interface Run {
  readonly tenantId: string;
  readonly idempotency: { readonly keyHash: string; readonly fingerprint: string } | null;
  readonly ahead: { readonly plan: Ahead; readonly id: string } | null;
  /** The job that it runs for, if it is a job. */
  readonly held: ClaimedJobRow | null;
  readonly load: (reading: Reading) => Promise<unknown>;
  readonly decide: (work: Work, loaded: unknown) => Answer;
  readonly settle: (outcome: { reply: Reply } | { error: unknown }) => void;
  readonly enqueuedAt: number;
}
