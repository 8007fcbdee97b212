import type { PageGroup } from '../../staff/shell/page_group.ts';

/** The navigation, in its order. */
export const pageGroups: readonly PageGroup[] = [
  { name: 'Home', icon: 'home', pages: [{ path: '/', name: 'Home', may: ['support'] }] },
  {
    name: 'Review',
    icon: 'review',
    pages: [
      { path: '/desk', name: 'Review desk', may: ['reviewer'] },
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
