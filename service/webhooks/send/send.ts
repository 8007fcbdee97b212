import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { AddressRefused, type AddressRule, addressRules } from './address.ts';
import { connectByRule } from './connect.ts';
import { errorWord } from './send_errors.ts';

/** The answer of a receiver. */
export interface Answer {
  /** Null when no status line came in time. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 64 kB, as text. */
  readonly body: string | null;
  readonly durationMs: number;
  /** Why there was no answer, or why its body is incomplete; null for a complete one. */
  readonly error: string | null;
}

export interface SenderOptions {
  readonly environment: 'sandbox' | 'production';
  /** For the whole attempt: name, connection, TLS, status, body. */
  readonly timeoutMs: number;
  readonly maximumBytes: number;
  /** Authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
  /** Name servers to ask instead of the machine's own. */
  readonly nameServers?: readonly string[];
}

export interface Sender {
  /** Sends the body and follows no redirect. It never rejects. @param method absent: POST */
  send(
    url: string,
    headers: Record<string, string>,
    body: string,
    method?: 'GET' | 'POST',
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** Longer than the gap between two events of a busy Tenant, shorter than receivers usually wait. */
const keepAliveMs = 4_000;
const maximumHeaderBytes = sizes.webhookAnswerHeaders;
/** The most bytes of one answer, on the wire: interim answers and the frames of chunks are counted nowhere else. */
const maximumWireBytes = sizes.webhookAnswer;

/** PostgreSQL stores no U+0000. */
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

/** Each header as it came; repeated ones are joined. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = storable(rawHeaders[index + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** Reads up to a bound; leaving the loop closes the connection behind an endless body. */
async function readSome(body: AsyncIterable<Buffer>, maximumBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let failure: unknown = null;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maximumBytes) break;
    }
  } catch (error) {
    failure = error;
  }
  const text = Buffer.concat(chunks).subarray(0, maximumBytes).toString('utf8');
  return { text: storable(text), failure };
}

/** Calls `tooMuch` when an answer is larger than the limit, in whichever part of it. */
function watchWire(request: ClientRequest, tooMuch: () => void): void {
  request.once('socket', (socket) => {
    const before = socket.bytesRead;
    const check = (): void => {
      if (socket.bytesRead - before > maximumWireBytes) tooMuch();
    };
    socket.on('data', check);
    request.once('close', () => socket.off('data', check));
  });
}

/** Sends the request and waits for the head of its final answer. */
function headOf(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request
      .once('response', resolve)
      .once('error', reject)
      .once('upgrade', (_answer, socket) => {
        // No other protocol was requested.
        socket.destroy();
        reject(Object.assign(new Error('an upgrade'), { code: 'HPE_UPGRADE' }));
      })
      .end(body);
  });
}

type Received = Omit<Answer, 'durationMs'>;
const nothing = { status: null, headers: null, body: null } as const;

/** One request and its answer, cut off at the limits of time and size. */
async function exchange(
  request: ClientRequest,
  body: string,
  { timeoutMs, maximumBytes }: Pick<SenderOptions, 'timeoutMs' | 'maximumBytes'>,
): Promise<Received> {
  let response: IncomingMessage | null = null;
  let cut: string | null = null;
  let fault: unknown = null;
  const cutOff = (why: string): void => {
    cut ??= why;
    response?.destroy();
    request.destroy();
  };
  const timer = setTimeout(cutOff, timeoutMs, 'timeout');
  watchWire(request, () => cutOff('answer_too_large'));
  // Also after the answer's head: this error says why the body broke off.
  request.on('error', (error) => {
    fault ??= error;
  });
  try {
    response = await headOf(request, body);
    response.on('error', () => {});
    const { text, failure } = await readSome(response, maximumBytes);
    const error = cut ?? (failure === null ? null : errorWord(fault ?? failure));
    return { status: response.statusCode ?? null, headers: headersOf(response), body: text, error };
  } catch (failure) {
    return { ...nothing, error: cut ?? errorWord(failure) };
  } finally {
    clearTimeout(timer);
  }
}

/** Has an agent connect as the rule says; `wrap` makes its stream out of the connection. */
function guard(
  agent: HttpAgent,
  rule: AddressRule,
  timeoutMs: number,
  wrap: (socket: Socket, options: RequestOptions) => Duplex,
): void {
  agent.createConnection = (options, callback) => {
    connectByRule(rule, String(options.host), Number(options.port), timeoutMs)
      .then((socket) => wrap(socket, options))
      .then(
        (stream) => callback?.(null, stream),
        (error: Error) => callback?.(error, undefined as never),
      );
    return undefined;
  };
}

/** Makes the sender: HTTP/1.1 with connections kept open, TLS verified. */
export function openSender(options: SenderOptions): Sender {
  const { environment, timeoutMs, ca, nameServers = null } = options;
  const rules = addressRules(environment, nameServers);
  const kept = { keepAlive: true, timeout: keepAliveMs };
  // Set here, so that no environment variable can change it.
  const trusted = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };
  const plainAgent = new HttpAgent(kept);
  const secureAgent = new HttpsAgent({ ...kept, ...trusted });
  const secured = secureAgent.createConnection.bind(secureAgent);
  guard(plainAgent, rules['http:'], timeoutMs, (socket) => socket);
  guard(secureAgent, rules['https:'], timeoutMs, (socket, asked) => {
    const overSocket = { ...asked, socket };
    return secured(overSocket) as Duplex;
  });

  /** @throws AddressRefused when the scheme is not allowed */
  function begin(
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    length: number,
  ): ClientRequest {
    const { protocol, hostname, port, pathname, search } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:')
      throw new AddressRefused('this scheme is not allowed for webhooks');
    const host = hostname.replace(/^\[|\]$/g, '');
    const target = {
      method,
      host,
      port,
      path: `${pathname}${search}`,
      headers: method === 'GET' ? headers : { ...headers, 'content-length': length },
      maxHeaderSize: maximumHeaderBytes,
    };
    return protocol === 'https:'
      ? httpsRequest({ ...target, agent: secureAgent })
      : httpRequest({ ...target, agent: plainAgent });
  }

  async function receive(
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<Received> {
    try {
      const request = begin(method, url, headers, Buffer.byteLength(body));
      return await exchange(request, body, options);
    } catch (failure) {
      return { ...nothing, error: errorWord(failure) };
    }
  }

  return {
    async send(url, headers, body, method = 'POST') {
      const started = performance.now();
      const answer = await receive(method, url, headers, body);
      return { ...answer, durationMs: Math.round(performance.now() - started) };
    },
    async close() {
      plainAgent.destroy();
      secureAgent.destroy();
    },
  };
}
