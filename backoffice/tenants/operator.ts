import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { rates } from '@tenant-payments/contract/core/numbers.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { keptText } from '@tenant-payments/service/config/kept_file.ts';
import { requestEvent } from '@tenant-payments/service/http/log/security.ts';
import { securityEvent } from '@tenant-payments/service/operations/security_events.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { operatorKeyFile } from '@tenant-payments/service/tenants/files.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import type { createTenant as contract, NewTenant } from '../contract/operate/tenants.ts';
import type { Identify } from '../serve/guard.ts';
import { createTenant } from './create.ts';

/**
 * The key of this machine's operator. It is in DATA_DIR (mode 0600), so that the command line on this
 * machine can make tenants.
 */
export const operatorKey = (dataDir: string): Promise<string> =>
  keptText(operatorKeyFile(dataDir), () => `ok_${randomBytes(32).toString('base64url')}`);

/** Whoever has the key: the machine's operator. */
const operator: Actor = {
  kind: 'operator_key',
  id: 'operator',
  personId: null,
  roles: ['admin'],
  address: null,
  requestId: null,
};

/**
 * The caller of the operator's operations who is no person: whoever has the key. A Tenant's access token opens none.
 * @param key null: only people make Tenants here
 * @throws ApiError authentication_required
 */
export function byOperatorKey({ log }: Pick<Service, 'log'>, key: string | null): Identify {
  const expected = key === null ? null : Buffer.from(tokenHash(key));
  return async (request) => {
    const { key: taken } = (request.routeOptions.config.endpoint ?? {}) as Partial<PortalEndpoint>;
    if (taken !== 'operator') return null;
    const given = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
    if (expected !== null && timingSafeEqual(Buffer.from(tokenHash(given)), expected))
      return { actor: operator, tenantId: '', ratePerMinute: rates.person, isFresh: true };
    requestEvent(log, request, 'operator_refused');
    const message = "an admin's session or the operator's key is required";
    throw fail('authentication_required', { message });
  };
}

/** @throws ApiError parameter_invalid, param `cell`: this process serves none of that name; 503 */
function cellNamed(service: Service, name: string | undefined): Service {
  const { peers } = service;
  if (name === undefined) return peers.open[0] ?? service;
  const found = peers.at(name);
  if (found) return found;
  const allowed = [...peers.open.map(({ cell }) => cell), ...peers.away];
  throw fail('parameter_invalid', {
    param: 'cell',
    details: { reason: 'unknown_cell', allowed },
    message: `this service has no cell ${name}; it has ${allowed.join(', ')}`,
  });
}

/** POST /portal/api/tenants: by an admin, or by the operator of a sandbox (rules/tenants#4). */
export const makeTenant =
  (service: Service) =>
  async (
    { actor }: Pick<ReadContext, 'actor'>,
    { name, rate_limit: rateLimit, cell }: BodyOf<typeof contract>,
  ): Promise<NewTenant> => {
    const made = { name, rateLimit };
    const { tenantId, facts } = await createTenant(cellNamed(service, cell), made, actor);
    securityEvent(service.log, 'tenant_made', {
      actor: actor.kind === 'person' ? 'person' : 'operator',
      tenant_id: tenantId,
      client_address: actor.address ?? undefined,
      request_id: actor.requestId ?? undefined,
    });
    return { tenant_id: tenantId, ...facts };
  };
