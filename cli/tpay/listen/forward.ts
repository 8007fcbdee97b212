import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { connect } from 'node:net';
import { webhooks } from '@tenant-payments/sdk-server';

export interface Sending {
  readonly secret: string;
  /** Besides those of the service. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes any certificate: that of a development server. */
  readonly skipVerify: boolean;
}

export interface Answer {
  /** Null: no answer came. */
  readonly status: number | null;
  readonly error: string | null;
  readonly body: string;
  readonly duration_ms: number;
}

/** As the service waits for a receiver (rules/webhooks#2). */
const timeoutMs = 10_000;
const keptBytes = 65_536;

/** Sends an event as the service would, signed now, and follows no redirect. */
export function forward(body: string, url: string, sending: Sending): Promise<Answer> {
  const from = performance.now();
  const taken = () => Math.round(performance.now() - from);
  return new Promise((resolve) => {
    const failed = (error: string) =>
      resolve({ status: null, error, body: '', duration_ms: taken() });
    const send = url.startsWith('https:') ? overHttps : overHttp;
    const call = send(url, {
      method: 'POST',
      headers: {
        ...sending.headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'service-signature': webhooks.sign(body, sending.secret),
      },
      timeout: timeoutMs,
      ...(sending.skipVerify ? { rejectUnauthorized: false } : {}),
    });
    call.once('timeout', () => call.destroy(new Error(`no answer in ${timeoutMs / 1_000} s`)));
    call.once('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
    call.once('response', (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (chunk: string) => {
        if (text.length < keptBytes) text += chunk;
      });
      reply.once('error', (error) => failed(error.message));
      reply.once('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          error: null,
          body: text.slice(0, keptBytes),
          duration_ms: taken(),
        }),
      );
    });
    call.end(body);
  });
}

/** Whether somebody listens there. */
export function isUp(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || usual,
      timeout: 2_000,
    });
    const end = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
