import type { PostedRecipe } from '@tenant-payments/contract/recipes.ts';
import type { JobName } from './job_names.ts';
import type { Posting } from './ledger.ts';
import type { AnyTable, ValuesOf } from './table.ts';
import type { Instant } from './time/instant.ts';

/** The inputs of the verbs of `work`, by table and move. */

export type MovesOf<T extends AnyTable> = NonNullable<T['lifecycle']>['moves'];
type OneOf<P> = P extends readonly (infer R extends PostedRecipe)[] ? R : P & PostedRecipe;
type PostsOf<M> = M extends { readonly posts: infer P } ? OneOf<P> : never;
type MayPostOf<M> = M extends { readonly mayPost: infer P } ? OneOf<P> : never;
type PostingOf<R extends PostedRecipe> = { [One in R]: Posting<One> }[R];
export type Patch<T extends AnyTable> = Partial<ValuesOf<T>>;
/** A new row's values; the engine fills in what it keeps itself. */
export type NewValues<T extends AnyTable> = Omit<
  ValuesOf<T>,
  'version' | 'updated_at' | (T['lifecycle'] extends undefined ? never : 'status')
>;

/** A move that posts money does not compile without its posting; one that does not takes none. */
export type MoveOptions<T extends AnyTable, M> = { readonly set?: Patch<T> } & ([
  PostsOf<M>,
] extends [never]
  ? { readonly post?: PostingOf<MayPostOf<M>> | undefined }
  : { readonly post: PostingOf<PostsOf<M>> });
export type Rest<O> = Record<never, never> extends O ? [options?: O] : [options: O];

/** When a job runs (rules/clock#9). */
export interface JobTime {
  /** On the tenant's clock. */
  readonly dueAt: Instant;
  /** In real time, as the tenant's clock stands. */
  readonly wakeAt: Instant;
  /** Only real time counts, whatever the tenant's clock does. */
  readonly real: boolean;
}

/** The job that a command runs for, as its worker claimed it. */
export interface ClaimedJobRow {
  readonly name: string;
  readonly ref: string;
  /** Until when, in real time. A commit that reschedules the job ends the lease. */
  readonly lease: Instant;
}

/** A job to schedule; to delete, when it has no time. */
export interface JobChange {
  readonly tenantId: string;
  readonly name: JobName;
  readonly ref: string;
  readonly time: JobTime | null;
  /** The trace of the command that asks for it; null: none. */
  readonly trace: string | null;
  /** Delete only the row under this lease: one that was rescheduled meanwhile stays. */
  readonly lease: Instant | null;
}

/** One more of a meter, by its labels. */
export interface MeterCount {
  readonly meter: 'rail_messages_total';
  readonly labels: { readonly provider: string; readonly state: string };
}
