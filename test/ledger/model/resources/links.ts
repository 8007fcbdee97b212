import {
  activeLink,
  become,
  type Due,
  dayMs,
  type Ledger,
  type ModelLink,
  type ModelPerson,
} from '../types.ts';

/** The sandbox's banks and what they offer; null: not supported. */
const banks = {
  standard: { withdrawal: true, load: true },
  rtp_only: { withdrawal: true, load: false },
  no_rtp: { withdrawal: false, load: false },
  foreign: null,
} as const;
export type Bank = keyof typeof banks;

/** Also of one that was removed since. */
export const hasFailed = ({ events }: ModelLink): boolean => events.includes('failed');

/** Bank accounts: linked, checked, held, failed and removed. */
export function openLinks({ people, settings, clock }: Ledger) {
  const holdMs = (settings.withdrawal_hold_hours * dayMs) / 24;

  function release(link: ModelLink): void {
    link.holdUntilMs = null;
    link.events.push('updated');
    // The payout of a closing account waits for the hold.
    link.customer.isNews = true;
  }
  /** A move from one of these states. */
  const move =
    (from: readonly ModelLink['status'][], to: ModelLink['status']) =>
    (link: ModelLink): string => {
      if (!from.includes(link.status)) return 'invalid_state';
      become(link, to, { holdUntilMs: null });
      return 'done';
    };

  return {
    create(customer: ModelPerson, bank: Bank): string {
      if (activeLink(customer)) return 'linked_account_exists';
      const offers = banks[bank];
      const isRestricted = customer.status === 'suspended' || customer.status === 'closed';
      if (isRestricted || offers === null) return 'link_token_mismatch';
      const made = { id: '', status: 'pending', wasVerified: false, holdUntilMs: null } as const;
      customer.links.push({ ...made, customer, offers, events: ['created'] });
      return 'done';
    },
    verify(link: ModelLink): string {
      const { status, offers, customer } = link;
      if (status !== 'pending' && status !== 'held_for_review') return 'invalid_state';
      if (!offers.withdrawal && !offers.load) return 'invalid_state';
      const isFirst = customer.links.every(({ wasVerified }) => !wasVerified);
      const holdUntilMs = isFirst || holdMs === 0 ? null : clock.nowMs + holdMs;
      become(link, 'verified', { holdUntilMs, wasVerified: true });
      customer.isNews = true;
      return 'done';
    },
    holdForReview: move(['pending'], 'held_for_review'),
    fail: move(['pending', 'held_for_review', 'verified'], 'failed'),
    remove: move(['held_for_review', 'verified', 'failed'], 'removed'),
    releaseHold(link: ModelLink): string {
      if (link.status !== 'verified' || link.holdUntilMs === null) return 'invalid_state';
      release(link);
      return 'done';
    },
    *due(): Due {
      for (const { links } of people)
        for (const link of links) yield [link.holdUntilMs, () => release(link)];
    },
  };
}
