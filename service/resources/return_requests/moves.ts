import { type Command, command } from '@tenant-payments/engine/command.ts';
import { fail, LoadAgain } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import { type InstructionRow, instructions, sendBack } from '../../rails/instructions.ts';
import { orderIdOfReturn } from '../../rails/order_id.ts';
import { accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { awardedCents, type DisputeRow, disputes } from '../disputes/table.ts';
import { linkedAccounts } from '../linked_accounts/table.ts';
import { type LoadRow, loads } from '../loads/table.ts';
import { giveBack, loadReturn } from '../suspense/moves.ts';
import { suspense } from '../suspense/table.ts';
import { readRecalls, recalledCents } from './recalled.ts';
import { type ReturnRequestRow, returnRequests, returnRequestView } from './table.ts';

interface Answer {
  readonly id: string;
  /** Cents; null: all that is asked for. */
  readonly amount: number | null;
  /** The text to the other bank. */
  readonly finding: string | null;
}

/** The money that is asked for, while it is in suspense; null: it is not, or no longer. */
async function heldMoney(read: Read, request: ReturnRequestRow, order: InstructionRow | null) {
  const source = request.payment_id ?? order?.source_id ?? null;
  const found = source === null ? [] : await read.set(suspense, 'source_id', source);
  const ofOrder =
    request.payment_id !== null && order
      ? await read.set(suspense, 'source_id', order.source_id)
      : [];
  const item = [...found, ...ofOrder].find(
    ({ status, amount }) => status === 'held' && amount === request.amount,
  );
  return item ? loadReturn(read, { id: item.id }) : null;
}

/** The settled load that brought the money, with the account that has it. */
async function recalledLoad(read: Read, order: InstructionRow | null) {
  if (order?.source_type !== 'load' || order.linked_account_id === null) return null;
  const [load, link, recalls] = await Promise.all([
    read.one(loads, order.source_id),
    read.one(linkedAccounts, order.linked_account_id),
    readRecalls(read, order),
  ]);
  const [account, balance] = await Promise.all([
    read.one(accounts, load.account_id),
    read.one(balances, load.account_id),
  ]);
  return { order, load, link, account, balance, recalls };
}
type Recalled = NonNullable<Awaited<ReturnType<typeof recalledLoad>>>;

/** The cents of a load that can go back: what disputes of it awarded its customer has already (rules/received-money#7). */
const leftOf = ({ load, recalls }: Recalled, notices: readonly DisputeRow[]): number =>
  Math.max(load.amount - recalledCents(recalls) - awardedCents(notices), 0);

/** @throws ApiError invalid_state: it is answered */
function assertOpen({ status }: ReturnRequestRow): void {
  if (status !== 'open')
    throw fail('invalid_state', { details: { current_status: status, allowed: ['open'] } });
}

/** The bank is told once this has committed (rules/received-money#8). */
function answer(work: Work, request: ReturnRequestRow, amount: number | null, text: string | null) {
  const set = {
    accepted_amount: amount,
    answer_text: text,
    told: 'waiting' as const,
    answered_at: work.now,
  };
  work.move(request, amount === null ? 'refuse' : 'accept', { set });
  work.cancelJob('return_request_due', request.id);
  work.scheduleJob('return_answer', request.id, work.now);
  return { value: returnRequestView(request) };
}

const stands = ({ status }: LoadRow) => status === 'settled';

/** Takes the money from its account, and orders that it goes back to the bank account that it came from. */
function takeAndSend(
  work: Work,
  request: ReturnRequestRow,
  { order, link, account, balance }: Recalled,
  { amount, left }: { readonly amount: number; readonly left: number },
): void {
  if (account.status === 'closed')
    throw fail('invalid_state', {
      details: { current_status: account.status, allowed: [], reason: 'account_closed' },
    });
  if (amount > left)
    throw fail('parameter_invalid', {
      param: 'amount',
      details: { reason: 'above_received', maximum: left },
    });
  const { available } = balance;
  if (amount > available)
    throw fail('insufficient_funds', {
      param: 'amount',
      details: { available, required: amount },
    });
  work.post(
    { type: 'adjustment', id: request.id },
    {
      recipe: 'recall_ordered',
      parties: { holder: account.id },
      amounts: { amount },
      counterparts: { holder: null },
      description: null,
    },
  );
  // Two requests of one load are decided one after the other.
  work.touch(order);
  const back = {
    purpose: 'return_of_funds',
    orderId: orderIdOfReturn(work, `request ${request.reference}`, amount),
    sourceId: request.id,
    amount,
  } as const;
  sendBack(work, back, link.reference_sealed ? link.id : null, order.id);
  scheduleRefundsAndClosing(work, account);
}

/**
 * The reviewer gives money back, all of it or a part, at most what the account has available (rules/received-money#7).
 * @throws ApiError invalid_state: it is answered, or nothing can be given back; insufficient_funds
 */
export const acceptReturnRequest = ({ db }: { readonly db: Kysely<Database> }) =>
  command('accept_return_request', {
    prepare: ({ id }: Answer, { tenantId }) => transactionOf(db, tenantId, id),
    load: async (read, { id }, transactionId) => {
      const request = await read.one(returnRequests, id);
      const order = await read.maybe(instructions, request.order_id);
      const [held, recalled, notices] = await Promise.all([
        heldMoney(read, request, order),
        recalledLoad(read, order),
        transactionId === null ? [] : read.set(disputes, 'movement_id', transactionId),
      ]);
      return { request, held, recalled, notices };
    },
    decide: (work, { request, held, recalled, notices }, { amount, finding }) => {
      assertOpen(request);
      if (held && held.item.status !== 'held')
        throw new LoadAgain('the money left suspense meanwhile');
      const given = amount ?? request.amount;
      const most = request.amount;
      if (given <= 0 || given > most || (held && given !== most))
        throw fail('parameter_invalid', {
          param: 'amount',
          details: { reason: held ? 'whole_amount_only' : 'above_requested', maximum: most },
        });
      if (held) giveBack(work, held);
      else if (recalled && stands(recalled.load)) {
        const left = leftOf(recalled, notices);
        takeAndSend(work, request, recalled, { amount: given, left });
        nameLoad(work, notices, recalled.load);
      } else
        throw fail('invalid_state', {
          details: { current_status: 'open', allowed: [], reason: 'nothing_to_give_back' },
        });
      return answer(work, request, given, finding);
    },
  });

/** The Transaction that settled the load whose money is asked for; null: it is of another record. */
async function transactionOf(
  db: Kysely<Database>,
  tenantId: string,
  id: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select e.id from return_requests r
      join instructions i on i.tenant_id = r.tenant_id and i.id = r.order_id and i.source_type = 'load'
      join entries e on e.tenant_id = i.tenant_id and e.source_id = i.source_id
        and e.step = 'load_settled' and e.transaction_type is not null
    where r.tenant_id = ${tenantId} and r.id = ${id}`.execute(db);
  return rows[0]?.id ?? null;
}

/** Notices that 1.0 has written do not name their load, and nothing was recalled then (rules/disputes#7). */
function nameLoad(work: Work, notices: readonly DisputeRow[], { id }: LoadRow): void {
  for (const notice of notices)
    if (notice.disputed_load_id === null) work.change(notice, { disputed_load_id: id });
}

/**
 * The reviewer gives nothing back, and says why.
 * @throws ApiError invalid_state: it is answered
 */
export const refuseReturnRequest: Command<Answer> = command('refuse_return_request', {
  load: (read, { id }: Answer) => read.one(returnRequests, id),
  decide: (work, request, { finding }) => {
    assertOpen(request);
    return answer(work, request, null, finding);
  },
});
