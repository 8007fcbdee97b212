import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { PrepareContext } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { AnyTable, RowOf } from '@tenant-payments/engine/table.ts';

/** Names by the ids of people. */
export type Names = ReadonlyMap<string, string>;

/** A record and who has it, as a command reads both. */
export interface LoadedCase {
  readonly resource: string;
  readonly record: RowOf<AnyTable> | null;
  readonly row: { readonly assigned_to: string | null } | null;
}

/** The check that keeps others from deciding a case that somebody has taken (rules/review#33); the desk has it. */
export interface CaseCheck {
  prepare(context: PrepareContext, resource: string): Promise<Names>;
  /** @returns null for what can be no case */
  load(read: Read, resource: string, id: string): Promise<LoadedCase | null>;
  /** @throws ApiError invalid_state {reason: taken} while it waits */
  assert(actor: Actor, found: LoadedCase | null, names: Names): void;
}
