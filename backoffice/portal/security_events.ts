import { requestEvent } from '@tenant-payments/service/http/log/security.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type PortalEndpointId, portalEndpoints } from '../contract/catalog.ts';
import type { reviewMoves } from '../contract/operate/review.ts';

type CustomerMove = (typeof reviewMoves)['customers'][number];

/** The portal's operations whose success is a security event. */
const portalEvents: Readonly<Partial<Record<PortalEndpointId, SecurityEventName>>> = {
  putWebhookEndpoint: 'webhook_endpoint_changed',
  createFurtherEndpoint: 'webhook_endpoint_changed',
  changeFurtherEndpoint: 'webhook_endpoint_changed',
  deleteFurtherEndpoint: 'webhook_endpoint_changed',
  createWebhookSecret: 'webhook_secret_made',
  retireWebhookSecret: 'webhook_secret_retired',
  createCredential: 'client_secret_made',
  retireCredential: 'client_secret_retired',
  revokeTokens: 'tokens_revoked',
  putSettings: 'settings_changed',
  uploadLogo: 'settings_changed',
  reviewRecord: 'review_moved',
  createApproval: 'approval_requested',
  approveApproval: 'approval_given',
  refuseApproval: 'approval_denied',
  createPlatformApproval: 'approval_requested',
  approvePlatformApproval: 'approval_given',
  refusePlatformApproval: 'approval_denied',
  revokeQrKey: 'qr_key_revoked',
  createTemporaryClient: 'client_secret_made',
  createSandboxTenant: 'tenant_made',
  resetSandbox: 'sandbox_reset',
  suspendTenant: 'tenant_suspended',
  resumeTenant: 'tenant_resumed',
};

/** A reviewer's moves with an event of their own. */
const reviewEvents: Readonly<Partial<Record<string, SecurityEventName>>> = {
  allow_pin_reset: 'pin_reset_allowed',
  remove_passkeys: 'passkeys_removed',
} satisfies Partial<Record<CustomerMove, SecurityEventName>>;

const byRoute: ReadonlyMap<string, SecurityEventName> = new Map(
  Object.entries(portalEvents).map(([id, event]) => {
    const { method, path } = portalEndpoints[id as PortalEndpointId];
    return [`${method} ${path}`, event];
  }),
);

const paramsOf = ({ params }: FastifyRequest) => params as Readonly<Record<string, string>>;

function eventOf(request: FastifyRequest): SecurityEventName | undefined {
  const event = byRoute.get(`${request.method} ${request.routeOptions.url}`);
  return event === 'review_moved' ? (reviewEvents[paramsOf(request).move ?? ''] ?? event) : event;
}

/** The facts of the change: the record and move of the path, which exist, and names of settings. */
function factsOf(event: SecurityEventName, request: FastifyRequest) {
  const fields = event === 'settings_changed' ? { fields: Object.keys(request.body ?? {}) } : {};
  return { ...paramsOf(request), ...fields };
}

/** Writes the security events of a scope that serves the portal. */
export function tellPortalEvents(scope: FastifyInstance, log: Logger): void {
  scope.addHook('onSend', async (request, { statusCode }) => {
    const event = eventOf(request);
    if (event === undefined || statusCode >= 300) return;
    requestEvent(log, request, event, factsOf(event, request));
  });
}
