import { linkedAccountLifecycle } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { assertStatus } from '../assert_status.ts';
import { failureCode } from '../failure_code.ts';
import { scheduleConsentEnd } from './consent_end.ts';
import { type LinkedAccountRow, linkedAccounts } from './table.ts';

interface Input {
  readonly id: string;
}

/** The capabilities of every link that is not verified (rules/linking#9). */
export const withoutCapabilities = {
  can_withdraw: false,
  can_load: false,
  can_pay_by_bank: false,
  withdrawal_hold_until: null,
} as const;

const hourSeconds = 3600;

const loadLink = (read: Read, { id }: Input) => read.one(linkedAccounts, id);

async function loadWithOthers(read: Read, { id }: Input) {
  const link = await read.one(linkedAccounts, id);
  const { customer_id } = link;
  const [links, account] = await Promise.all([
    read.set(linkedAccounts, 'customer_id', customer_id),
    read.by(accounts, 'customer', { customer_id }),
  ]);
  return { link, links, account };
}

/** A customer's first verified link has no hold; later ones have (rules/linking#14). */
function holdUntil(work: Work, links: readonly LinkedAccountRow[]): Instant | null {
  const hours = work.tenant.settings.withdrawal_hold_hours;
  const first = links.every(({ verified_at }) => verified_at === null);
  return first || hours === 0 ? null : addSeconds(work.now, hours * hourSeconds);
}

/**
 * The checks succeeded, or the reviewer verified the link: it gets the capabilities of its bank.
 * @throws ApiError invalid_state; also when the bank takes neither RTP nor Request for Payment
 */
export const verifyLink = command('verify_link', {
  load: loadWithOthers,
  decide: (work, { link, links, account }) => {
    const { status, offered_withdraw, offered_load } = link;
    assertStatus(linkedAccountLifecycle, status, ['verify', 'review_verify']);
    if (!offered_withdraw && !offered_load)
      throw fail('invalid_state', {
        details: { current_status: status, allowed: [], reason: 'rtp_not_supported' },
      });
    const held = holdUntil(work, links);
    work.move(link, status === 'held_for_review' ? 'review_verify' : 'verify', {
      set: {
        can_withdraw: offered_withdraw,
        can_load: offered_load,
        can_pay_by_bank: offered_load,
        holder_match: null,
        verified_at: work.now,
        withdrawal_hold_until: held,
      },
    });
    if (held !== null) work.scheduleJob('withdrawal_hold', link.id, held);
    // The payout of a closing account waits for a link.
    if (account) scheduleRefundsAndClosing(work, account);
    return { record: link };
  },
});

/** The move that fails a link, by its status: of a check, of the reviewer, or later of the bank. */
const failingMove = {
  pending: 'fail',
  held_for_review: 'review_reject',
  verified: 'bank_closed',
  failed: 'fail',
  removed: 'fail',
} as const satisfies Record<LinkedAccountRow['status'], string>;

/**
 * A check failed, the reviewer rejected, or the bank closed or blocked the account. A later
 * confirmation that uses the link fails (rules/linking#16).
 * @throws ApiError invalid_state when it has failed already or was removed
 */
export const failLink = command('fail_link', {
  load: (read, input: Input & { readonly failure_code: string | null }) => loadLink(read, input),
  decide: (work, link, { failure_code }) => {
    assertStatus(linkedAccountLifecycle, link.status, ['fail', 'review_reject', 'bank_closed']);
    work.move(link, failingMove[link.status], {
      set: {
        ...withoutCapabilities,
        holder_match: null,
        failure_code: failureCode('linked_account', failure_code),
      },
    });
    work.cancelJob('withdrawal_hold', link.id);
    scheduleConsentEnd(work, link);
    return { record: link };
  },
});

/** The ownership check was inconclusive: a reviewer decides. */
export const holdLinkForReview = command('hold_link_for_review', {
  load: loadLink,
  decide: (work, link) => ({ record: work.move(link, 'hold_for_review') }),
});

async function loadHeld(read: Read, { id }: Input) {
  const link = await read.one(linkedAccounts, id);
  const { customer_id } = link;
  return { link, account: await read.by(accounts, 'customer', { customer_id }) };
}

function releaseHold(work: Work, { link, account }: Awaited<ReturnType<typeof loadHeld>>): void {
  work.move(link, 'release_hold', { set: { withdrawal_hold_until: null } });
  work.cancelJob('withdrawal_hold', link.id);
  // The payout of a closing account waits for the hold.
  if (account) scheduleRefundsAndClosing(work, account);
}

/**
 * The reviewer ends the hold before its time.
 * @throws ApiError invalid_state when the link is not verified or withdrawals are not held
 */
export const releaseLinkHold = command('release_link_hold', {
  load: loadHeld,
  decide: (work, held) => {
    const { link } = held;
    if (link.status === 'verified' && link.withdrawal_hold_until === null)
      throw fail('invalid_state', {
        details: { current_status: link.status, allowed: ['verified'], reason: 'no_hold' },
      });
    releaseHold(work, held);
    return { record: link };
  },
});

/** Job `withdrawal_hold`, at withdrawal_hold_until: ends the hold. */
export const withdrawalHoldJob = command('withdrawal_hold', {
  load: (read, { ref }: { ref: string }) => loadHeld(read, { id: ref }),
  decide: (work, held, { ref }) => {
    const { link } = held;
    const until = link.status === 'verified' ? link.withdrawal_hold_until : null;
    if (until === null) work.cancelJob('withdrawal_hold', ref);
    else if (until <= work.now) releaseHold(work, held);
    return { value: null };
  },
});
