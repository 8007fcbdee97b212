import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { NewValues } from '@tenant-payments/engine/work_types.ts';
import { bankMessages, closeMessage } from '../../rails/bank_messages.ts';
import { type AccountRow, accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { type SuspenseRow, suspense, suspenseView } from './table.ts';

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

/**
 * Books that the money went back; the transfer itself is made at the bank (rules/review#8).
 * @throws ApiError invalid_state when it is no longer in suspense
 */
export const returnSuspense = command('return_suspense', {
  load: loadItem,
  decide: (work, { item, messages }) => {
    work.move(item, 'give_back', {
      set: { resolved_at: work.now },
      post: { recipe: 'suspense_returned', parties: {}, amounts: { amount: item.amount } },
    });
    for (const message of messages) closeMessage(work, message);
    return { value: suspenseView(item) };
  },
});
