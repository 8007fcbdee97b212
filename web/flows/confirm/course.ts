import type { Confirmation } from '@tenant-payments/contract/hosted/view.ts';
import type { Texts } from '../texts/en.ts';

type Words = Texts['confirm'];

/** How money moves once it is confirmed, as keys of the texts. */
interface Course {
  readonly method: keyof Words['method'];
  readonly arrives: keyof Words['arrives'];
  /** Null: there is nothing to do, and nothing to expect. */
  readonly next: keyof Words['next'] | null;
}

/**
 * By kind and by where the bank is: instant rails know no business days, and a record whose link is
 * on hold is never made (rules/hosted#39).
 */
const courses = {
  'payment by balance': { method: 'balance', arrives: 'atOnce', next: null },
  'payment by bank': { method: 'request', arrives: 'onApproval', next: 'approvePayment' },
  'load by bank': { method: 'request', arrives: 'onApproval', next: 'approveLoad' },
  'withdrawal by bank': { method: 'transfer', arrives: 'inAMinute', next: 'nothing' },
  'refund by balance': { method: 'balance', arrives: 'atOnce', next: 'mayWait' },
  'refund by bank': { method: 'transfer', arrives: 'inAMinute', next: 'mayWait' },
} as const satisfies Record<string, Course>;

export function courseOf({ type, from, to }: Confirmation): Course {
  const isByBank = [from, to].some((place) => place?.type === 'bank_account');
  if (type === 'load') return courses['load by bank'];
  if (type === 'withdrawal') return courses['withdrawal by bank'];
  return courses[`${type} by ${isByBank ? 'bank' : 'balance'}`];
}
