import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Pool } from 'undici';
import type { Reply } from '../kit/http/http.ts';

/** A request as it goes over the network: unlike fetch, nothing of it is normalized or refused. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Sender {
  send(request: RawRequest): Promise<Reply>;
  /** Runs `work` over all items, so many at a time. */
  all<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

const connections = 16;
const maximumTries = 4;

function parsed(text: string): Reply['body'] {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Opens kept-alive connections to a deployment.
 * @param patient true: 429 and 503 are waited for, as a deployment in use may ask
 */
export function openSender(baseUrl: string, { patient = false } = {}): Sender {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections });

  async function send(request: RawRequest, tries = 1): Promise<Reply> {
    const path = `${pathname.replace(/\/$/, '')}${request.path}`;
    const reply = await pool.request({ ...request, path, method: request.method as 'GET' });
    const headers = new Headers(reply.headers as Record<string, string>);
    const body = parsed(await reply.body.text());
    const isBusy = reply.statusCode === 429 || reply.statusCode === 503;
    if (!patient || !isBusy || tries >= maximumTries)
      return { status: reply.statusCode, headers, body };
    await sleep(Number(headers.get('retry-after') ?? 1) * 1_000);
    return send(request, tries + 1);
  }

  return {
    send: (request) => send(request),
    all: async (items, work) => void (await pLimit(connections).map(items, work)),
    close: () => pool.close(),
  };
}
