import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import type { PackedText } from './packed_text/event_text.ts';
import type { Instant } from './time/instant.ts';

/** How a column travels: its PostgreSQL type and the TypeScript type of its values. */
export interface Column<T> {
  readonly pg: string;
  readonly nullable: boolean;
  /** Never a value: carries the type alone. */
  readonly is?: T;
}

const plain = <T>(pg: string): Column<T> => ({ pg, nullable: false });

/** `orNull(column.instant)`: the same column, which may be empty. */
export const orNull = <T>(column: Column<T>): Column<T | null> => ({
  pg: column.pg,
  nullable: true,
});

export const column = {
  uuid: plain<string>('uuid'),
  text: plain<string>('text'),
  packed: plain<PackedText>('text'),
  integer: plain<number>('integer'),
  cents: plain<number>('bigint'),
  instant: plain<Instant>('timestamptz'),
  date: plain<string>('date'),
  texts: plain<readonly string[]>('text[]'),
  boolean: plain<boolean>('boolean'),
  double: plain<number>('double precision'),
  bytes: plain<Buffer>('bytea'),
  json: plain<unknown>('jsonb'),
} as const;

/** A text column that holds one of a fixed list of words, such as a status. */
export const words = <const W extends string>(_values: readonly W[]): Column<W> => plain<W>('text');

/** A column that holds several of a fixed list of words, such as roles. */
export const wordLists = <const W extends string>(_values: readonly W[]): Column<readonly W[]> =>
  plain<readonly W[]>('text[]');

export type Columns = Record<string, Column<unknown>>;
type ValueOf<C> = C extends Column<infer T> ? T : never;

type Proof = 'revision' | 'balance' | 'none';
type Of = 'tenant' | 'platform';

declare const tableOf: unique symbol;

/** A row as loaded: read-only, since only the verbs of `work` change it. It knows its table by type. */
export type RowOf<T extends AnyTable> = {
  readonly [K in keyof T['columns']]: ValueOf<T['columns'][K]>;
} & { readonly [tableOf]?: T };

export type ValuesOf<T extends AnyTable> = {
  [K in keyof T['columns']]: ValueOf<T['columns'][K]>;
};

/**
 * A table as the engine sees it. `tenant_id` and `revision` are on every row and are not listed.
 *
 * - `key`: the primary key after tenant_id. `unique`: other unique keys by name. `sets`: columns by
 *   which a declared set may be read; `all`: the Tenant's rows are few, and may be read together.
 *   `setOnly` narrows one to the rows that a cascade is about, as SQL on `t`.
 * - `frozen`: columns that never change after creation; all others travel in each update.
 * - `proof`: how the commit checks a loaded row. `revision` (default): equality for changed rows,
 *   equality under FOR SHARE for rows that were only read. `balance`: the same, but a posting to an
 *   account checks the account's revision in its balance, which it changes anyway. `none`: a CHECK or
 *   a unique key checks it, or no decision depends on it.
 * - `sum`: the one column that changes, by what `work.add` adds: commits that add at the same time do not
 *   conflict. `most`: the column that keeps what the sum might be at most when it last rose; `rose`: what it
 *   was then, since an earlier release adds without them.
 * - `revised`: false where rows have no `revision`, since no `change` updates them.
 * - `present`: the object as the API and the events show it. Only a Tenant's tables with one have events.
 * - `of`: whose rows they are. A command of any Tenant reads and changes the platform's (rules/engine#36).
 * - `audited`: the row as the audit shows it, in place of `present`, and not redacted: ids, roles and amounts,
 *   never a secret, never who a person is.
 */
export interface TableDefinition<
  C extends Columns,
  L extends Lifecycle | undefined,
  P extends object,
> {
  readonly name: string;
  readonly columns: C;
  readonly key: readonly (keyof C & string)[];
  readonly unique?: Readonly<Record<string, readonly (keyof C & string)[]>>;
  readonly sets?: readonly ((keyof C & string) | 'all')[];
  readonly setOnly?: Readonly<Record<string, string>>;
  readonly frozen?: readonly (keyof C & string)[];
  readonly proof?: Proof;
  readonly sum?: keyof C & string;
  readonly most?: keyof C & string;
  readonly rose?: keyof C & string;
  readonly revised?: false;
  readonly lifecycle?: L;
  readonly of?: Of;
  readonly present?: (row: { readonly [K in keyof C]: ValueOf<C[K]> }) => P;
  readonly audited?: (row: { readonly [K in keyof C]: ValueOf<C[K]> }) => object;
}

export interface Table<C extends Columns, L extends Lifecycle | undefined, P extends object> {
  readonly name: string;
  readonly columns: C;
  readonly key: readonly string[];
  readonly unique: Readonly<Record<string, readonly string[]>>;
  readonly sets: readonly string[];
  readonly setOnly: Readonly<Record<string, string>>;
  readonly mutable: readonly string[];
  readonly proof: Proof;
  readonly sum: string | null;
  readonly most: string | null;
  readonly rose: string | null;
  readonly revised: boolean;
  readonly lifecycle: L;
  readonly of: Of;
  readonly present: ((row: never) => P) | null;
  readonly audited: ((row: never) => object) | null;
}

/** A table of whatever shape. */
export type AnyTable = Table<Columns, Lifecycle | undefined, object>;

/** Declares a table. */
export function table<
  C extends Columns,
  L extends Lifecycle | undefined = undefined,
  P extends object = never,
>(definition: TableDefinition<C, L, P>): Table<C, L, P> {
  const frozen = new Set<string>([...definition.key, ...(definition.frozen ?? [])]);
  return {
    name: definition.name,
    columns: definition.columns,
    key: definition.key,
    unique: definition.unique ?? {},
    sets: definition.sets ?? [],
    setOnly: definition.setOnly ?? {},
    mutable: Object.keys(definition.columns).filter((name) => !frozen.has(name)),
    proof: definition.proof ?? 'revision',
    sum: definition.sum ?? null,
    most: definition.most ?? null,
    rose: definition.rose ?? null,
    revised: definition.revised ?? true,
    lifecycle: definition.lifecycle as L,
    of: definition.of ?? 'tenant',
    present: definition.present ?? null,
    audited: definition.audited ?? null,
  };
}

/**
 * The columns with which a row is read, its Tenant first: a column that a later release adds changes no statement
 * of this one (rules/engine#40).
 */
export function readColumns<T extends AnyTable>({ columns, revised }: T): ReadColumn<T>[] {
  const revision = revised ? ['revision'] : [];
  return ['tenant_id', ...revision, ...Object.keys(columns)] as ReadColumn<T>[];
}

type ReadColumn<T extends AnyTable> = 'tenant_id' | (keyof T['columns'] & string);

/** The same columns of a table that is joined under another name. */
export const columnsAs = <T extends AnyTable, As extends string>(of: T, as: As) =>
  readColumns(of).map((column): `${As}.${ReadColumn<T>}` => `${as}.${column}`);

/** The same columns as SQL. */
export const columnList = (of: AnyTable, as?: string): string =>
  (as === undefined ? readColumns(of) : columnsAs(of, as)).join(', ');

/** A stored row as the API shows it. */
export function shown<P extends object>(
  of: Table<Columns, Lifecycle | undefined, P>,
  row: object,
): P {
  if (!of.present) throw new Error(`${of.name} is not shown`);
  return of.present(row as never);
}
