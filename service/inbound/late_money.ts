import { LoadAgain } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { InstructionRow } from '../rails/instructions.ts';
import type { AccountRow } from '../resources/accounts/table.ts';
import { type LinkedAccountRow, linkedAccounts } from '../resources/linked_accounts/table.ts';
import { acceptsMoney, creditFromSuspense, orderReturn } from '../resources/suspense/moves.ts';
import type { SuspenseRow } from '../resources/suspense/table.ts';
import type { Leg } from './leg.ts';

const mayBeLate = ({ kind }: InstructionRow, leg: Leg): boolean =>
  kind === 'request_for_payment' && leg.statuses.failed.known.includes(leg.status());

/** The bank account that a request has failed of: its money may still come. Undefined: the request waits, and none is read. */
export type LatePayer = LinkedAccountRow | null | undefined;

export const readPayer = async (read: Read, order: InstructionRow, leg: Leg): Promise<LatePayer> =>
  mayBeLate(order, leg) ? read.maybe(linkedAccounts, order.linked_account_id) : undefined;

/** @throws LoadAgain where the request has failed in this batch (rules/engine#15) */
export function payerNow(
  order: InstructionRow,
  leg: Leg,
  loaded: LatePayer,
): LinkedAccountRow | null {
  if (loaded === undefined && mayBeLate(order, leg))
    throw new LoadAgain('a request failed meanwhile');
  return loaded ?? null;
}

/** An order with whom its money may go to. */
interface Late {
  readonly order: InstructionRow;
  readonly holder: AccountRow | null;
  readonly payer: LinkedAccountRow | null;
}

/**
 * Moves money that comes late on from suspense, by the setting `late_money` (rules/bank-orders#20).
 * @returns whether it went; else a person decides
 */
export function passOnLate(work: Work, { order, holder, payer }: Late, item: SuspenseRow): boolean {
  const { late_money } = work.tenant.settings;
  if (late_money === 'return') orderReturn(work, item, order, payer);
  else if (late_money === 'credit' && holder && acceptsMoney(holder))
    creditFromSuspense(work, item, holder);
  else return false;
  return true;
}
