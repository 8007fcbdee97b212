import { uuid } from '../../kit/ids.ts';

/** One request under one Idempotency-Key, however often it was sent. */
export interface Intent {
  readonly key: string;
  readonly kind: 'pay' | 'confirm' | 'cancel';
  readonly path: string;
  readonly body: object;
  /** The payment that it concerns, by its public id; of `pay` once it is known. */
  payment: string | null;
  /** What the client knows of it. */
  fate: 'unknown' | 'acked' | 'refused';
  /** An answer was lost, or was a 503, before it was settled. */
  wasAmbiguous: boolean;
}

/** A stored payment, as far as the client's ledger is held against it. */
export interface StoredPayment {
  readonly id: string;
  /** The key of the intent that made it. */
  readonly description: string;
  readonly status: string;
}

const statusAfter = { pay: 'requires_confirmation', confirm: 'completed', cancel: 'canceled' };

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** The status that the acknowledged intents have left a payment in; null: some are not settled. */
function expectedStatus(intents: readonly Intent[]): string | null {
  if (intents.some(({ fate }) => fate === 'unknown')) return null;
  const last = intents.findLast(({ fate }) => fate === 'acked');
  return last ? statusAfter[last.kind] : null;
}

/**
 * Holds what a client knows against what is stored (reliability E5): acked ⊆ stored, stored ⊆ acked
 * ∪ unknown, refused ∩ stored = ∅; and each effect once. @returns a sentence for each difference
 */
export function compareLedger(
  intents: readonly Intent[],
  stored: readonly StoredPayment[],
): string[] {
  const violations: string[] = [];
  const byKey = groupBy(stored, ({ description }) => description);
  const byPayment = groupBy(intents, ({ payment }) => payment ?? '');
  const known = new Set<string>();
  for (const intent of intents) {
    const { key, kind, fate, payment } = intent;
    if (fate === 'unknown') violations.push(`${kind} ${key} was never settled by its retries`);
    if (kind !== 'pay') continue;
    known.add(key);
    const made = byKey.get(key) ?? [];
    if (made.length > 1) violations.push(`payment ${key} is stored ${made.length} times`);
    if (fate === 'refused' && made.length > 0)
      violations.push(`payment ${key} was refused and is stored`);
    if (fate !== 'acked' || payment === null) continue;
    const [row] = made;
    if (!row) violations.push(`payment ${key} was acknowledged and is lost`);
    else if (row.id !== uuid('payment', payment))
      violations.push(`payment ${key} is stored as another one`);
    const expected = expectedStatus(byPayment.get(payment) ?? []);
    if (row && expected !== null && row.status !== expected)
      violations.push(`payment ${key} is ${row.status}, acknowledged as ${expected}`);
  }
  for (const { description } of stored)
    if (!known.has(description)) violations.push(`payment ${description} was never asked for`);
  return violations;
}
