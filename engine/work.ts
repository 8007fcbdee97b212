import type { PostedRecipe } from '@tenant-payments/contract/recipes.ts';
import type { Actor } from './actor.ts';
import type { AuditEntryDraft } from './batch/acts.ts';
import type { JobName } from './job_names.ts';
import type { BalanceRow, Posting } from './ledger.ts';
import type { Obey } from './production.ts';
import type { AnyTable, RowOf } from './table.ts';
import type { TenantRow } from './tenant.ts';
import type { Instant } from './time/instant.ts';
import type { MeterCount, MoveOptions, MovesOf, NewValues, Patch, Rest } from './work_types.ts';
import type { EventParts } from './write/event.ts';

/**
 * The only way to change state. Version, event with `previous_attributes` and postings follow from
 * these verbs, so no command can forget one.
 */
export interface Work {
  /** The tenant's clock. */
  readonly now: Instant;
  readonly tenantId: string;
  readonly tenant: TenantRow;
  /** The one who asked for the command. */
  readonly actor: Actor;
  /** Holds the call against a rule that a sandbox has not (rules/sandbox#46). @throws what production refuses */
  readonly obey: Obey;
  newId(): string;
  /** A new secret, as `Vault.newSecret` makes it. @param of the Tenant that it names; absent: the command's */
  newSecret(prefix: string, of?: string): string;
  /** A new record. `move` is the lifecycle's `new` row; a table without lifecycle takes none. */
  create<T extends AnyTable>(table: T, values: NewValues<T>): RowOf<T>;
  create<T extends AnyTable, M extends keyof MovesOf<T> & string>(
    table: T,
    values: NewValues<T>,
    move: M,
    ...options: Rest<Omit<MoveOptions<T, MovesOf<T>[M]>, 'set'>>
  ): RowOf<T>;
  /**
   * A row of the state table. `set` changes fields along with the status.
   * @throws ApiError invalid_state when no row of the table allows the move from where the record is.
   */
  move<T extends AnyTable, M extends keyof MovesOf<T> & string>(
    row: RowOf<T>,
    move: M,
    ...options: Rest<MoveOptions<T, MovesOf<T>[M]>>
  ): RowOf<T>;
  /** Any other change. One that the API does not show raises the revision alone: no version, no event. */
  change<T extends AnyTable>(row: RowOf<T>, set: Patch<T>): RowOf<T>;
  /**
   * Adds to the row's `sum`. A commit that added at the same time is no conflict, unless the sum would
   * exceed `atMost` with both: then the command is decided again.
   */
  add<T extends AnyTable>(row: RowOf<T>, amount: number, atMost: number | null): void;
  /** Raises the revision alone: of two commands that decide on the row at once, the later decides again. */
  touch<T extends AnyTable>(row: RowOf<T>): void;
  /** Money that moves without a record of its own moving, such as funding the reserve. */
  post<R extends PostedRecipe>(source: { type: string; id: string }, posting: Posting<R>): void;
  /**
   * The decision needs the exact balance, as at closing: the commit checks that no entry was added
   * since it was read, else the batch runs again. Elsewhere `CHECK (pocket >= 0)` is enough.
   */
  requireExactBalance(balance: BalanceRow): void;
  /** Runs job `name` for the record `ref` at `at` of the tenant's clock; replaces an earlier time. */
  scheduleJob(name: JobName, ref: string, at: Instant): void;
  /**
   * The same, `seconds` of real time after this command: an advance of the clock neither runs it
   * nor waits for it (rules/clock#14).
   */
  scheduleJobInRealTime(name: JobName, ref: string, seconds: number): void;
  /**
   * Deletes the job, whichever clock it waits for. A command that runs as this job deletes it only
   * as it was claimed: a job that another process has rescheduled since stays.
   */
  cancelJob(name: JobName, ref: string): void;
  /**
   * Says more of the act than the changed rows do, or of another act: who did it, in whose chain, before and
   * after. An act of the submission of which nothing is said has its row all the same (rules/audit#1).
   */
  audit(said: AuditEntryDraft): void;
  /** Counts it in a meter once it is committed, and nothing of a command that is refused or decided again. */
  count(of: MeterCount): void;
  /** Writes an event of a record that has not changed: a sandbox's sample. @returns its body */
  sample(parts: Omit<EventParts, 'at' | 'sample'>): string;
}
