import { type PortalEndpointId, portalEndpoints } from '../../portal/catalog.ts';
import type { PortalEndpoint } from '../../portal/endpoint.ts';
import { portalExamples } from '../examples/portal.ts';
import { clientCredentials, license, tags } from './openapi.ts';
import { components, paths } from './operations.ts';
import type { Json } from './schemas.ts';

const general = `The JSON behind the developer portal.

- Errors, lists, amounts and times are as in the Tenant API.
- In the sandbox the Tenant's access token opens all of it, with every role, so that a program needs
  no browser. In production it opens nothing here: the portal wants a login of its own.
- \`x-role\` is the role that an operation asks of a login. Every login may do what \`reader\` may.
- A list gives the newest first; its cursor holds for the same list, filters and Tenant.`;

const tagDescriptions = {
  Webhooks: 'Where events go, what signs them, and how each was delivered.',
  Clock: 'The time of the Tenant, which the sandbox can move forward.',
  Chaos: 'Faults and events that try the code of the Tenant.',
  Records: 'All that the Tenant has, page by page.',
  Requests: 'What was asked of the API, and how it was answered.',
  Ledger: 'The double-entry book and its proof.',
  Review: 'What waits for a person, and what that person decides.',
  States: 'The state tables that the service runs.',
  Settings: 'What the Tenant may do, at what price and up to which limits.',
  Tenants: 'For whoever runs this sandbox.',
} as const;

const tagOf: Readonly<Record<PortalEndpointId, keyof typeof tagDescriptions>> = {
  getWebhookEndpoint: 'Webhooks',
  putWebhookEndpoint: 'Webhooks',
  listWebhookSecrets: 'Webhooks',
  createWebhookSecret: 'Webhooks',
  retireWebhookSecret: 'Webhooks',
  getClock: 'Clock',
  advanceClock: 'Clock',
  getChaos: 'Chaos',
  putChaos: 'Chaos',
  createSampleEvent: 'Chaos',
  listCustomers: 'Records',
  listPayments: 'Records',
  listLoads: 'Records',
  listWithdrawals: 'Records',
  listRefunds: 'Records',
  listPaymentRequests: 'Records',
  listSessions: 'Records',
  listDisputes: 'Records',
  listEventAttempts: 'Webhooks',
  listRequests: 'Requests',
  listLedgerEntries: 'Ledger',
  verifyLedger: 'Ledger',
  listReview: 'Review',
  reviewRecord: 'Review',
  listLifecycles: 'States',
  getSettings: 'Settings',
  putSettings: 'Settings',
  createTenant: 'Tenants',
};

const beside = ({ key, role }: PortalEndpoint): Json => ({
  ...(key === undefined ? {} : { security: [{ operatorKey: [] }] }),
  'x-role': role,
});

/** The portal's JSON as OpenAPI 3.1 (surfaces, HTTP), made from the endpoints that the service runs. */
export function portalDocument({ baseUrl }: { readonly baseUrl: string }): Json {
  const operations = {
    paths: paths<PortalEndpoint>({
      endpoints: portalEndpoints,
      tagOf,
      beside,
      examples: portalExamples,
    }),
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Portal JSON', version: '1.1', description: general, license },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: ['tenant'] }],
    tags: tags(tagDescriptions),
    ...operations,
    components: {
      securitySchemes: {
        oauth2: clientCredentials(baseUrl),
        operatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key in `DATA_DIR/operator.key`, which never leaves its machine.',
        },
      },
      ...components(operations),
    },
  };
}
