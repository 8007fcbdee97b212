import type { Kysely } from 'kysely';
import { fail } from '../../core/fail.ts';
import { epochMs } from '../../core/instant.ts';
import { tenantOfSecret, tokenHash } from '../../core/vault.ts';
import type { Database } from '../../resources/database.ts';

/** Who a valid access token speaks for. */
export interface Caller {
  readonly tenantId: string;
  /** `settings.rate_limit_per_minute`, as fresh as the caller. */
  readonly ratePerMinute: number;
  readonly tokenExpiresAtMs: number;
}

/** What is known of a token is believed this long: a retired client or a new limit takes effect. */
const believedMs = 1_000;
const maximumKnown = 10_000;
const longestToken = 256;

interface Known {
  readonly caller: Promise<Caller | null>;
  readonly untilMs: number;
}

const bearer = /^Bearer ([\w-]+)$/i;

/**
 * Finds the caller of an `Authorization` header (contract: Authentication 2). Many requests with one
 * token ask the database once a second.
 */
export function openAuthentication(db: Kysely<Database>) {
  const known = new Map<string, Known>();

  async function look(token: string): Promise<Caller | null> {
    const tenantId = token.startsWith('tok_') ? tenantOfSecret(token) : null;
    if (tenantId === null) return null;
    const row = await db
      .selectFrom('access_tokens')
      .innerJoin('tenants', 'tenants.tenant_id', 'access_tokens.tenant_id')
      .innerJoin('clients', 'clients.client_id', 'access_tokens.client_id')
      .where('access_tokens.tenant_id', '=', tenantId)
      .where('access_tokens.token_hash', '=', tokenHash(token))
      .where('clients.retired_at', 'is', null)
      .select(['access_tokens.expires_at', 'tenants.settings'])
      .executeTakeFirst();
    if (!row) return null;
    return {
      tenantId,
      ratePerMinute: row.settings.rate_limit_per_minute,
      tokenExpiresAtMs: epochMs(row.expires_at),
    };
  }

  /** Also those that are asked for at this moment, so that a burst asks once. */
  function remember(token: string, nowMs: number): Promise<Caller | null> {
    const caller = look(token);
    // Crude, but bounded whatever is sent: the next requests ask the database again.
    if (known.size >= maximumKnown) known.clear();
    known.set(token, { caller, untilMs: nowMs + believedMs });
    const forget = () => known.delete(token);
    caller.then((found) => found ?? forget(), forget);
    return caller;
  }

  return {
    /** @throws ApiError authentication_required: missing, malformed, unknown or expired */
    async callerOf(header: string | undefined): Promise<Caller> {
      const token = bearer.exec(header ?? '')?.[1];
      if (token === undefined || token.length > longestToken) throw unauthenticated();
      const nowMs = Date.now();
      const held = known.get(token);
      const caller = await (held && held.untilMs > nowMs ? held.caller : remember(token, nowMs));
      if (caller === null || caller.tokenExpiresAtMs <= nowMs) throw unauthenticated();
      return caller;
    },
  };
}

const unauthenticated = () =>
  fail('authentication_required', { message: 'a valid access token is required' });
