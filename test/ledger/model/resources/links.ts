import {
  activeLink,
  type Book,
  become,
  dayMs,
  type ModelLink,
  type ModelPerson,
} from '../types.ts';

const hourMs = dayMs / 24;

/** The sandbox's banks and what they offer (surfaces, The sandbox's aggregator); null: none of ours. */
const banks = {
  standard: { withdrawal: true, load: true },
  rtp_only: { withdrawal: true, load: false },
  no_rtp: { withdrawal: false, load: false },
  foreign: null,
} as const;
export type Bank = keyof typeof banks;

/** Bank accounts: linked, checked, held, failed and removed. */
export function openLinks({ people, settings }: Book) {
  const all = (): ModelLink[] => people.flatMap(({ links }) => links);
  const holdMs = settings.withdrawal_hold_hours * hourMs;

  function release(link: ModelLink): void {
    link.holdUntilMs = null;
    link.events.push('updated');
  }

  return {
    create(customer: ModelPerson, bank: Bank): string {
      if (activeLink(customer)) return 'linked_account_exists';
      if (customer.status === 'suspended' || customer.status === 'closed')
        return 'link_token_mismatch';
      const offers = banks[bank];
      if (offers === null) return 'link_token_mismatch';
      const made = { id: '', status: 'pending', wasVerified: false, holdUntilMs: null } as const;
      customer.links.push({ ...made, customer, offers, events: ['created'] });
      return 'done';
    },
    verify(link: ModelLink, nowMs: number): string {
      const { status, offers, customer } = link;
      if (status !== 'pending' && status !== 'held_for_review') return 'invalid_state';
      if (!offers.withdrawal && !offers.load) return 'invalid_state';
      const isFirst = customer.links.every(({ wasVerified }) => !wasVerified);
      const holdUntilMs = isFirst || holdMs === 0 ? null : nowMs + holdMs;
      become(link, 'verified', { holdUntilMs, wasVerified: true });
      customer.isNews = true;
      return 'done';
    },
    holdForReview(link: ModelLink): string {
      if (link.status !== 'pending') return 'invalid_state';
      become(link, 'held_for_review');
      return 'done';
    },
    fail(link: ModelLink): string {
      if (link.status === 'failed' || link.status === 'removed') return 'invalid_state';
      become(link, 'failed', { holdUntilMs: null });
      return 'done';
    },
    remove(link: ModelLink): string {
      if (link.status === 'pending' || link.status === 'removed') return 'invalid_state';
      become(link, 'removed', { holdUntilMs: null });
      return 'done';
    },
    releaseHold(link: ModelLink): string {
      if (link.status !== 'verified' || link.holdUntilMs === null) return 'invalid_state';
      release(link);
      return 'done';
    },
    nextDueMs: (): number =>
      Math.min(...all().map(({ holdUntilMs }) => holdUntilMs ?? Infinity), Infinity),
    runDue(nowMs: number): void {
      for (const link of all()) if ((link.holdUntilMs ?? Infinity) <= nowMs) release(link);
    },
  };
}
