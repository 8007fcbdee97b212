import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { createTenant as contract } from '@tenant-payments/contract/portal/tenants.ts';
import type { FastifyInstance } from 'fastify';
import { fail } from '../core/fail.ts';
import { tokenHash } from '../core/vault.ts';
import { requestEvent } from '../http/log/security.ts';
import { jsonType } from '../http/serve/errors.ts';
import type { Service } from '../service.ts';
import { createTenant } from './create.ts';
import { operatorKeyFile } from './files.ts';

/**
 * The key of this machine's operator. It is in DATA_DIR (mode 0600), so that only the command line
 * on this machine can make tenants.
 */
export async function operatorKey(dataDir: string): Promise<string> {
  const path = operatorKeyFile(dataDir);
  try {
    const key = `ok_${randomBytes(32).toString('base64url')}`;
    await writeFile(path, `${key}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}

/** POST /portal/api/tenants: another tenant of this sandbox, only for the machine's operator. */
export function serveTenants(app: FastifyInstance, service: Service, key: string): void {
  const expected = Buffer.from(tokenHash(key));
  app.post<{ Body: BodyOf<typeof contract> }>(
    contract.path,
    {
      schema: { body: contract.body },
      onRequest: async (request) => {
        const given = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
        if (timingSafeEqual(Buffer.from(tokenHash(given)), expected)) return;
        requestEvent(service.log, request, 'operator_refused', { actor: 'anybody' });
        throw fail('authentication_required', { message: "the operator's key is required" });
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { tenantId, facts } = await createTenant(service, {
        name: body.name,
        rateLimit: body.rate_limit,
      });
      const made = { actor: 'operator', tenant_id: tenantId } as const;
      requestEvent(service.log, request, 'tenant_made', made);
      return reply.code(201).header('content-type', jsonType).send(JSON.stringify(facts));
    },
  );
}
