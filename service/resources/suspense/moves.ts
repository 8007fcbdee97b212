import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { NewValues } from '@tenant-payments/engine/work_types.ts';
import { bankMessages, closeMessage } from '../../rails/bank_messages.ts';
import {
  type InstructionRow,
  instructions,
  type OwnPurpose,
  sendBack,
} from '../../rails/instructions.ts';
import { orderIdOfReturn } from '../../rails/order_id.ts';
import { type AccountRow, accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { type LinkedAccountRow, linkedAccounts } from '../linked_accounts/table.ts';
import { type ReceivedMoneyRow, receivedMoney } from './received_money.ts';
import { isUnordered, type SuspenseRow, suspense, suspenseView } from './table.ts';

export type UnmatchedMoney = Omit<NewValues<typeof suspense>, 'id' | 'created_at' | 'resolved_at'>;

/** Books bank money that no record can take (rules/review#18). */
export function receiveInSuspense(work: Work, money: UnmatchedMoney): SuspenseRow {
  return work.create(
    suspense,
    { ...money, id: work.newId(), created_at: work.now, resolved_at: null },
    'receive',
    { post: { recipe: 'suspense_received', parties: {}, amounts: { amount: money.amount } } },
  );
}

/** Books money that came without an order of its own (rules/received-money#1). */
export function receiveUnordered(
  work: Work,
  { id: source_id, amount, created_at }: ReceivedMoneyRow,
  reason: 'paid_twice' | 'unsolicited',
  likely: Pick<SuspenseRow, 'account_id' | 'linked_account_id'>,
): SuspenseRow {
  return work.create(
    suspense,
    {
      id: work.newId(),
      amount,
      reason,
      source_type: 'adjustment',
      source_id,
      account_id: likely.account_id,
      linked_account_id: likely.linked_account_id,
      created_at,
      resolved_at: null,
    },
    'receive_unordered',
    { post: { recipe: 'unordered_received', parties: {}, amounts: { amount } } },
  );
}

/** Books money that was on its way to a bank, and that none takes (rules/disputes#32). */
export function keepInSuspense(work: Work, money: Omit<UnmatchedMoney, 'reason'>): SuspenseRow {
  return work.create(
    suspense,
    {
      ...money,
      reason: 'undeliverable',
      id: work.newId(),
      created_at: work.now,
      resolved_at: null,
    },
    'keep',
    { post: { recipe: 'suspense_kept', parties: {}, amounts: { amount: money.amount } } },
  );
}

/** A closed account takes no money: it goes to suspense (rules/closing#14). */
export const acceptsMoney = ({ status }: AccountRow): boolean => status !== 'closed';

/**
 * Credits the account from suspense by an adjustment; refunds that wait for funds are tried again.
 * @throws ApiError invalid_state when it is no longer in suspense
 */
export function creditFromSuspense(work: Work, item: SuspenseRow, account: AccountRow): void {
  work.move(item, 'match', {
    set: { resolved_at: work.now },
    post: {
      recipe: 'suspense_matched',
      parties: { holder: account.id },
      amounts: { amount: item.amount },
      counterparts: { holder: null },
      description: null,
    },
  });
  scheduleRefundsAndClosing(work, account);
}

interface Input {
  readonly id: string;
}

/** The suspense item and its bank messages. */
async function loadItem(read: Read, { id }: Input) {
  const item = await read.one(suspense, id);
  const messages = await read.set(bankMessages, 'source_id', item.source_id);
  return { item, messages: messages.filter((message) => message.suspense_id === item.id) };
}

/**
 * The reviewer credits an account, which may be suspended or closing (rules/review#8).
 * @throws ApiError invalid_state when it is no longer in suspense, or the account is closed;
 *   not_found, param account_id; parameter_missing when neither item nor reviewer names an account
 */
export const matchSuspense = command('match_suspense', {
  load: async (read, input: Input & { readonly account_id: string | null }) => {
    const found = await loadItem(read, input);
    const accountId = input.account_id ?? found.item.account_id;
    return { ...found, accountId, account: await read.maybe(accounts, accountId) };
  },
  decide: (work, { item, messages, accountId, account }) => {
    if (accountId === null) throw fail('parameter_missing', { param: 'account_id' });
    if (!account) throw fail('not_found', { param: 'account_id' });
    if (!acceptsMoney(account) && item.status === 'held')
      throw fail('invalid_state', {
        details: { current_status: account.status, allowed: [], reason: 'account_closed' },
      });
    creditFromSuspense(work, item, account);
    for (const message of messages) closeMessage(work, message);
    return { value: suspenseView(item) };
  },
});

const sourceOf = ({ source_type, source_id }: Pick<SuspenseRow, 'source_type' | 'source_id'>) => ({
  source_type,
  source_id,
});

/** The item with the order that it came by, and the bank account that it came from. */
export async function loadReturn(read: Read, input: Input) {
  const found = await loadItem(read, input);
  const { reason, source_id, linked_account_id } = found.item;
  const received = isUnordered(found.item) ? await read.one(receivedMoney, source_id) : null;
  const unsentBy = reason === 'returned' ? await read.maybe(bankMessages, source_id) : null;
  const [cameBy, link] = await Promise.all([
    received
      ? read.maybe(instructions, received.order_id)
      : read.by(instructions, 'source', sourceOf(unsentBy ?? found.item)),
    linked_account_id === null ? null : read.one(linkedAccounts, linked_account_id),
  ]);
  const ofOrder = cameBy?.id ?? source_id;
  return {
    ...found,
    cameBy,
    /**
     * The origin from which the order back is derived: an order is paid once, and leaves one amount unsent; all other
     * money has an id of its own.
     */
    origin: received ? `payment ${received.provider_id}` : unsentBy ? `unsent ${ofOrder}` : ofOrder,
    link,
  };
}

/** Money that the bank sent back to us, or that it has not taken, goes back to nobody who paid it. */
const purposeOfReturn = ({ reason }: SuspenseRow): OwnPurpose =>
  reason === 'returned' || reason === 'undeliverable' ? 'suspense_return' : 'return_of_funds';

/**
 * Orders that money in suspense goes back to the bank account that it came from, unless that has refused it.
 * @param cameBy the order that it came by; null: none
 * @param origin what the order back is derived from
 * @throws ApiError invalid_state when it is no longer in suspense
 */
export function orderReturn(
  work: Work,
  item: SuspenseRow,
  cameBy: InstructionRow | null,
  link: LinkedAccountRow | null,
  origin = cameBy?.id ?? item.source_id,
): void {
  work.move(item, 'give_back', {
    set: { resolved_at: work.now },
    post: { recipe: 'suspense_return_ordered', parties: {}, amounts: { amount: item.amount } },
  });
  const order = {
    purpose: purposeOfReturn(item),
    orderId: orderIdOfReturn(work, origin, item.amount),
    sourceId: item.id,
    amount: item.amount,
  };
  const isTaken = link?.reference_sealed && item.reason !== 'undeliverable';
  sendBack(work, order, isTaken ? link.id : null, cameBy?.id ?? null);
}

/**
 * Orders that the money goes back (rules/review#8).
 * @throws ApiError invalid_state when it is no longer in suspense
 */
export function giveBack(
  work: Work,
  { item, messages, cameBy, origin, link }: Awaited<ReturnType<typeof loadReturn>>,
): void {
  orderReturn(work, item, cameBy, link, origin);
  for (const message of messages) closeMessage(work, message);
}

/** The reviewer orders it. */
export const returnSuspense = command('return_suspense', {
  load: loadReturn,
  decide: (work, found) => {
    giveBack(work, found);
    return { value: suspenseView(found.item) };
  },
});

/** The bank has paid it back. */
export const settleReturn = (
  work: Work,
  { id, amount }: Pick<SuspenseRow, 'id' | 'amount'>,
): void =>
  work.post(
    { type: 'adjustment', id },
    { recipe: 'suspense_return_settled', parties: {}, amounts: { amount } },
  );

/** The bank refuses to: the money is in suspense again, as an amount of its own. */
export function keepReturned(
  work: Work,
  item: Pick<SuspenseRow, 'id' | 'amount' | 'account_id' | 'linked_account_id'>,
): void {
  const { id: source_id, amount, account_id, linked_account_id } = item;
  keepInSuspense(work, {
    amount,
    source_type: 'adjustment',
    source_id,
    account_id,
    linked_account_id,
  });
}
