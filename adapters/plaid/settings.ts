import type { AdapterSettings } from '@tenant-payments/service/rails/adapter.ts';

export const plaidUrls = {
  sandbox: 'https://sandbox.plaid.com',
  production: 'https://production.plaid.com',
} as const;

const isPlain = (url: URL): boolean =>
  url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

function urlFault(value: string): string | null {
  const isOrigin = URL.canParse(value) && new URL(value).origin === value.replace(/\/$/, '');
  if (!isOrigin) return 'must be an address without a path, such as https://production.plaid.com';
  return isPlain(new URL(value)) ? null : 'must be an https address';
}

export const plaidSettings: AdapterSettings = {
  name: 'plaid',
  ports: { aggregator: ['plaid'], identity: ['plaid'] },
  widgetOf: (environment) => ({
    name: 'plaid',
    script: 'https://cdn.plaid.com/link/v2/stable/link-initialize.js',
    frame: 'https://cdn.plaid.com',
    connect: plaidUrls[environment],
  }),
  settings: {
    PLAID_CLIENT_ID: {},
    PLAID_SECRET: { isSecret: true },
    /** The application's name, as customers read it in Link. */
    PLAID_CLIENT_NAME: {
      fault: (value) => (value.length <= 30 ? null : 'must have at most 30 characters'),
    },
    /** The template's id in Plaid's dashboard, under Identity Verification. */
    PLAID_IDENTITY_TEMPLATE: {
      port: 'identity',
      fault: (value) =>
        /^idvtmp_[\w-]{1,60}$/.test(value)
          ? null
          : 'must be the id of a template, such as idvtmp_4FrXJvfQU3zGUR',
    },
    /** The address of the environment, unless a proxy stands between. */
    PLAID_URL: {
      isOptional: true,
      fault: urlFault,
      environmentOf: (value) => {
        const { hostname } = new URL(value);
        if (hostname === 'sandbox.plaid.com') return 'sandbox';
        return hostname === 'production.plaid.com' ? 'production' : null;
      },
    },
  },
};
