import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { deliveryTimeoutSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';

export interface Answer {
  /** Null: no answer came. */
  readonly status: number | null;
  readonly error: string | null;
  /** No answer came in time. */
  readonly late: boolean;
  readonly body: string;
  readonly duration_ms: number;
}

export interface Posting {
  readonly headers: Readonly<Record<string, string>>;
  /** The time to wait for a receiver, as the service does, unless given (rules/webhooks#2). */
  readonly timeoutMs?: number;
  /** Takes any certificate: that of a development server. */
  readonly skipVerify?: boolean;
}

const keptBytes = 65_536;

/** Sends JSON as the service sends an event: a connection of its own, no redirect followed. */
export function post(url: string, body: string, posting: Posting): Promise<Answer> {
  const { headers, timeoutMs = deliveryTimeoutSeconds * 1_000, skipVerify = false } = posting;
  const from = performance.now();
  return new Promise((resolve) => {
    const call = (url.startsWith('https:') ? overHttps : overHttp)(url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
      ...(skipVerify ? { rejectUnauthorized: false } : {}),
    });
    let status: number | null = null;
    let late = false;
    let text = '';
    const end = (error: string | null) => {
      clearTimeout(timer);
      const duration_ms = Math.round(performance.now() - from);
      // A body that breaks off takes nothing back: the receiver has answered.
      const failure = status === null ? error : null;
      resolve({ status, error: failure, late: late && status === null, body: text, duration_ms });
    };
    const timer = setTimeout(() => {
      late = true;
      call.destroy(new Error(`no answer in ${timeoutMs / 1_000} s`));
    }, timeoutMs);
    call.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    call.once('response', (reply) => {
      status = reply.statusCode ?? 0;
      reply.setEncoding('utf8');
      reply.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, keptBytes);
      });
      reply.on('error', () => end(null));
      reply.once('end', () => end(null));
    });
    call.end(body);
  });
}
