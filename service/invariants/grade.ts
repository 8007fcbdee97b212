import type { ViolationGrade } from '@tenant-payments/contract/resources/ledger_proofs.ts';

/** Paragraphs of rules/invariants of which no violation changes what anybody has. */
const ofOrder = new Set([
  '6',
  '8',
  '9',
  '10',
  '11',
  '13',
  '14',
  '15',
  'people',
  'ranges',
  'references',
]);
/** Invariants of those paragraphs about money: a request that was paid twice, or with another amount. */
const ofMoney = new Set(['8.amount', '8.claimed_once', '8.paid_once']);
/** Instants that lie where they cannot, and jobs that stand at another time: a wrong clock leaves them. */
const ofTime =
  /(_due|deadlines|\.lifetimes|\.times|\.schedule|\.(next|last)_attempt|\.days|\.texts)$/;

/** How bad a violation is (rules/invariants#27); of an invariant that is not listed: as bad as can be. */
export function gradeOf(invariant: string): ViolationGrade {
  if (ofTime.test(invariant)) return 'time';
  const isOrder = ofOrder.has(invariant.split('.', 1)[0] ?? '') && !ofMoney.has(invariant);
  return isOrder ? 'order' : 'money';
}

/** From the worst one. */
export const grades: readonly ViolationGrade[] = ['money', 'order', 'time'];

/** The violations of each grade that has any, from the worst one. */
export const byGrade = <V extends { readonly invariant: string }>(violations: readonly V[]) =>
  grades
    .map((grade) => ({
      grade,
      found: violations.filter(({ invariant }) => gradeOf(invariant) === grade),
    }))
    .filter(({ found }) => found.length > 0);
