import { errorOf } from './errors.ts';

/** The reply of the token endpoint, as far as it is used; another server's may lack both. */
export interface IssuedToken {
  readonly access_token?: string;
  /** Seconds. */
  readonly expires_in: number;
}

interface Held {
  readonly token: string;
  readonly expiresAt: number;
  /** From this time on a new one is fetched, while this one is still used. */
  renewAt: number;
}

/** The access token of a client, shared by all its calls. */
export interface Tokens {
  get(): Promise<string>;
  /** Drops a token that the service refused, unless a newer one is held already. */
  drop(token: string): void;
}

/** A token is renewed this long before it expires, or in the last fifth of a short lifetime. */
const renewBeforeSeconds = 60;
/** After a failed renewal the old token is used on; the next try waits this long. */
const renewAgainMs = 5_000;

/** Monotonic: a change of the wall clock has no effect on the lifetime of a token. */
const nowMs = () => performance.now();

/** A token that is no valid header value is not sent: the error of fetch would show it. */
const usableToken = /^[\x21-\x7e]+$/;

function held(token: IssuedToken, requestedAt: number): Held {
  const { access_token: text = '' } = token;
  if (!usableToken.test(text) || !(token.expires_in > 0)) {
    const message = 'the token endpoint sent no usable access token; check that baseUrl is right';
    throw errorOf({ code: 'unexpected_reply', message, retryable: false });
  }
  const early = Math.min(renewBeforeSeconds, token.expires_in / 5);
  return {
    token: text,
    expiresAt: requestedAt + token.expires_in * 1000,
    renewAt: requestedAt + (token.expires_in - early) * 1000,
  };
}

/**
 * Caches the access token (rules/security#8). One request fetches it, however many calls wait; shortly
 * before it expires it is renewed in the background.
 */
export function createTokens(fetchToken: () => Promise<IssuedToken>): Tokens {
  let current: Held | null = null;
  let renewal: Promise<string> | null = null;

  async function fetchNew(): Promise<string> {
    const requestedAt = nowMs();
    try {
      const fresh = held(await fetchToken(), requestedAt);
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
      // No call waits for this renewal: a failure is reported once the old token has expired.
      if (now >= current.renewAt) renew().catch(() => {});
      return current.token;
    },
    drop: (token) => {
      if (current?.token === token) current = null;
    },
  };
}
