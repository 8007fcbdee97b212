import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { InstructionRow } from '../../rails/instructions.ts';
import { accounts } from '../accounts/table.ts';
import { moveCreditToSuspense } from './credit.ts';
import { disputes } from './table.ts';

/** A credit that was sent to a bank because the account had closed. */
export async function loadSentCredit(read: Read, id: string, { purpose }: InstructionRow) {
  const dispute = await read.one(disputes, id);
  assert(dispute.account_id !== null, 'a credited dispute has an account');
  const account = await read.one(accounts, dispute.account_id);
  // 1.0 wrote no purpose, and posted the credit as though the bank had moved it.
  return { dispute, account, isInTransit: purpose !== null };
}
export type SentCredit = Awaited<ReturnType<typeof loadSentCredit>>;

/** By `credit_route`: where a bank's answer is expected (`from`), and where it is known already. */
export const sentStatuses = {
  settled: { from: ['sent'], known: ['arrived'] },
  failed: { from: ['sent'], known: ['suspense'] },
} as const;

/** The bank accepted. No visible field of the dispute changes. */
export function creditArrived(work: Work, { dispute, isInTransit }: SentCredit): void {
  work.change(dispute, { credit_route: 'arrived' });
  if (!isInTransit) return;
  const amounts = { amount: dispute.credited_cents };
  const source = { type: 'dispute', id: dispute.id };
  work.post(source, { recipe: 'dispute_credit_settled', parties: {}, amounts });
}

/** The bank rejected: the money goes to suspense. */
export function creditFailed(work: Work, { dispute, isInTransit }: SentCredit): void {
  work.change(dispute, { credit_route: 'suspense' });
  moveCreditToSuspense(work, dispute, isInTransit);
}
