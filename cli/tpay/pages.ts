/** Pages of the service by a short name. */
export const pages = {
  portal: '/portal',
  requests: '/portal/requests',
  events: '/portal/events',
  deliveries: '/portal/deliveries',
  webhooks: '/portal/webhooks',
  sandbox: '/portal/sandbox',
  ledger: '/portal/ledger',
  reconciliation: '/portal/reconciliation',
  settings: '/portal/settings',
  'api-keys': '/portal/api-keys',
  docs: '/docs',
  'api-reference': '/docs/api',
  demo: '/shop',
} as const;

export type Page = keyof typeof pages;
export const pageNames = Object.keys(pages) as Page[];
