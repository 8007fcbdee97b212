import { command } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  closeOrder,
  instructions,
  requestLifetimeSeconds,
  requestPayment,
  withdrawInstruction,
} from '../../rails/instructions.ts';
import { bankCounterpart } from '../accounts/counterparts.ts';
import { reactivateDormant } from '../accounts/moves.ts';
import { accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { failureCode } from '../failure_code.ts';
import { loadLimitsOfLoad, uncountLoad } from '../limits/load_limits.ts';
import { followOptOut } from '../linked_accounts/opt_out.ts';
import { linkedAccounts } from '../linked_accounts/table.ts';
import { endSession, loadNamed, movedByFlow } from '../sessions/open.ts';
import { type LoadFailure, type LoadRow, loads } from './table.ts';

/** The rows that every end of an unconfirmed load reads or changes. */
export async function loadOpenLoad(read: Read, id: string) {
  const load = await read.one(loads, id);
  const [session, counters] = await Promise.all([
    loadNamed(read, load.session_id),
    loadLimitsOfLoad(read, load),
  ]);
  return { load, session, counters };
}
type OpenLoad = Awaited<ReturnType<typeof loadOpenLoad>>;

/**
 * Ends an unconfirmed load: the amount goes back to its limits and the session ends.
 * @throws ApiError invalid_state when the load is no longer open
 */
export function endLoad(
  work: Work,
  { load, session, counters }: OpenLoad,
  ending: 'decline' | 'expire' | 'refuse',
  failure: LoadFailure,
): LoadRow {
  work.move(load, ending, { set: { failure_code: failure } });
  uncountLoad(work, counters, load.amount, 'failed');
  endSession(work, load.session_id, session);
  work.cancelJob('load_deadline', load.id);
  return load;
}

/** The rows of an open load, and those that a confirmation checks. */
export async function loadConfirmation(read: Read, id: string) {
  const open = await loadOpenLoad(read, id);
  const [account, link] = await Promise.all([
    read.one(accounts, open.load.account_id),
    read.one(linkedAccounts, open.load.linked_account_id),
  ]);
  return { ...open, account, link };
}
type Confirmation = Awaited<ReturnType<typeof loadConfirmation>>;

/** Why a confirmation fails the load; null: it does not (rules/loads#7). */
function confirmationFailure({ account, link }: Confirmation): LoadFailure | null {
  if (account.status !== 'active' && account.status !== 'dormant') return 'account_restricted';
  if (link.status === 'removed') return 'linked_account_removed';
  if (link.status !== 'verified' || !link.can_load) return 'linked_account_failed';
  return null;
}

/**
 * The customer confirms: a Request for Payment goes to the bank, valid for 24 hours. A check that
 * fails ends the load. A dormant account becomes active.
 * @throws ApiError invalid_state when the load is not open
 */
export function confirmLoad(work: Work, rows: Confirmation): LoadRow {
  const { load, account } = rows;
  const failure = load.status === 'requires_confirmation' ? confirmationFailure(rows) : null;
  if (failure) return endLoad(work, movedByFlow(rows), 'refuse', failure);
  work.move(load, 'confirm', { set: { confirmed_at: work.now } });
  if (account.status === 'dormant') reactivateDormant(work, account);
  requestPayment(work, {
    sourceType: 'load',
    sourceId: load.id,
    orderId: load.bank_order_id,
    linkedAccountId: load.linked_account_id,
    amount: load.amount,
  });
  work.cancelJob('load_deadline', load.id);
  work.scheduleJob('load_timeout', load.id, addSeconds(work.now, requestLifetimeSeconds.load));
  return load;
}

async function loadProcessing(read: Read, id: string) {
  const load = await read.one(loads, id);
  const [account, link, instruction, counters] = await Promise.all([
    read.one(accounts, load.account_id),
    read.one(linkedAccounts, load.linked_account_id),
    read.by(instructions, 'source', { source_type: 'load', source_id: load.id }),
    loadLimitsOfLoad(read, load),
  ]);
  return { load, account, link, instruction, counters };
}
type Processing = Awaited<ReturnType<typeof loadProcessing>>;

/** The bank paid the exact amount: it is credited. */
export const settleLoad = command('settle_load', {
  load: (read, { id }: { id: string }) => loadProcessing(read, id),
  decide: (work, { load, account, link, counters }) => {
    work.move(load, 'settle', {
      set: { settled_at: work.now },
      post: {
        recipe: 'load_settled',
        parties: { holder: load.account_id },
        amounts: { amount: load.amount },
        counterparts: { holder: bankCounterpart(link) },
        description: null,
      },
    });
    uncountLoad(work, counters, load.amount, 'settled');
    scheduleRefundsAndClosing(work, account);
    work.cancelJob('load_timeout', load.id);
    return { record: load };
  },
});

function failProcessing(work: Work, rows: Processing, failure: LoadFailure): void {
  const { load, account, counters } = rows;
  work.move(load, 'fail', { set: { failure_code: failure } });
  followOptOut(work, failure, load.linked_account_id);
  uncountLoad(work, counters, load.amount, 'failed');
  scheduleRefundsAndClosing(work, account);
  work.cancelJob('load_timeout', load.id);
}

/** The bank rejected, or the customer refused at the bank. */
export const failLoad = command('fail_load', {
  load: (read, { id }: { id: string; failure_code: string | null }) => loadProcessing(read, id),
  decide: (work, rows, { failure_code }) => {
    failProcessing(work, rows, failureCode('load', failure_code));
    withdrawInstruction(work, rows.instruction);
    return { record: rows.load };
  },
});

/** Job `load_timeout`: fails a load without an answer 24 hours after its confirmation. */
export const loadTimeoutJob = command('load_timeout', {
  load: (read, { ref }: { ref: string }) => loadProcessing(read, ref),
  decide: (work, rows, { ref }) => {
    const { load } = rows;
    const waits = load.status === 'processing' && load.confirmed_at !== null;
    const end = addSeconds(load.confirmed_at ?? work.now, requestLifetimeSeconds.load);
    if (waits && end <= work.now) {
      failProcessing(work, rows, 'request_expired');
      closeOrder(work, rows.instruction);
    } else if (!waits) work.cancelJob('load_timeout', ref);
    return { value: null };
  },
});
