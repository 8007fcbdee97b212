import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { createTenant as contract } from '@tenant-payments/contract/portal/operate/tenants.ts';
import type { FastifyInstance } from 'fastify';
import { keptText } from '../config/kept_file.ts';
import type { Actor } from '../core/actor.ts';
import { fail } from '../core/fail.ts';
import { tokenHash } from '../core/vault.ts';
import { requestEvent } from '../http/log/security.ts';
import { jsonType } from '../http/serve/errors.ts';
import { auditRefusals } from '../people/audit/refusals.ts';
import type { Service } from '../service.ts';
import { createTenant } from './create.ts';
import { operatorKeyFile } from './files.ts';

/**
 * The key of this machine's operator. It is in DATA_DIR (mode 0600), so that only the command line
 * on this machine can make tenants.
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

/** POST /portal/api/tenants: another tenant of this sandbox, only for the machine's operator. */
export function serveTenants(app: FastifyInstance, service: Service, key: string): void {
  const expected = Buffer.from(tokenHash(key));
  app.post<{ Body: BodyOf<typeof contract> }>(
    contract.path,
    {
      schema: { body: contract.body },
      config: { endpoint: contract },
      onSend: auditRefusals(service),
      onRequest: async (request) => {
        const given = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
        if (timingSafeEqual(Buffer.from(tokenHash(given)), expected)) {
          request.actor = { ...operator, address: request.ip, requestId: request.id };
          return;
        }
        requestEvent(service.log, request, 'operator_refused', { actor: 'anybody' });
        throw fail('authentication_required', { message: "the operator's key is required" });
      },
    },
    async (request, reply) => {
      const { body, actor } = request;
      const given = { name: body.name, rateLimit: body.rate_limit };
      const { tenantId, facts } = await createTenant(service, given, actor);
      const made = { actor: 'operator', tenant_id: tenantId } as const;
      requestEvent(service.log, request, 'tenant_made', made);
      return reply.code(201).header('content-type', jsonType).send(JSON.stringify(facts));
    },
  );
}
