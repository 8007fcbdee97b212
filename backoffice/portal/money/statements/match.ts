import { idsIn } from '@tenant-payments/service/inbound/unordered.ts';
import type {
  StatementComparison,
  StatementDifference,
} from '../../../contract/money/bank_statements.ts';
import type { StatementLine } from './parse.ts';

/** A posting of the ledger on cash. */
export interface CashPosting {
  readonly tenant_id: string;
  /** Cents; below zero money left the bank. */
  readonly amount: number;
  readonly source_id: string;
  readonly step: string;
  readonly posted_at: string;
  /** The names by which the bank may refer to it: its order, its record, the bank's own message. */
  readonly references: readonly string[];
}

/** Banks cut, raise and break references: letters and digits alone are compared. */
export const comparable = (reference: string): string =>
  reference.toLowerCase().replace(/[^a-z0-9]/g, '');

type Pair = readonly [line: StatementLine | null, posting: CashPosting | null];

/** Takes one of what is held under a key that passes; null: there is none. */
function take<T>(from: Map<string, Set<T>>, key: string, passes: (one: T) => boolean): T | null {
  for (const one of from.get(key) ?? []) if (passes(one)) return one;
  return null;
}

function indexOf<T>(all: Iterable<T>, keysOf: (one: T) => readonly string[]): Map<string, Set<T>> {
  const index = new Map<string, Set<T>>();
  for (const one of all)
    for (const key of keysOf(one)) index.set(key, (index.get(key) ?? new Set()).add(one));
  return index;
}

interface Left {
  readonly lines: Set<StatementLine>;
  readonly postings: Set<CashPosting>;
}

/** Pairs each line that is left with a posting under the same key. @returns the pairs, which are left no more */
function pair(
  { lines, postings }: Left,
  keyOf: (line: StatementLine) => string | null,
  keysOf: (posting: CashPosting) => readonly string[],
  passes: (line: StatementLine, posting: CashPosting) => boolean,
): Pair[] {
  const index = indexOf(postings, keysOf);
  const pairs: Pair[] = [];
  for (const line of [...lines]) {
    const key = keyOf(line);
    const isFree = (posting: CashPosting) => postings.has(posting) && passes(line, posting);
    const posting = key ? take(index, key, isFree) : null;
    if (!posting) continue;
    lines.delete(line);
    postings.delete(posting);
    pairs.push([line, posting]);
  }
  return pairs;
}

const difference = (kind: StatementDifference['kind'], [line, posting]: Pair): Found => ({
  kind,
  line: line?.line ?? null,
  bank_amount: line?.amount ?? null,
  ledger_amount: posting?.amount ?? null,
  reference: line?.reference ?? null,
  description: line?.description ?? null,
  tenant_id: posting?.tenant_id ?? null,
  source_id: posting?.source_id ?? null,
  step: posting?.step ?? null,
  posted_at: posting?.posted_at ?? null,
});

/** A difference as it is found, without what staff say of it. */
export type Found = Omit<StatementDifference, 'key' | 'cleared' | 'notes'>;

export type Matching = Pick<StatementComparison, 'matched_by_reference' | 'matched_by_amount'> & {
  readonly differences: readonly Found[];
};

/**
 * Matches the lines of a statement with the postings of the same day (rules/money-desk#12): by reference and
 * amount, then by reference alone, then by amount alone. An order's digits in the bank's words are a reference too.
 */
export function matchStatement(
  lines: readonly StatementLine[],
  postings: readonly CashPosting[],
): Matching {
  const left: Left = { lines: new Set(lines), postings: new Set(postings) };
  const referenceOf = ({ reference }: StatementLine) => reference && comparable(reference);
  const referencesOf = ({ references }: CashPosting) => references.map(comparable);
  const isEqual = (line: StatementLine, { amount }: CashPosting) => line.amount === amount;
  const namedIn = ({ description }: StatementLine) => comparable(idsIn(description)[0] ?? '');
  const whole = pair(left, referenceOf, referencesOf, isEqual);
  const named = pair(left, namedIn, referencesOf, isEqual);
  const other = [referenceOf, namedIn].flatMap((key) => pair(left, key, referencesOf, () => true));
  const amountOf = ({ amount }: { readonly amount: number }) => String(amount);
  const alike = pair(left, amountOf, (posting) => [amountOf(posting)], isEqual);
  return {
    matched_by_reference: whole.length + named.length,
    matched_by_amount: alike.length,
    differences: [
      ...other.map((one) => difference('other_amount', one)),
      ...[...left.lines].map((line) => difference('bank_only', [line, null])),
      ...[...left.postings].map((posting) => difference('ledger_only', [null, posting])),
    ],
  };
}
