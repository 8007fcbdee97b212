import { ConnectionError, TenantPaymentsError, TimeoutError } from './errors.ts';
import { factsOf, type Reply, readReply } from './reply.ts';
import type { Prepared } from './request.ts';
import { orAborted, retryDelayMs, sleep } from './retry.ts';
import type { Tokens } from './tokens.ts';

/** One attempt, for `onRequest`: without headers, body and query, so without secrets. */
export interface RequestReport {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  /** Null when no reply came. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly durationMs: number;
  readonly error: TenantPaymentsError | null;
  /** The call waits so long, and tries again; null: this attempt is its last. */
  readonly retryInMs: number | null;
}

export interface Transport {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryBaseMs: number;
  readonly retryWithinMs: number;
  readonly onRequest: ((report: RequestReport) => void) | undefined;
}

interface Attempt {
  readonly result: Reply<unknown> | TenantPaymentsError;
  /** Null when none came. */
  readonly reply: Response | null;
  readonly facts: Omit<RequestReport, 'retryInMs'>;
}

/** The form of a code of the system or Node: no other text of a cause may be shown. */
const systemCode = /^[A-Z][A-Z0-9_]+$/;
const deepestCause = 5;

/** Why there is no connection, ` (ECONNREFUSED)`: fetch puts it into its error's causes. */
function reasonOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > deepestCause) return '';
  const { code } = error as { code?: unknown };
  const isCode = typeof code === 'string' && systemCode.test(code);
  return isCode ? ` (${code})` : reasonOf(error.cause, depth + 1);
}

/** Sends one request and reads its whole reply, within the time of an attempt. */
async function exchange(transport: Transport, call: Prepared, token: string | null) {
  const { signal, timeoutMs = transport.timeoutMs } = call.options;
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    const reply = await transport.fetch(transport.baseUrl + call.target, {
      method: call.method,
      headers: {
        accept: 'application/json',
        ...call.headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(call.body === undefined ? {} : { body: call.body }),
      redirect: 'manual',
      signal: controller.signal,
    });
    return { reply, text: await reply.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const { idempotencyKey } = call;
    if (controller.signal.aborted) {
      throw new TimeoutError({
        message: `no reply in ${timeoutMs} ms; call again with the same idempotencyKey`,
        cause,
        idempotencyKey,
      });
    }
    const message = `no reply from ${transport.baseUrl}${reasonOf(cause)}; check that baseUrl is right and the service is running`;
    throw new ConnectionError({ message, cause, idempotencyKey });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** An error of `onRequest` must not change the result of the call. */
function report(transport: Transport, facts: RequestReport): void {
  try {
    transport.onRequest?.(facts);
  } catch {
    // Ignored: it belongs to the caller's own function.
  }
}

async function attempt(
  transport: Transport,
  call: Prepared,
  token: string | null,
  number: number,
): Promise<Attempt> {
  const startedAt = performance.now();
  const observe = (reply: Response | null, result: Attempt['result']): Attempt => {
    const error = result instanceof TenantPaymentsError ? result : null;
    const facts = {
      method: call.method,
      path: call.target.replace(/\?.*/, ''),
      attempt: number,
      status: reply?.status ?? null,
      requestId: reply?.headers.get('service-request-id') ?? null,
      durationMs: performance.now() - startedAt,
      error,
    };
    return { reply, result, facts };
  };
  try {
    const { reply, text } = await exchange(transport, call, token);
    const facts = factsOf(reply, call.idempotencyKey, number);
    return observe(reply, readReply(facts, text, transport.baseUrl));
  } catch (error) {
    if (error instanceof ConnectionError) return observe(null, error);
    throw error;
  }
}

/** The wait after an attempt: the milliseconds until the next; null: none. */
type Next = number | null;

/**
 * Makes a call, with retries where they are safe. Without a reply and after 408, 500, 502 to 504: only
 * calls that can be repeated (GET, or with a key). After 429: every call, since nothing happened.
 * After the first 401: once, with a new token. At most `maxRetries`, and none begins later than
 * `retryWithinMs` after the call.
 */
export async function perform<T>(
  transport: Transport,
  tokens: Tokens,
  call: Prepared,
): Promise<Reply<T>> {
  const { signal, maxRetries = transport.maxRetries } = call.options;
  const { retryWithinMs = transport.retryWithinMs } = call.options;
  const lastStart = performance.now() + retryWithinMs;
  let [renewals, retries] = [0, 0];

  function nextOf({ result, reply }: Attempt, token: string | null): Next {
    if (!(result instanceof TenantPaymentsError)) return null;
    if (result.code === 'authentication_required' && token !== null && renewals === 0) {
      tokens.drop(token);
      renewals += 1;
      return 0;
    }
    retries += 1;
    const waitMs = retryDelayMs(retries, transport.retryBaseMs, reply);
    const worthwhile = result.retryable && (call.repeatable || result.status === 429);
    const inTime = performance.now() + waitMs <= lastStart;
    return worthwhile && retries <= maxRetries && inTime ? waitMs : null;
  }

  for (let number = 1; ; number += 1) {
    signal?.throwIfAborted();
    const token = call.authenticated ? await orAborted(tokens.get(), signal) : null;
    const made = await attempt(transport, call, token, number);
    const retryInMs = nextOf(made, token);
    report(transport, { ...made.facts, retryInMs });
    const { result } = made;
    if (!(result instanceof TenantPaymentsError)) return result as Reply<T>;
    if (retryInMs === null) throw result;
    if (retryInMs > 0) await sleep(retryInMs, signal);
  }
}
