import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { ViolationGrade } from '@tenant-payments/contract/resources/ledger_proofs.ts';

/**
 * An invariant as data: a query that finds nothing while it holds. Its rows are
 * `tenant_id, kind, id, message`; `kind` and `id` name the record at fault.
 *
 * A query names tables without a tenant. `scope.ts` limits each to one tenant's rows when one is
 * given, so a check is written once for one tenant and for all.
 */
export interface Check {
  /** The paragraph of rules/invariants and a word, as in `2.pockets`. */
  readonly name: string;
  /** The condition that must hold, as a sentence. */
  readonly clause: string;
  readonly sql: string;
}

/** A violation, as `GET /portal/api/ledger/verify` and the CLI show it. */
export interface Violation {
  /** The name of the check. */
  readonly invariant: string;
  readonly tenant_id: string;
  /** The record at fault by its public id; by kind and uuid where it has none. */
  readonly subject: string;
  readonly message: string;
  /** How bad it is (rules/invariants#27). */
  readonly grade?: ViolationGrade;
  /** The kept proof with which two people have acknowledged it; absent: nobody has. */
  readonly acknowledged?: string;
}

/**
 * A check reports no more violations that nobody has acknowledged: the first ones are enough to find the
 * cause, and what one wrong hour of a clock leaves is acknowledged at once.
 */
export const violationsShown = 200;

const isIdKind = (kind: string): kind is IdKind => kind in idPrefixes;

/** `pay_0198…`, or `job 0198…` for a record without a public id. */
export const subjectOf = (kind: string, id: string): string =>
  isIdKind(kind) ? publicId(kind, id) : `${kind} ${id}`;
