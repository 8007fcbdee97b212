import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { ReplyBody } from '../kit/http.ts';

/** What differs between two runs and says nothing of a tenant. */
const secrets =
  /"(token|link_token|qr_payload|payment_link|download_url|next_cursor|request_id|client_secret)":"[^"]*"/g;
const wireIds = /([a-z]+)_[0-9a-f]{32}\b/g;

export interface Answer {
  readonly status: number;
  readonly body: ReplyBody;
}

/**
 * One tenant's program: what it asked, what it was told, and what its records are called. It has one
 * request under way at a time, so that nothing but other tenants can change what comes of it.
 */
export interface Teller {
  /** Every request with its reply, as `plain` writes them. */
  readonly story: string[];
  /** Sends, and writes the reply down. Names what the reply shows, in the order in which it does. */
  ask(method: string, path: string, body?: object, key?: string): Promise<Answer>;
  /** Reads a list to its end, without a word in the story. */
  all(path: string): Promise<ReplyBody[]>;
  /** The ids with this prefix, in the order in which they were first shown. */
  known(prefix: string): readonly string[];
  /** A text without what chance decides: ids by the order of their first being shown, secrets as such. */
  plain(text: string): string;
  close(): Promise<void>;
}

/** What one tenant goes by while its stream is played. */
export interface Player {
  readonly teller: Teller;
  /** Codes to be paid by, in the order in which they were made. */
  readonly codes: string[];
  /** Which step is played; keys and references are made of it, alike for every tenant. */
  step: number;
}

const longestPage = 100;
const maximumTries = 50;

export function openTeller(baseUrl: string, token: string): Teller {
  const pool = new Pool(baseUrl, { connections: 1 });
  const names = new Map<string, string>();
  const byPrefix = new Map<string, string[]>();
  const story: string[] = [];

  function name(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(wireIds)) {
      if (names.has(id) || prefix === 'req') continue;
      const alike = byPrefix.get(prefix) ?? [];
      alike.push(id);
      byPrefix.set(prefix, alike);
      names.set(id, `${prefix}#${alike.length}`);
    }
  }
  const plain = (text: string): string =>
    text
      .replaceAll(secrets, '"$1":"*"')
      .replaceAll(wireIds, (id, prefix: string) => names.get(id) ?? `${prefix}#`);

  async function send(method: string, path: string, body?: object, key?: string) {
    for (let tries = 1; ; tries += 1) {
      const reply = await pool.request({
        method: method as 'GET',
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.body.text();
      // The machine may be slow: nothing was done, and the same key does it once.
      if (reply.statusCode !== 503 || tries === maximumTries)
        return { status: reply.statusCode, text };
      await sleep(20);
    }
  }

  return {
    story,
    async ask(method, path, body, key) {
      const { status, text } = await send(method, path, body, key);
      const parsed: ReplyBody = JSON.parse(text);
      const isList = parsed.object === 'list';
      if (status < 300 && !isList) name(text);
      // A page may end between records of one instant, so its contents are left to the view.
      const shown = isList ? `${parsed.data.length} ${parsed.has_more}` : plain(text);
      const asked = plain(`${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`);
      story.push(`${asked} -> ${status} ${shown}`);
      return { status, body: parsed };
    },
    async all(path) {
      const found: ReplyBody[] = [];
      let cursor: string | null = null;
      do {
        const page: string = cursor === null ? '' : `&cursor=${cursor}`;
        const mark = path.includes('?') ? '&' : '?';
        const { status, text } = await send('GET', `${path}${mark}limit=${longestPage}${page}`);
        if (status !== 200) throw new Error(`GET ${path} gave ${status}: ${text}`);
        const list = JSON.parse(text);
        found.push(...list.data);
        cursor = list.next_cursor;
      } while (cursor !== null);
      return found;
    },
    known: (prefix) => byPrefix.get(prefix) ?? [],
    plain,
    close: () => pool.close(),
  };
}
