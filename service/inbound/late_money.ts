import { LoadAgain } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { InstructionRow } from '../rails/instructions.ts';
import type { AccountRow } from '../resources/accounts/table.ts';
import { tellCustomer } from '../resources/customers/messages/tell.ts';
import { type CustomerRow, customers } from '../resources/customers/table.ts';
import { type LinkedAccountRow, linkedAccounts } from '../resources/linked_accounts/table.ts';
import { acceptsMoney, creditFromSuspense, orderReturn } from '../resources/suspense/moves.ts';
import type { SuspenseRow } from '../resources/suspense/table.ts';
import type { Leg } from './leg.ts';

const mayBeLate = ({ kind }: InstructionRow, leg: Leg): boolean =>
  kind === 'request_for_payment' && leg.statuses.failed.known.includes(leg.status());

/** The bank account that late money can go back to, and the customer whom it can be credited to. */
export interface LateTo {
  readonly payer: LinkedAccountRow | null;
  readonly customer: CustomerRow | null;
}

/** Undefined: the request waits, and none is read. */
export async function readLate(
  read: Read,
  order: InstructionRow,
  leg: Leg,
): Promise<LateTo | undefined> {
  if (!mayBeLate(order, leg)) return;
  const [payer, customer] = await Promise.all([
    read.maybe(linkedAccounts, order.linked_account_id),
    read.maybe(customers, leg.holder?.customer_id ?? null),
  ]);
  return { payer, customer };
}

/** @throws LoadAgain where the request has failed in this batch (rules/engine#15) */
export function lateNow(
  order: InstructionRow,
  leg: Leg,
  loaded: LateTo | undefined,
): LateTo | null {
  if (loaded === undefined && mayBeLate(order, leg))
    throw new LoadAgain('a request failed meanwhile');
  return loaded ?? null;
}

/** An order with whom its money may go to. */
interface Late {
  readonly order: InstructionRow;
  readonly holder: AccountRow | null;
  readonly late: LateTo | null;
}

/**
 * Moves money that comes late on from suspense, by the setting `late_money` (rules/bank-orders#20).
 * @returns whether it went; else a person decides
 */
export function passOnLate(work: Work, { order, holder, late }: Late, item: SuspenseRow): boolean {
  const { late_money } = work.tenant.settings;
  if (late_money === 'return') orderReturn(work, item, order, late?.payer ?? null);
  else if (late_money === 'credit' && holder && acceptsMoney(holder)) {
    creditFromSuspense(work, item, holder);
    if (late?.customer) tellCustomer(work, late.customer, 'late_credit', { amount: item.amount });
  } else return false;
  return true;
}
