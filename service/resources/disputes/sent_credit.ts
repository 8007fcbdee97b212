import { assert } from '../../core/fail.ts';
import type { Read } from '../../core/load/reader.ts';
import type { Work } from '../../core/work.ts';
import { accounts } from '../accounts/table.ts';
import { moveCreditToSuspense } from './credit.ts';
import { disputes } from './table.ts';

/** A credit that went to a bank, because its account had closed. */
export async function loadSentCredit(read: Read, id: string) {
  const dispute = await read.one(disputes, id);
  assert(dispute.account_id !== null, 'what was credited has an account');
  return { dispute, account: await read.one(accounts, dispute.account_id) };
}
export type SentCredit = Awaited<ReturnType<typeof loadSentCredit>>;

/** Where the bank's answer is waited for, and where it has been given, as `credit_route` says. */
export const sentStatuses = {
  settled: { from: ['sent'], known: ['arrived'] },
  failed: { from: ['sent'], known: ['suspense'] },
} as const;

/** The bank accepted. The dispute shows nothing of it. */
export const creditArrived = (work: Work, { dispute }: SentCredit) =>
  work.change(dispute, { credit_route: 'arrived' });

/** The bank rejected: the money is back, and belongs to nobody yet. */
export function creditFailed(work: Work, { dispute }: SentCredit): void {
  work.change(dispute, { credit_route: 'suspense' });
  moveCreditToSuspense(work, dispute);
}
