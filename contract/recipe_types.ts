import type { Pocket, RecipeName, recipes } from './recipes.ts';

/** The types of a posting's input, derived from its recipe. */

type TransferOf<R extends RecipeName> = (typeof recipes)[R]['transfers'][number];
type TransactionsOf<R extends RecipeName> = (typeof recipes)[R] extends {
  readonly transactions: infer T;
}
  ? T
  : Record<never, never>;
type PartyIn<S> = S extends `${infer Party}.${Pocket}` ? Party : never;
type FeeIn<T> = T[keyof T] extends infer X
  ? X extends { readonly fee: infer F extends string }
    ? F
    : never
  : never;

/** The holders that a recipe moves money between; `post` does not compile without each of them. */
export type PartyOf<R extends RecipeName> = PartyIn<TransferOf<R>[0] | TransferOf<R>[1]>;

/** The amounts, in cents, that a recipe needs by name. */
export type AmountOf<R extends RecipeName> = TransferOf<R>[2] | FeeIn<TransactionsOf<R>>;

/** The parties that receive a Transaction, each of which needs to know its counterparty. */
export type TransactingOf<R extends RecipeName> = keyof TransactionsOf<R> & string;
