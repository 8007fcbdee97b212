import type { PageGroup } from '../../portal/shell/frame.tsx';

/** The navigation, in its order. */
export const pageGroups: readonly PageGroup[] = [
  {
    name: 'Review',
    pages: [
      { path: '/', name: 'Review desk', may: ['reviewer'] },
      { path: '/disputes', name: 'Disputes', may: ['support'] },
    ],
  },
  { name: 'Platform', pages: [{ path: '/tenants', name: 'Tenants', may: ['support'] }] },
  {
    name: 'Operations',
    pages: [
      { path: '/operations', name: 'Operations', may: ['support'] },
      { path: '/ledger-proofs', name: 'Ledger proofs', may: ['support'] },
    ],
  },
];
