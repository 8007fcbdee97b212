import type { PageGroup } from '../../staff/shell/frame.tsx';

const anybody = ['reader', 'support'] as const;
const developer = ['developer', 'support'] as const;
const finance = ['finance', 'support'] as const;

/** The navigation, in its order. */
export const pageGroups: readonly PageGroup[] = [
  { name: 'Overview', pages: [{ path: '/', name: 'Home', may: anybody }] },
  {
    name: 'Integration',
    pages: [
      { path: '/requests', name: 'Requests', may: developer },
      { path: '/events', name: 'Events', may: developer },
      { path: '/deliveries', name: 'Deliveries', may: developer },
      { path: '/webhooks', name: 'Webhooks', may: developer },
      { path: '/credentials', name: 'Credentials', may: developer },
      { path: '/sandbox', name: 'Sandbox', may: anybody, sandboxOnly: true },
    ],
  },
  {
    name: 'Records',
    pages: [
      { path: '/records/customers', name: 'Customers', may: anybody },
      { path: '/records/accounts', name: 'Accounts', may: anybody },
      { path: '/records/linked-accounts', name: 'Linked accounts', may: anybody },
      { path: '/records/payments', name: 'Payments', may: anybody },
      { path: '/records/payment-requests', name: 'Payment requests', may: anybody },
      { path: '/records/loads', name: 'Loads', may: anybody },
      { path: '/records/withdrawals', name: 'Withdrawals', may: anybody },
      { path: '/records/refunds', name: 'Refunds', may: anybody },
      { path: '/records/disputes', name: 'Disputes', may: anybody },
      { path: '/records/sessions', name: 'Sessions', may: anybody },
      { path: '/records/statements', name: 'Statements', may: finance },
      { path: '/records/reports', name: 'Reports', may: finance },
    ],
  },
  {
    name: 'Money',
    pages: [
      { path: '/ledger', name: 'Ledger', may: ['finance', 'support'] },
      { path: '/reconciliation', name: 'Reconciliation', may: ['finance', 'support'] },
    ],
  },
  {
    name: 'Tenant',
    pages: [
      { path: '/settings', name: 'Settings', may: anybody },
      { path: '/team', name: 'Team', may: ['owner', 'admin'] },
      { path: '/api-keys', name: 'API keys', may: anybody },
      { path: '/audit', name: 'Audit', may: ['owner', 'admin'] },
      { path: '/access', name: 'Access', may: ['owner', 'admin'] },
    ],
  },
  {
    name: 'Reference',
    pages: [
      { path: '/states', name: 'States and moves', may: anybody },
      { path: '/event-types', name: 'Event catalog', may: developer },
    ],
  },
];
