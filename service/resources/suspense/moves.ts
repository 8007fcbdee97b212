import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/load/reader.ts';
import type { Work } from '../../core/work.ts';
import type { NewValues } from '../../core/work_types.ts';
import { bankMessages, closeMessage } from '../../rails/bank_messages.ts';
import { type AccountRow, accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { type SuspenseRow, suspense, suspenseView } from './table.ts';

export type UnmatchedMoney = Omit<NewValues<typeof suspense>, 'id' | 'created_at' | 'resolved_at'>;

/** Takes bank money in that no record takes (decisions 2.2, suspense_received). */
export function receiveInSuspense(work: Work, money: UnmatchedMoney): SuspenseRow {
  return work.create(
    suspense,
    { ...money, id: work.newId(), created_at: work.now, resolved_at: null },
    'receive',
    { post: { recipe: 'suspense_received', parties: {}, amounts: { amount: money.amount } } },
  );
}

/** After its closing no money comes to an account any more: it goes to suspense (decisions 1.9). */
export const acceptsMoney = ({ status }: AccountRow): boolean => status !== 'closed';

/**
 * The money was this account's: it is credited by an adjustment, and what waits for money goes on.
 * @throws ApiError invalid_state when it is in suspense no more
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

/** The money, and what the bank said with it. */
async function loadItem(read: Read, { id }: Input) {
  const item = await read.one(suspense, id);
  const said = await read.set(bankMessages, 'source_id', item.source_id);
  return { item, messages: said.filter((message) => message.suspense_id === item.id) };
}

/**
 * The reviewer knows whose money it is. An account may be suspended or closing, which takes nothing
 * new but what is its own.
 * @throws ApiError invalid_state when it is in suspense no more, or the account is closed;
 *   not_found, param account_id; parameter_missing when nobody names an account
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
 * The money went back where it came from. The reviewer has the bank do that; here it is booked.
 * @throws ApiError invalid_state when it is in suspense no more
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
