import type { Action } from '../../staff/palette/choices.ts';

const reviewer = ['reviewer'] as const;
const admin = ['admin'] as const;
const support = ['support'] as const;

/** The actions that can be looked for anywhere, each with the page on which it is done. */
export const actions: readonly Action[] = [
  { name: 'Decide the next case', path: '/desk', may: reviewer, words: 'review desk queue' },
  { name: 'Answer a dispute', path: '/disputes', may: reviewer, words: 'regulation e credit deny' },
  { name: 'Match money', path: '/money/unmatched', may: reviewer, words: 'suspense unmatched' },
  { name: 'Adjust money', path: '/money/adjustments', may: reviewer, words: 'correct post' },
  {
    name: 'Compare a bank statement',
    path: '/money/statements',
    may: reviewer,
    words: 'upload csv reconcile',
  },
  { name: 'Make a Tenant', path: '/tenants', may: admin, words: 'new create add' },
  { name: 'Invite a colleague', path: '/staff', may: admin, words: 'person add staff' },
  { name: 'Approve a request', path: '/requests', may: admin, words: 'second person' },
  { name: 'Acknowledge an alarm', path: '/alarms', may: support, words: 'incident' },
  { name: 'Verify the ledger', path: '/ledger-proofs', may: support, words: 'proof check' },
  { name: 'Search the audit', path: '/audit', may: admin, words: 'who did what export' },
  { name: 'Rotate a key', path: '/keys', may: admin, words: 'seal pepper' },
];
