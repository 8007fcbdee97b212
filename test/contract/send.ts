import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { ReplyBody } from '../kit/http.ts';

/** A request as it goes over the wire: nothing is normalized on the way. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; the text where it is none; null where there is nothing. */
  readonly body: ReplyBody;
}

export interface Sender {
  send(request: RawRequest): Promise<RawReply>;
  /** Runs `work` over all items, so many at a time. */
  all<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const connections = 16;
const maximumTries = 4;

function parsed(text: string): ReplyBody {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

function headersOf(values: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) headers.set(name, String(value));
  return headers;
}

/**
 * Opens kept-alive connections to a deployment.
 * @param patient true: 429 and 503 are waited for, as a deployment in use may ask
 */
export function openSender(baseUrl: string, { patient = false } = {}): Sender {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections });

  async function once({ method, path, headers, body }: RawRequest): Promise<RawReply> {
    const reply = await pool.request({
      method: method as 'GET',
      path: `${prefix}${path}`,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: reply.statusCode,
      headers: headersOf(reply.headers),
      body: parsed(await reply.body.text()),
    };
  }

  async function send(request: RawRequest, tries = 1): Promise<RawReply> {
    const reply = await once(request);
    const wait = Number(reply.headers.get('retry-after') ?? 1);
    const busy = reply.status === 429 || reply.status === 503;
    if (!patient || !busy || tries >= maximumTries) return reply;
    await sleep(wait * 1_000);
    return send(request, tries + 1);
  }

  return {
    send: (request) => send(request),
    async all(items, work) {
      const left = items.values();
      const worker = async () => {
        for (const item of left) await work(item);
      };
      await Promise.all(Array.from({ length: connections }, worker));
    },
    close: () => pool.close(),
  };
}
