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
- \`x-role\` is the role that a login needs for the operation. Every login may do what \`reader\` may.
- A list gives the newest first; its cursor holds for the same list, filters and Tenant.`;

const tagDescriptions = {
  Webhooks: 'The webhook endpoint, the signing secrets, and the delivery of each event.',
  Credentials: "The secrets of the Tenant's API client, and its access tokens.",
  Clock: 'The time of the Tenant, which the sandbox can move forward.',
  Chaos: "Faults and sample events that test the Tenant's code.",
  Records: 'All records of the Tenant, page by page.',
  Requests: 'The requests of the API and their replies.',
  Ledger: 'The double-entry ledger and its check.',
  Review: "What waits for a reviewer, and the reviewer's moves.",
  States: 'The state tables that the service runs.',
  Settings: 'Features, fees and limits of the Tenant.',
  Tenants: 'For the operator of this sandbox.',
} as const;

const tagOf: Readonly<Record<PortalEndpointId, keyof typeof tagDescriptions>> = {
  getWebhookEndpoint: 'Webhooks',
  putWebhookEndpoint: 'Webhooks',
  listWebhookSecrets: 'Webhooks',
  createWebhookSecret: 'Webhooks',
  retireWebhookSecret: 'Webhooks',
  listCredentials: 'Credentials',
  createCredential: 'Credentials',
  retireCredential: 'Credentials',
  revokeTokens: 'Credentials',
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
  listCustomerDocuments: 'Records',
  listLegalTexts: 'Records',
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

/**
 * The portal's JSON as OpenAPI 3.1 (rules/operations#30), made from the endpoints that the service
 * runs.
 */
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
