import { command } from '../core/command.ts';
import type { Read } from '../core/reader.ts';
import type { AnyTable, RowOf } from '../core/table.ts';
import type { Work } from '../core/work.ts';
import { scheduleRefundQueue } from '../resources/accounts/claims.ts';
import { restrictedDue } from '../resources/accounts/moves.ts';
import { type AccountRow, accounts } from '../resources/accounts/table.ts';
import { endLoad, loadOpenLoad } from '../resources/loads/moves.ts';
import { loads } from '../resources/loads/table.ts';
import { endPayment, loadOpenPayment } from '../resources/payments/moves.ts';
import { payments } from '../resources/payments/table.ts';
import { failRefund, loadRefund } from '../resources/refunds/moves.ts';
import { refunds } from '../resources/refunds/table.ts';
import { endWithdrawal, loadOpenWithdrawal } from '../resources/withdrawals/moves.ts';
import { withdrawals } from '../resources/withdrawals/table.ts';

/** So many records end in one command; what is left is due again at once. */
const atOnce = 200;

/** A record that waits for its customer, ready to be ended. */
type Ending = (work: Work) => void;
/** What waits for the customer of an account, at most so many. */
type Waiting = (read: Read, accountId: string, limit: number) => Promise<Ending[]>;

/**
 * A kind of record that waits for the customer of an account.
 * @param column a declared set of the table, narrowed to the records in `state`
 * @param state in which it waits; one that a command before this one has moved is left alone
 * @param load what its end touches besides
 */
const waiting =
  <T extends AnyTable, Loaded>(
    table: T,
    column: keyof T['columns'] & string,
    state: string,
    load: (read: Read, id: string) => Promise<Loaded>,
    end: (work: Work, loaded: Loaded) => void,
  ): Waiting =>
  async (read, accountId, limit) => {
    const open: readonly RowOf<AnyTable>[] = await read.set(table, column, accountId);
    const some = open.filter((row) => row.status === state).slice(0, limit);
    return Promise.all(
      some.map(async (row) => {
        const loaded = await load(read, String(row.id));
        return (work: Work) => {
          if (row.status === state) end(work, loaded);
        };
      }),
    );
  };

/** What ends with the use of an account, and how (decisions 1.1, Account, cascade (a)). */
const kinds: readonly Waiting[] = [
  waiting(payments, 'payer_account_id', 'requires_confirmation', loadOpenPayment, (work, rows) =>
    endPayment(work, rows, 'withdraw', null),
  ),
  waiting(loads, 'account_id', 'requires_confirmation', loadOpenLoad, (work, rows) =>
    endLoad(work, rows, 'refuse', 'account_restricted'),
  ),
  waiting(withdrawals, 'account_id', 'requires_confirmation', loadOpenWithdrawal, (work, rows) =>
    endWithdrawal(work, rows, 'refuse', 'account_restricted'),
  ),
  waiting(refunds, 'merchant_account_id', 'requested', loadRefund, (work, rows) =>
    failRefund(work, rows, 'refuse', 'account_restricted'),
  ),
];

/** Nothing goes out any more, and nothing new is asked of its customer. */
const isRestricted = ({ status }: AccountRow) => status !== 'active' && status !== 'dormant';

/**
 * Due at once when an account is suspended or closing: what waits for its customer ends. Correctness
 * rests on the check at confirmation, never on this (decisions 1.0).
 */
export const accountRestrictedJob = command(restrictedDue, {
  load: async (read, { ref }: { ref: string }) => {
    const [account, ...open] = await Promise.all([
      read.one(accounts, ref),
      ...kinds.map((kind) => kind(read, ref, atOnce)),
    ]);
    return { account, open: open.flat() };
  },
  decide: (work, { account, open }) => {
    const endings = isRestricted(account) ? open.slice(0, atOnce) : [];
    for (const end of endings) end(work);
    scheduleRefundQueue(work, account);
    if (endings.length < atOnce) work.cancelJob(restrictedDue, account.id);
    else work.scheduleJob(restrictedDue, account.id, work.now);
    return { value: null };
  },
});
