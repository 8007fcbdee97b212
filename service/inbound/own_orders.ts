import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type InstructionRow, isOwnPurpose, type OwnPurpose } from '../rails/instructions.ts';
import { loadSweep, settleSweep, undoSweep } from '../resources/accounts/fee_sweep.ts';
import { settleTopUp, undoTopUp } from '../resources/accounts/fund_reserve.ts';
import { accounts } from '../resources/accounts/table.ts';
import { type ReturnRequestRow, returnRequests } from '../resources/return_requests/table.ts';
import { keepReturned, receiveUnordered, settleReturn } from '../resources/suspense/moves.ts';
import { type ReceivedMoneyRow, receivedMoney } from '../resources/suspense/received_money.ts';
import { suspense } from '../resources/suspense/table.ts';
import type { Leg } from './leg.ts';

/** The postings of the bank's answers. */
type Posts = Pick<Leg, 'holder'> & {
  readonly settled: Leg['settle'];
  readonly failed: (work: Work) => void;
};

/** The payments that name an order, of another amount than it has, while it waits: none is booked (rules/bank-orders#28). */
async function readUnbooked(read: Read, { id }: InstructionRow): Promise<ReceivedMoneyRow[]> {
  const payments = await read.set(receivedMoney, 'order_id', id);
  const items = await Promise.all(payments.map((one) => read.set(suspense, 'source_id', one.id)));
  return payments.filter((_, index) => items[index]?.length === 0);
}

/** The order has ended by other money, or by none. */
function keepOthers(work: Work, unbooked: readonly ReceivedMoneyRow[]): void {
  const nobodys = { account_id: null, linked_account_id: null };
  for (const payment of unbooked) receiveUnordered(work, payment, 'unsolicited', nobodys);
}

/** Money of a load, which another bank has asked back. */
async function ofRecall(
  read: Read,
  request: ReturnRequestRow,
  order: InstructionRow,
): Promise<Posts> {
  const { id, account_id } = request;
  const { amount, linked_account_id } = order;
  return {
    holder: account_id === null ? null : await read.maybe(accounts, account_id),
    settled: (work) => settleReturn(work, { id, amount }),
    failed: (work) => keepReturned(work, { id, amount, account_id, linked_account_id }),
  };
}

async function ofReturn(read: Read, order: InstructionRow): Promise<Posts> {
  const request = await read.maybe(returnRequests, order.source_id);
  if (request) return ofRecall(read, request, order);
  const item = await read.one(suspense, order.source_id);
  return {
    holder: item.account_id === null ? null : await read.maybe(accounts, item.account_id),
    settled: (work) => settleReturn(work, item),
    failed: (work) => keepReturned(work, item),
  };
}

const postsOf: Readonly<Record<OwnPurpose, (read: Read, order: InstructionRow) => Promise<Posts>>> =
  {
    fee_sweep: async (read, order) => {
      const sweep = await loadSweep(read, order);
      return {
        holder: null,
        settled: (work) => settleSweep(work, sweep),
        failed: (work) => undoSweep(work, sweep),
      };
    },
    reserve_top_up: async (read, order) => {
      const unbooked = await readUnbooked(read, order);
      return {
        holder: null,
        settled: (work, moved) => {
          settleTopUp(work, order);
          keepOthers(
            work,
            unbooked.filter(({ amount }) => amount !== moved),
          );
        },
        failed: (work) => {
          undoTopUp(work, order);
          keepOthers(work, unbooked);
        },
      };
    },
    suspense_return: ofReturn,
    return_of_funds: ofReturn,
  };

/** Before the bank's answer the money is in transit (rules/bank-orders#7). */
const inTransit = 'in_transit';

/** An order of the platform itself: its own row says how it ended. */
export async function ownLeg(read: Read, order: InstructionRow): Promise<Leg> {
  assert(order.purpose !== null && isOwnPurpose(order.purpose), 'an own order says what it is for');
  const { holder, settled, failed } = await postsOf[order.purpose](read, order);
  return {
    status: () => order.answer ?? inTransit,
    holder,
    statuses: {
      settled: { from: [inTransit], known: ['settled'] },
      failed: { from: [inTransit], known: ['failed'] },
    },
    settle: (work, moved) => {
      work.change(order, { answer: 'settled' });
      settled(work, moved);
    },
    fail: (work) => {
      work.change(order, { answer: 'failed' });
      failed(work);
    },
  };
}
