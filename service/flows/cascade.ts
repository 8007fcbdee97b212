import { command } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { AnyTable, RowOf } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type AccountRow, accounts } from '../resources/accounts/table.ts';
import { scheduleRefundsAndClosing } from '../resources/accounts/waiting_jobs.ts';
import { endLoad, loadOpenLoad } from '../resources/loads/moves.ts';
import { loads } from '../resources/loads/table.ts';
import { endPayment, loadOpenPayment } from '../resources/payments/moves.ts';
import { payments } from '../resources/payments/table.ts';
import { recordsAtOnce } from '../resources/records_at_once.ts';
import { failRefund, loadRefund } from '../resources/refunds/moves.ts';
import { refunds } from '../resources/refunds/table.ts';
import { endWithdrawal, loadOpenWithdrawal } from '../resources/withdrawals/moves.ts';
import { withdrawals } from '../resources/withdrawals/table.ts';

/** Ends a record that waits for its customer. */
type End = (work: Work) => void;
/** Reads the records that wait for the customer of an account, at most `limit`. */
type ReadWaiting = (read: Read, accountId: string, limit: number) => Promise<End[]>;

/**
 * A type of record that waits for the customer of an account.
 * @param column by which the table declares a set, narrowed to the records in `state`
 * @param state in which it waits; what an earlier command of the batch moved is left alone
 * @param load what its end reads and changes
 */
const waiting =
  <T extends AnyTable, Loaded>(
    table: T,
    column: keyof T['columns'] & string,
    state: string,
    load: (read: Read, id: string) => Promise<Loaded>,
    end: (work: Work, loaded: Loaded) => void,
  ): ReadWaiting =>
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

/** The records that end when an account is suspended or closes, and how (rules/accounts#6). */
const types: readonly ReadWaiting[] = [
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

/** Nothing goes out any more, and its customer confirms nothing new. */
const isRestricted = ({ status }: AccountRow) => status !== 'active' && status !== 'dormant';

/**
 * Job at once when an account is suspended or closes: what waits for its customer ends. Correctness
 * rests on the check at the confirmation, never on this job (rules/accounts#6).
 */
export const accountRestrictedJob = command('account_restricted', {
  load: async (read, { ref }: { ref: string }) => {
    const [account, ...open] = await Promise.all([
      read.one(accounts, ref),
      ...types.map((readWaiting) => readWaiting(read, ref, recordsAtOnce)),
    ]);
    return { account, open: open.flat() };
  },
  decide: (work, { account, open }) => {
    const ends = isRestricted(account) ? open.slice(0, recordsAtOnce) : [];
    for (const end of ends) end(work);
    scheduleRefundsAndClosing(work, account);
    if (ends.length < recordsAtOnce) work.cancelJob('account_restricted', account.id);
    else work.scheduleJob('account_restricted', account.id, work.now);
    return { value: null };
  },
});
