import formbody from '@fastify/formbody';
import { lifetimes, rates } from '@tenant-payments/contract/core/numbers.ts';
import { Closed } from '@tenant-payments/contract/core/schema.ts';
import { createToken, type Token } from '@tenant-payments/contract/resources/tokens.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Service } from '../../service.ts';
import { findClient, touchClientSecret } from '../../tenants/client_secrets.ts';
import { logRequests } from '../log/request_log.ts';
import { requestEvent } from '../log/security.ts';
import { jsonType, wrongType } from '../serve/errors.ts';
import { takeBasic } from './basic.ts';
import { openFailures } from './failures.ts';
import { networkOf } from './network.ts';
import { openRateLimit } from './rate_limit.ts';

/** A secret with less than this left gives no token: `expires_in` is in whole seconds. */
const shortestMs = 1_000;
const sweepEveryMs = 60_000;

/** Tokens given in 60 s, by client (rules/limits#14). */
const maximumGiven = rates.tokens;

/** Ids of another form share one bucket, so that invented ids cannot fill the memory. */
const clientId = /^cl_[0-9a-f]{32}$/;

const invalidClient = (message = 'unknown client or wrong secret') =>
  fail('invalid_client', { message });

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * POST /oauth/token (rules/security#8). Access tokens expire in real time (rules/clock#3).
 */
export function serveToken(app: FastifyInstance, service: Service): void {
  const { db, vault } = service;
  const given = openRateLimit(service, 'client');
  const failures = openFailures(service);
  let sweepAtMs = 0;

  /**
   * Sets the request's tenant as soon as the client is known, even when the secret is wrong.
   * @returns which of the client's secrets was given; null: unknown, retired, or another secret
   */
  async function identify(request: FastifyRequest<{ Body: Credentials }>): Promise<string | null> {
    const { client_id, client_secret } = request.body;
    const client = await findClient(db, client_id, client_secret);
    if (client) request.tenantId = client.tenantId;
    return client?.secretId ?? null;
  }

  /** The secret was right: whoever has it may know that its Tenant is suspended. */
  async function whyNone(tenantId: string) {
    const { suspended_at } = await db
      .selectFrom('tenants')
      .where('tenant_id', '=', tenantId)
      .select('suspended_at')
      .executeTakeFirstOrThrow();
    return suspended_at === null ? invalidClient() : invalidClient('the Tenant is suspended');
  }

  /** Secret and Tenant are held until the token is there: who ends one of them finds the token. */
  async function issue(client_id: string, tenantId: string, secretId: string): Promise<Token> {
    const token = vault.newSecret(tenantId, 'tok');
    const nowMs = Date.now();
    const expiresAt = instantOf(nowMs + lifetimes.accessToken * 1_000);
    const soonest = instantOf(nowMs + shortestMs);
    const { rows } = await sql<{ expires_at: Instant }>`
      insert into access_tokens (tenant_id, token_hash, client_id, expires_at, epoch)
      select s.tenant_id, ${tokenHash(token)}, ${client_id},
        least(${expiresAt}::timestamptz, s.expires_at), t.token_epoch
      from client_secrets s join tenants t on t.tenant_id = s.tenant_id
      where s.tenant_id = ${tenantId} and s.id = ${secretId} and s.retired_at is null
        and t.suspended_at is null and (s.expires_at is null or s.expires_at >= ${soonest})
      for share
      returning expires_at`.execute(db);
    const [made] = rows;
    if (!made) throw await whyNone(tenantId);
    await touchClientSecret(db, tenantId, secretId, instantOf(nowMs));
    if (nowMs >= sweepAtMs) {
      sweepAtMs = nowMs + sweepEveryMs;
      await db.deleteFrom('access_tokens').where('expires_at', '<', instantOf(nowMs)).execute();
    }
    const expires_in = Math.floor((epochMs(made.expires_at) - nowMs) / 1_000);
    return { access_token: token, token_type: 'Bearer', expires_in, scope: 'tenant' };
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(formbody);
    scope.addContentTypeParser('*', async () => {
      throw wrongType('application/x-www-form-urlencoded');
    });
    logRequests(scope, service);
    scope.post<{ Body: Credentials }>(
      createToken.path,
      { schema: { querystring: Closed({}), body: createToken.body }, preValidation: takeBasic },
      async (request, reply) => {
        const { client_id } = request.body;
        const attempt = {
          address: networkOf(request.ip),
          client: clientId.test(client_id) ? client_id : 'unknown',
        };
        await failures.check(attempt, reply);
        const secretId = await identify(request);
        if (secretId === null) {
          // A text without the form of an id may be a secret in the wrong place.
          const known = attempt.client === client_id ? client_id : undefined;
          requestEvent(service.log, request, 'token_refused', {
            actor: 'client',
            client_id: known,
          });
          await failures.count(attempt, reply);
          throw invalidClient();
        }
        await given.take(client_id, maximumGiven, reply);
        const token = await issue(client_id, request.tenantId, secretId);
        reply.removeHeader('www-authenticate');
        requestEvent(service.log, request, 'token_given', { actor: 'client', client_id });
        return reply.header('content-type', jsonType).send(JSON.stringify(token));
      },
    );
  });
}
