import { createHash, timingSafeEqual } from 'node:crypto';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import {
  type ProviderRequest,
  Unverified,
} from '@tenant-payments/service/rails/providers/provider.ts';
import { decodeProtectedHeader, importJWK, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { JWKPublicKey } from 'plaid';
import { type Client, isFault } from './client.ts';

/** Plaid proves a message by a JWT over the hash of its bytes. An older one may be a copy. */
const oldest = '5m';
const clockTolerance = 30;
/** Plaid takes keys out of use, so that none is trusted for ever; an id that it does not know is not asked for at once again. */
const keyMs = 24 * 3_600_000;
const unknownMs = 60_000;
const kidForm = /^[\w-]{1,100}$/;

type Cached = { readonly key: JWKPublicKey | null };

/** Verifies messages by Plaid's keys, which are asked for once each. */
export function openSignature(client: Client) {
  const cache = new LRUCache<string, Cached>({ max: 50 });

  async function keyOf(kid: string, call: RailsCall): Promise<JWKPublicKey | null> {
    const known = cache.get(kid);
    if (known) return known.key;
    const key = await client
      .ask((api, options) => api.webhookVerificationKeyGet({ key_id: kid }, options), call)
      .then(
        (reply) => reply.key,
        (error: unknown) => {
          if (isFault(error, 'INVALID_WEBHOOK_VERIFICATION_KEY_ID', 'INVALID_FIELD')) return null;
          throw error;
        },
      );
    cache.set(kid, { key }, { ttl: key ? keyMs : unknownMs });
    return key;
  }

  async function claimsOf(jwt: string, call: RailsCall): Promise<JWTPayload> {
    const { alg, kid } = headerOf(jwt);
    if (alg !== 'ES256' || typeof kid !== 'string' || !kidForm.test(kid))
      throw new Unverified('the signature names no key');
    const jwk = await keyOf(kid, call);
    if (!jwk || (jwk.expired_at !== null && jwk.expired_at * 1_000 < Date.now()))
      throw new Unverified('the signature is of no key of Plaid');
    const key = await importJWK({ kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y }, 'ES256');
    const options = { algorithms: ['ES256'], maxTokenAge: oldest, clockTolerance };
    const verified = await jwtVerify(jwt, key, options).catch(() => {
      throw new Unverified('the signature is wrong, or too old');
    });
    return verified.payload;
  }

  /** @throws Unverified; PlaidFault where Plaid does not give its key */
  return async ({ headers, rawBody }: ProviderRequest, call: RailsCall): Promise<void> => {
    const jwt = headers['plaid-verification'];
    if (!jwt) throw new Unverified('there is no signature');
    const { request_body_sha256: said } = await claimsOf(jwt, call);
    const hash = createHash('sha256').update(rawBody).digest();
    const given = Buffer.from(typeof said === 'string' ? said : '', 'hex');
    if (given.length !== hash.length || !timingSafeEqual(given, hash))
      throw new Unverified('the signature is of other bytes');
  };
}

function headerOf(jwt: string): { readonly alg?: string; readonly kid?: unknown } {
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    throw new Unverified('the signature cannot be read');
  }
}
