import type { PostedRecipe } from '../recipes.ts';

/** The parties that may cause a move (rules/records#2). `service`: a job, or a consequence in the same transaction. */
export type Actor =
  | 'tenant'
  | 'customer'
  | 'owner'
  | 'bank'
  | 'aggregator'
  | 'identity'
  | 'reviewer'
  | 'service';

/**
 * One row of a state table (rules/records#1). `from: 'new'` creates the record. `to: 'same'` keeps
 * the status. `simulate` names the sandbox event that acts for the outside actor of this move
 * (rules/sandbox#4). `posts` lists the recipes of which the move posts one, `mayPost` those of
 * which it posts one or none, such as the release of what a record may not have held; the engine
 * refuses any other.
 */
export interface Move<State extends string = string> {
  readonly from: 'new' | readonly State[];
  readonly to: State | 'same';
  readonly by: Actor | readonly Actor[];
  readonly event: string | null;
  readonly posts?: PostedRecipe | readonly PostedRecipe[];
  readonly mayPost?: PostedRecipe | readonly PostedRecipe[];
  readonly simulate?: string;
}

export interface Lifecycle<
  Resource extends string = string,
  State extends string = string,
  Moves extends Record<string, Move<State>> = Record<string, Move<State>>,
> {
  readonly resource: Resource;
  readonly states: readonly State[];
  readonly moves: Moves;
}

/** A row as it is written: its event is left out where it is named after the state it leads to. */
type DeclaredMove<State extends string> = Omit<Move<State>, 'event'> & Partial<Pick<Move, 'event'>>;

/** `payment.completed` belongs to the resource `payment`, and only a lifecycle of it may emit it. */
type EventOf<Resource extends string, M> = M extends { readonly event: infer Event }
  ? Event extends `${Resource}.${string}` | null
    ? Event
    : never
  : M extends { readonly from: 'new' }
    ? `${Resource}.created`
    : M extends { readonly to: infer To extends string }
      ? `${Resource}.${To}`
      : never;

type WithEvents<Resource extends string, Moves> = {
  readonly [M in keyof Moves]: Moves[M] & { readonly event: EventOf<Resource, Moves[M]> };
};

/** Only a row with an event of its own may stay in the same state, or emit no event. */
type OwnEvents<Resource extends string, Moves> = {
  readonly [M in keyof Moves]: Moves[M] extends { readonly to: 'same' }
    ? { readonly event: `${Resource}.${string}` | null }
    : { readonly event?: `${Resource}.${string}` | null };
};

/**
 * Declares a resource's states and moves. A move without `event` emits `<resource>.created` where the
 * record begins, else `<resource>.<state after>` (rules/events#1). A state that is not in `states`, a
 * recipe that does not exist, or another resource's event does not compile. The one table feeds the
 * status enum, the engine, the event catalog, the simulate names, the docs and the invariant checker.
 */
export function lifecycle<
  const Resource extends string,
  const State extends string,
  const Moves extends Record<string, DeclaredMove<NoInfer<State>>>,
>(
  resource: Resource,
  states: readonly State[],
  moves: Moves & OwnEvents<Resource, Moves>,
): Lifecycle<Resource, State, WithEvents<Resource, Moves>> {
  const withEvents = Object.entries<DeclaredMove<State>>(moves).map(([name, move]) => {
    const named = `${resource}.${move.from === 'new' ? 'created' : move.to}`;
    return [name, { ...move, event: move.event === undefined ? named : move.event }];
  });
  return { resource, states, moves: Object.fromEntries(withEvents) };
}

export type StateOf<L> = L extends Lifecycle<string, infer S, infer _> ? S : never;
export type MoveOf<L> = L extends Lifecycle<string, string, infer M> ? keyof M & string : never;

/** The recipes that a move may post, as a list. */
export function recipesOf({ posts = [], mayPost = [] }: Move): readonly PostedRecipe[] {
  return [posts, mayPost].flat();
}
