import type { AnyTable } from './table.ts';

/** A row's values, where the engine does not know their table. */
export type Values = Record<string, unknown>;

/**
 * A row in a batch, with its state there. Commands of one batch share it, so each command sees the
 * changes of those before it.
 */
export interface Entity {
  readonly table: AnyTable;
  readonly tenantId: string;
  readonly row: Values;
  /** The revision that was read; null for a row that this batch creates. */
  readonly revision: number | null;
  /** Its values before the first change in this batch; null while there is none. */
  before: Values | null;
  /** Written by an accepted command of this batch. */
  changed: boolean;
  /** Read by an accepted command of this batch: the commit checks that it has not changed. */
  checked: boolean;
  /** A balance whose exact amount was decisive: the commit checks that it has no new entry. */
  exact: boolean;
  /** The value of its `sum` as it was read. */
  readonly sumRead: number;
  /** The most that its `sum` may be after the commit; null: whatever it is. */
  atMost: number | null;
  /** The current command's changes to the row; null while it has made none. */
  draft: Draft | null;
}

export interface Draft {
  /** The values before the command, to restore when it is refused. */
  readonly undo: Values;
  /** The values at the last event, for `previous_attributes`. */
  base: Values | null;
  /** The event of a move that is not yet written. */
  event: string | null;
  moved: boolean;
}

const entityOf = Symbol('entity');
type Marked = { [entityOf]?: Entity };

/** Links a row to its entity, so that the verbs of `work` take plain rows. */
export function entity(
  table: AnyTable,
  tenantId: string,
  row: Values,
  revision: number | null,
): Entity {
  const made: Entity = {
    table,
    tenantId,
    row,
    revision,
    before: null,
    changed: false,
    checked: false,
    exact: false,
    sumRead: table.sum === null ? 0 : Number(row[table.sum]),
    atMost: null,
    draft: null,
  };
  (row as Marked)[entityOf] = made;
  return made;
}

/** The entity of a row that this batch loaded or created. */
export function entityFor(row: object): Entity {
  const found = (row as Marked)[entityOf];
  if (!found) throw new Error('this row was not loaded by the batch at work');
  return found;
}
