/**
 * Statuses after which the same call may succeed: 429, 500 and 503 of the service (rules/errors#7),
 * the others of proxies. Never 409 and 422: the record's state or a rule refuses the call.
 */
const retryableStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export const isRetryableStatus = (status: number): boolean => retryableStatuses.has(status);

const longestBackoffMs = 8_000;
/** Spreads callers that got the same second to retry at. */
const spreadMs = 250;

/** Seconds of a header that holds a number of seconds or, as Retry-After may, a date; 0 without. */
function secondsIn(value: string | null): number {
  if (value === null) return 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/**
 * The wait that the service requests: Retry-After. Without it, after 429, RateLimit-Reset: when the whole limit is
 * there again, which is longer than until the next request is let.
 */
function requestedMs(reply: { status: number; headers: Headers } | null): number {
  if (reply === null) return 0;
  const retryAfter = reply.headers.get('retry-after');
  if (retryAfter !== null) return secondsIn(retryAfter) * 1000;
  return reply.status === 429 ? secondsIn(reply.headers.get('ratelimit-reset')) * 1000 : 0;
}

/**
 * Milliseconds before the retry with this number (1, 2, ...): exponential with jitter between half
 * and all of it, and no less than the reply requests.
 */
export function retryDelayMs(
  retry: number,
  baseMs: number,
  reply: { status: number; headers: Headers } | null,
): number {
  const backoff = Math.min(baseMs * 2 ** (retry - 1), longestBackoffMs);
  const jittered = backoff * (0.5 + Math.random() / 2);
  const requested = requestedMs(reply);
  return requested > 0 ? Math.max(jittered, requested + Math.random() * spreadMs) : jittered;
}

/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await orAborted(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The promise's outcome, or the signal's reason if that comes first. */
export async function orAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
