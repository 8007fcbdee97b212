import type { PageGroup } from '../../staff/shell/navigation.tsx';

/** The navigation, in its order. */
const pageGroups: readonly PageGroup[] = [
  {
    name: 'Review',
    icon: 'review',
    pages: [
      { path: '/', name: 'Review desk', may: ['reviewer'] },
      { path: '/disputes', name: 'Disputes', may: ['support'] },
    ],
  },
  {
    name: 'Money',
    icon: 'money',
    pages: [
      { path: '/money/unmatched', name: 'Unmatched money', may: ['reviewer'] },
      { path: '/money/messages', name: 'Messages of providers', may: ['reviewer'] },
      { path: '/money/reserves', name: 'Reserves', may: ['support'] },
      { path: '/money/fees', name: 'Fee sweeps', may: ['support'] },
      { path: '/money/adjustments', name: 'Adjustments', may: ['reviewer'] },
      { path: '/money/statements', name: 'Bank statements', may: ['reviewer'] },
    ],
  },
  {
    name: 'Platform',
    icon: 'platform',
    pages: [
      { path: '/tenants', name: 'Tenants', may: ['support'] },
      { path: '/requests', name: 'Requests', may: ['reviewer'] },
      { path: '/staff', name: 'Staff', may: ['admin'] },
      { path: '/single-sign-on', name: 'Single sign-on', may: ['admin'] },
    ],
  },
  {
    name: 'Operations',
    icon: 'operations',
    pages: [
      { path: '/operations', name: 'Operations', may: ['support'] },
      { path: '/alarms', name: 'Alarms', may: ['support'] },
      { path: '/ledger-proofs', name: 'Ledger proofs', may: ['support'] },
      { path: '/audit', name: 'Audit', may: ['admin'] },
      { path: '/keys', name: 'Keys', may: ['admin'] },
    ],
  },
];

/** What waits at a page, by its path: a number, or `100+`. */
export type Waiting = Readonly<Record<string, string>>;

/** The same, with how much waits at a page where anything does. */
export const groupsWith = (waiting: Waiting): readonly PageGroup[] =>
  pageGroups.map((group) => ({
    ...group,
    pages: group.pages.map((page) => {
      const count = waiting[page.path];
      return count === undefined ? page : { ...page, name: `${page.name} (${count})` };
    }),
  }));
