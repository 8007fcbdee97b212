import type { Token } from '@tenant-payments/contract/resources/tokens.ts';
import { TenantPaymentsError } from './errors.ts';

interface Held {
  readonly token: string;
  readonly expiresAt: number;
  /** From here on a new one is fetched, while this one still serves. */
  renewAt: number;
}

/** The access token of a client, shared by all its calls. */
export interface Tokens {
  get(): Promise<string>;
  /** Forgets a token that the service refused, unless a newer one is held already. */
  drop(token: string): void;
}

/** A token is renewed this long before its end, or in the last fifth of a short life. */
const renewBeforeSeconds = 60;
/** After a failed renewal the old token serves on; the next try waits this long. */
const renewAgainMs = 5_000;

/** Monotonic, so that a change of the wall clock neither kills a token nor keeps a dead one. */
const nowMs = () => performance.now();

/** What cannot stand in a header must not be tried: the fault's text would show the token. */
const usableToken = /^[\x21-\x7e]+$/;

function held(token: Token, askedAt: number): Held {
  if (!usableToken.test(token.access_token ?? '') || !(token.expires_in > 0)) {
    const message = 'the token endpoint answered without a usable access token; is baseUrl right?';
    throw new TenantPaymentsError({ code: 'unexpected_reply', message, retryable: false });
  }
  const early = Math.min(renewBeforeSeconds, token.expires_in / 5);
  return {
    token: token.access_token,
    expiresAt: askedAt + token.expires_in * 1000,
    renewAt: askedAt + (token.expires_in - early) * 1000,
  };
}

/**
 * Caches the access token (contract: Authentication 3). However many calls wait for a token, one
 * request fetches it; near the end of its life it is renewed behind the calls' backs.
 */
export function createTokens(fetchToken: () => Promise<Token>): Tokens {
  let current: Held | null = null;
  let renewal: Promise<string> | null = null;

  async function fetchNew(): Promise<string> {
    const askedAt = nowMs();
    try {
      const fresh = held(await fetchToken(), askedAt);
      current = fresh;
      return fresh.token;
    } catch (error) {
      if (current !== null) current.renewAt = nowMs() + renewAgainMs;
      throw error;
    } finally {
      renewal = null;
    }
  }

  function renew(): Promise<string> {
    renewal ??= fetchNew();
    return renewal;
  }

  return {
    get: async () => {
      const now = nowMs();
      if (current === null || now >= current.expiresAt) return renew();
      // Nobody waits for this one: a failure shows when the old token has ended.
      if (now >= current.renewAt) renew().catch(() => {});
      return current.token;
    },
    drop: (token) => {
      if (current?.token === token) current = null;
    },
  };
}
