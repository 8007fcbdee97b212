import {
  type PortalEndpointId,
  portalEndpoints,
} from '@tenant-payments/backoffice/contract/catalog.ts';
import type { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import {
  actorFacts,
  type SecurityEventName,
  type SecurityFacts,
  securityEvent,
} from '../../operations/security_events.ts';

type CustomerMove = (typeof reviewMoves)['customers'][number];

type Facts = Partial<SecurityFacts>;

/**
 * Writes a security event of a request, with its caller where one is known, and its client's address (with
 * TRUSTED_PROXIES). The name `address` is a person's in our logs, and redacted.
 */
export function requestEvent(
  log: Logger,
  request: FastifyRequest,
  event: SecurityEventName,
  facts: Facts = {},
): void {
  const { id, ip, tenantId } = request;
  const tenant_id = tenantId || undefined;
  const own = { client_address: ip, request_id: id, tenant_id };
  securityEvent(log, event, { ...own, ...actorFacts(request.actor), ...facts });
}

/** Writes that access was refused. Without a credential it is not: each visit of the sign-in page is such a request. */
export function tellRefusedAccess(log: Logger, request: FastifyRequest, error: unknown): void {
  if (!(error instanceof ApiError)) return;
  const { authorization, cookie } = request.headers;
  const isKnown = error.code === 'forbidden';
  const hasTried = error.code === 'authentication_required' && (authorization ?? cookie);
  if (isKnown || hasTried) requestEvent(log, request, 'access_refused', { code: error.code });
}

const isOfPages = /^\/(?:hosted|portal)\//;

/**
 * Writes that input was refused where no log of requests keeps it. Without the field at fault, whose name
 * the caller chose.
 */
export function tellInvalidInput(log: Logger, request: FastifyRequest, error: ApiError): void {
  const { url } = request.routeOptions;
  if (error.status !== 400 || url === undefined || !isOfPages.test(url)) return;
  const { reason } = error.details ?? {};
  requestEvent(log, request, 'input_invalid', {
    operation: `${request.method} ${url}`,
    code: error.code,
    ...(typeof reason === 'string' ? { reason } : {}),
  });
}

/** The portal's operations whose success is a security event. */
const portalEvents: Readonly<Partial<Record<PortalEndpointId, SecurityEventName>>> = {
  putWebhookEndpoint: 'webhook_endpoint_changed',
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

/** What was changed: the record and move of the path, which exist, and names of settings. */
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
