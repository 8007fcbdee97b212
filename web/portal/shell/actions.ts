import type { Action } from '../../staff/palette/choices.ts';

const developer = ['developer'] as const;
const changing = ['developer', 'admin'] as const;
const owner = ['owner', 'admin'] as const;
const finance = ['finance', 'support'] as const;

/** The actions that can be looked for anywhere, each with the page on which it is done. */
export const actions: readonly Action[] = [
  { name: 'Rotate the webhook secret', path: '/webhooks', may: developer, words: 'signing key' },
  { name: 'Recover events', path: '/webhooks', may: developer, words: 'resend failed deliveries' },
  { name: 'Send a test event', path: '/webhooks', may: developer, words: 'webhook delivery' },
  { name: 'Change the webhook address', path: '/webhooks', may: developer, words: 'endpoint url' },
  { name: 'Get an access token', path: '/credentials', may: developer, words: 'client id curl' },
  { name: 'Rotate the client secret', path: '/credentials', may: changing, words: 'credentials' },
  { name: 'Make an API key', path: '/api-keys', may: developer, words: 'create new script' },
  { name: 'Invite a colleague', path: '/team', may: owner, words: 'member person add team' },
  {
    name: 'Make a sandbox Tenant',
    path: '/sandbox#new',
    may: changing,
    words: 'new create second',
    sandboxOnly: true,
  },
  {
    name: 'Move the clock forward',
    path: '/sandbox',
    may: changing,
    words: 'time advance',
    sandboxOnly: true,
  },
  {
    name: 'Play faults',
    path: '/sandbox',
    may: changing,
    words: 'chaos errors duplicate',
    sandboxOnly: true,
  },
  { name: 'Change the branding', path: '/settings', may: developer, words: 'logo color name' },
  { name: 'Set return addresses', path: '/settings', may: developer, words: 'urls origins' },
  { name: 'Download statements', path: '/records/statements', may: finance, words: 'pdf file' },
  { name: 'Download a report', path: '/records/reports', may: finance, words: 'csv file' },
  { name: 'Verify the ledger', path: '/ledger', may: finance, words: 'proof check' },
  { name: 'Export the audit', path: '/audit', may: owner, words: 'csv download' },
];
