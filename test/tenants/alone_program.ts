import { setTimeout as sleep } from 'node:timers/promises';
import { openSender } from '../contract/send.ts';
import type { ReplyBody } from '../kit/http/http.ts';

/** The texts that differ between two runs and has no meaning for the tenant. */
const secrets =
  /"(token|link_token|qr_payload|payment_link|download_url|next_cursor|request_id|client_secret)":"[^"]*"/g;
const publicIds = /([a-z]+)_[0-9a-f]{32}\b/g;

export interface Answer {
  readonly status: number;
  readonly body: ReplyBody;
}

/**
 * One tenant's program: its requests, their replies, and names for its records. It has one request
 * under way at a time, so that nothing but other tenants can change the replies.
 */
export interface Program {
  /** Every request with its reply, as `plain` writes them. */
  readonly story: string[];
  /** Sends and records. Names the ids that the reply shows, in the order in which it does. */
  send(method: string, path: string, body?: object, key?: string): Promise<Answer>;
  /** Reads a list to its end, unrecorded. */
  all(path: string): Promise<ReplyBody[]>;
  /** The ids with this prefix, in the order in which they were first shown. */
  known(prefix: string): readonly string[];
  /** Without what chance decides: ids by the order in which they were first shown, no secrets. */
  plain(value: unknown): string;
  close(): Promise<void>;
}

const maximumTries = 50;

export function openProgram(baseUrl: string, token: string): Program {
  const sender = openSender(baseUrl);
  const names = new Map<string, string>();
  const byPrefix = new Map<string, string[]>();
  const story: string[] = [];

  function name(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(publicIds)) {
      if (names.has(id) || prefix === 'req') continue;
      const alike = byPrefix.get(prefix) ?? [];
      byPrefix.set(prefix, alike);
      names.set(id, `${prefix}#${alike.push(id)}`);
    }
  }
  const plain = (value: unknown): string =>
    (typeof value === 'string' ? value : JSON.stringify(value))
      .replaceAll(secrets, '"$1":"*"')
      .replaceAll(publicIds, (id, prefix: string) => names.get(id) ?? `${prefix}#`);

  async function answerTo(method: string, path: string, body?: object, key?: string) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(key && { 'idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const sent = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
    for (let tries = 1; ; tries += 1) {
      const reply = await sender.send(sent);
      // A slow machine: nothing was done, and the same key does it once.
      if (reply.status !== 503 || tries === maximumTries) return reply;
      await sleep(20);
    }
  }

  return {
    story,
    async send(method, path, given, key) {
      const { status, body } = await answerTo(method, path, given, key);
      const isList = body.object === 'list';
      if (status < 300 && !isList) name(JSON.stringify(body));
      // A page may end between records of one instant, so its contents are left to the view.
      const shown = isList ? `${body.data.length} ${body.has_more}` : plain(body);
      story.push(
        `${plain(`${method} ${path} ${JSON.stringify(given ?? '')}`)} -> ${status} ${shown}`,
      );
      return { status, body };
    },
    async all(path) {
      const found: ReplyBody[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: string = `limit=100${cursor && `&cursor=${cursor}`}`;
        const { status, body } = await answerTo('GET', `${path}?${page}`);
        if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
        found.push(...body.data);
        cursor = body.next_cursor;
      }
      return found;
    },
    known: (prefix) => byPrefix.get(prefix) ?? [],
    plain,
    close: () => sender.close(),
  };
}

const lists = [
  'customers',
  'payments',
  'loads',
  'withdrawals',
  'refunds',
  'payment-requests',
  'sessions',
  'disputes',
  'review',
] as const;

/** An entry without what depends on the order of jobs that fall due at one instant, which is not promised. */
const withoutPlaces = ({ number: _, balance_after: __, ledger_after: ___, ...entry }: ReplyBody) =>
  entry;

/** The events of each record in the order of its versions, with the record as they showed it. */
function historyOf({ plain }: Program, events: readonly ReplyBody[]): string[] {
  const byRecord = new Map<string, string[]>();
  for (const { type, data, created_at } of events) {
    const key = plain(`${data.object.object} ${data.object.id ?? data.object.date}`);
    byRecord.set(key, [`${type} ${created_at} ${plain(data)}`, ...(byRecord.get(key) ?? [])]);
  }
  return [...byRecord].map(([key, lines]) => {
    // One line holds several of what was never named by itself, such as a Transaction.
    const told = key.endsWith('#') ? [...lines].sort() : lines;
    return `${key}: ${told.join(' | ')}`;
  });
}

/**
 * All that a tenant can read of its records, sorted, named by the order in which they were made and not
 * by their ids: two runs with the same effect have the same view.
 */
export async function viewOf(program: Program, beganAt: string): Promise<string[]> {
  const { plain, all } = program;
  const lines: string[] = [];
  const show = (what: string, found: readonly ReplyBody[]) =>
    lines.push(...found.map((one) => `${what} ${plain(one)}`));
  const get = async (path: string) => (await program.send('GET', path)).body;
  for (const list of lists) show(list, await all(`/portal/api/${list}`));
  show('entry', (await all('/portal/api/ledger/entries')).map(withoutPlaces));
  for (const id of program.known('cus')) {
    for (const part of ['owners', 'documents', 'linked-accounts'])
      show(part, (await get(`/v1/customers/${id}/${part}`)).data ?? []);
    const accounts = (await get(`/v1/accounts?customer_id=${id}`)).data;
    show('account', accounts);
    for (const account of accounts) {
      show('balance', [await get(`/v1/accounts/${account.id}/balance`)]);
      for (const part of ['transactions', 'statements'])
        show(part, await all(`/v1/accounts/${account.id}/${part}`));
    }
  }
  const { now } = await get('/portal/api/clock');
  for (let at = Date.parse(beganAt.slice(0, 10)); at <= Date.parse(now); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    const report = await program.send('GET', `/v1/reports/reconciliation?date=${day}`);
    show(`report ${day} ${report.status}`, report.status === 200 ? [report.body] : []);
  }
  show('proof', [await get('/portal/api/ledger/verify')]);
  lines.push(...historyOf(program, await all('/v1/webhook-events')));
  return lines.sort();
}
