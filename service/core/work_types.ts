import type { RecipeName } from '@tenant-payments/contract/recipes.ts';
import type { Posting } from './ledger.ts';
import type { AnyTable, ValuesOf } from './table.ts';

/** What the verbs of `work` take, by table and move. */

export type MovesOf<T extends AnyTable> = NonNullable<T['lifecycle']>['moves'];
type PostsOf<M> = M extends { readonly posts: infer P }
  ? P extends RecipeName
    ? P
    : P extends readonly (infer R extends RecipeName)[]
      ? R
      : never
  : never;
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
  ? { readonly post?: never }
  : { readonly post: { [R in PostsOf<M>]: Posting<R> }[PostsOf<M>] });
export type Rest<O> = Record<never, never> extends O ? [options?: O] : [options: O];
