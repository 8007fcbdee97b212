import type { AnyTable } from './table.ts';

/** A row's values, as the engine handles them when it knows nothing of their table. */
export type Values = Record<string, unknown>;

/**
 * A row in a batch, with what the engine knows about it. There is one for each row and batch,
 * however many commands read it, so each command sees what those before it did.
 */
export interface Entity {
  readonly table: AnyTable;
  readonly tenantId: string;
  readonly row: Values;
  /** The revision that was read; null for a row that this batch creates. */
  readonly revision: number | null;
  /** Written by an accepted command of this batch. */
  changed: boolean;
  /** Read by an accepted command of this batch: what it rested on is proven at the commit. */
  checked: boolean;
  /** A balance on whose very amount a verdict rested: no entry may have come since it was read. */
  exact: boolean;
  /** What the command at work has done to the row; null while it has not touched it. */
  draft: Draft | null;
}

export interface Draft {
  /** The values before the command, for the way back when it is refused. */
  readonly undo: Values;
  /** The values at the last event, for `previous_attributes`. */
  base: Values | null;
  /** The event of a move that is not yet written. */
  event: string | null;
  moved: boolean;
}

const entityOf = Symbol('entity');
type Marked = { [entityOf]?: Entity };

/** Ties a row to its entity, so that the verbs can take plain rows. */
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
    changed: false,
    checked: false,
    exact: false,
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
