import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';

/**
 * An invariant as data: a query that finds nothing while it holds. Its rows are
 * `tenant_id, kind, id, message`; `kind` and `id` name the record at fault.
 *
 * A query names tables plainly. `scope.ts` lays one tenant's rows under those names where one is
 * asked for, so a check is written once for a tenant and for all.
 */
export interface Check {
  /** The number of decisions 2.3 and a word, as in `2.pockets`. */
  readonly name: string;
  /** What must hold, as a sentence. */
  readonly clause: string;
  readonly sql: string;
}

/** Something that does not hold, as `GET /portal/api/ledger/verify` and the CLI show it. */
export interface Violation {
  /** The name of the check. */
  readonly invariant: string;
  readonly tenant_id: string;
  /** The record at fault by its public id; by kind and uuid where it has none. */
  readonly subject: string;
  readonly message: string;
}

/** A check tells of so many faults at most: the first ones lead to the cause, the rest hide it. */
export const violationsShown = 20;

const isIdKind = (kind: string): kind is IdKind => kind in idPrefixes;

/** `pay_0198…`, or `due 0198…` for what has no public id. */
export const subjectOf = (kind: string, id: string): string =>
  isIdKind(kind) ? publicId(kind, id) : `${kind} ${id}`;
