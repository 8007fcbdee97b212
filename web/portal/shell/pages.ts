import type { PageGroup } from '../../staff/shell/page_group.ts';

const anybody = ['reader', 'support'] as const;
const developer = ['developer', 'support'] as const;
const finance = ['finance', 'support'] as const;

/** The navigation, in its order. */
export const pageGroups: readonly PageGroup[] = [
  { name: 'Home', icon: 'home', pages: [{ path: '/', name: 'Home', may: anybody }] },
  {
    name: 'Records',
    icon: 'records',
    pages: [
      { path: '/records/payments', name: 'Payments', may: anybody },
      { path: '/records/payment-requests', name: 'Payment requests', may: anybody },
      { path: '/records/loads', name: 'Loads', may: anybody },
      { path: '/records/withdrawals', name: 'Withdrawals', may: anybody },
      { path: '/records/refunds', name: 'Refunds', may: anybody },
      { path: '/records/disputes', name: 'Disputes', may: anybody },
      { path: '/records/customers', name: 'Customers', may: anybody },
      { path: '/records/accounts', name: 'Accounts', may: anybody },
      { path: '/records/linked-accounts', name: 'Linked accounts', may: anybody },
      { path: '/records/sessions', name: 'Sessions', may: anybody },
    ],
  },
  {
    name: 'Money',
    icon: 'money',
    pages: [
      { path: '/ledger', name: 'Ledger', may: finance },
      { path: '/reconciliation', name: 'Reconciliation', may: finance },
      { path: '/records/statements', name: 'Statements', may: finance },
      { path: '/records/reports', name: 'Reports', may: finance },
    ],
  },
  {
    name: 'Developers',
    icon: 'developers',
    pages: [
      { path: '/requests', name: 'Requests', may: developer },
      { path: '/events', name: 'Events', may: developer },
      { path: '/deliveries', name: 'Deliveries', may: developer },
      { path: '/webhooks', name: 'Webhooks', may: developer },
      { path: '/credentials', name: 'Credentials', may: developer },
      { path: '/api-keys', name: 'API keys', may: anybody },
      { path: '/sandbox', name: 'Sandbox', may: anybody, sandboxOnly: true },
      { path: '/event-types', name: 'Event catalog', may: developer },
      { path: '/states', name: 'States and moves', may: anybody },
    ],
  },
  {
    name: 'Tenant',
    icon: 'tenant',
    pages: [
      { path: '/settings', name: 'Settings', may: anybody },
      { path: '/team', name: 'Team', may: ['owner', 'admin'] },
      { path: '/audit', name: 'Audit', may: ['owner', 'admin'] },
      { path: '/access', name: 'Access', may: ['owner', 'admin'] },
    ],
  },
];
