import { Agent } from 'undici';
import { openConnector } from './address.ts';

/** What came back from a receiver. */
export interface Answer {
  /** Null when no status line came in time. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 64 kB, as text. */
  readonly body: string | null;
  readonly durationMs: number;
  /** Why there was no answer, or why its body broke off; null for a whole one. */
  readonly error: string | null;
}

export interface SenderOptions {
  readonly environment: 'sandbox' | 'production';
  /** For all of it: name, connection, TLS, status, body. */
  readonly timeoutMs: number;
  readonly maximumBytes: number;
}

export interface Sender {
  /** POSTs the body and follows no redirect. It never rejects. */
  send(url: string, headers: Record<string, string>, body: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Longer than the gap between two events of a busy Tenant, shorter than receivers usually wait. */
const keepAliveMs = 4_000;
const maximumHeaderBytes = 16_384;

/** The usual failures in words; others are named by their own code. */
const errorWords: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'address_refused',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  ETIMEOUT: 'name_not_answered',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  UND_ERR_INVALID_ARG: 'invalid_address',
};

function wordOf(error: unknown): string {
  const { code, name, errors } = (error ?? {}) as {
    code?: unknown;
    name?: string;
    errors?: unknown[];
  };
  // Several addresses were tried: the first failure tells.
  if (errors?.[0] !== undefined) return wordOf(errors[0]);
  if (name === 'AbortError') return 'timeout';
  if (name === 'HTTPParserError') return 'malformed_answer';
  if (typeof code !== 'string') return 'failed';
  return errorWords[code] ?? code.toLowerCase();
}

/** PostgreSQL stores no U+0000. */
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

const headerText = (value: string | string[] | undefined): string =>
  storable(Array.isArray(value) ? value.join(', ') : (value ?? ''));

type Received = Record<string, string | string[] | undefined>;
const headersOf = (received: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(received).map(([name, value]) => [name, headerText(value)]));

/** Reads up to a bound; leaving the loop closes the connection behind an endless body. */
async function readSome(body: AsyncIterable<Buffer>, maximumBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let error: string | null = null;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maximumBytes) break;
    }
  } catch (failure) {
    error = wordOf(failure);
  }
  const text = Buffer.concat(chunks).subarray(0, maximumBytes).toString('utf8');
  return { text: storable(text), error };
}

/** Opens the way to receivers: HTTP/1.1 with kept connections, TLS verified. */
export function openSender({ environment, timeoutMs, maximumBytes }: SenderOptions): Sender {
  const agent = new Agent({
    connect: openConnector(environment, timeoutMs),
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    // The receiver does not decide how long its connections are kept.
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: maximumHeaderBytes,
  });

  async function attempt(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Omit<Answer, 'durationMs'>> {
    const { origin, pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    const response = await agent.request({ origin, path, method: 'POST', headers, body, signal });
    const { text, error } = await readSome(response.body, maximumBytes);
    return {
      status: response.statusCode,
      headers: headersOf(response.headers),
      body: text,
      error,
    };
  }

  return {
    async send(url, headers, body) {
      const started = performance.now();
      const elapsed = () => Math.round(performance.now() - started);
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), timeoutMs);
      try {
        const answer = await attempt(url, headers, body, limit.signal);
        return { ...answer, durationMs: elapsed() };
      } catch (failure) {
        const error = limit.signal.aborted ? 'timeout' : wordOf(failure);
        return { status: null, headers: null, body: null, error, durationMs: elapsed() };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.close(),
  };
}
