import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getChaos } from '@tenant-payments/contract/portal/chaos.ts';
import { getClock } from '@tenant-payments/contract/portal/clock.ts';
import { getSettings, putSettings } from '@tenant-payments/contract/portal/settings.ts';
import {
  getWebhookEndpoint,
  putWebhookEndpoint,
} from '@tenant-payments/contract/portal/webhooks.ts';
import {
  type Client,
  createReceiver,
  type Event,
  TenantPaymentsError,
} from '@tenant-payments/sdk-server';
import { observedClient } from './observe.ts';
import { openPlay } from './play.ts';
import { asset, bodyOf, page, sourceOf } from './serve.ts';
import { type Around, openOrders, openPhone, openTill, type Verb } from './shop.ts';
import type { Delivery, ShopState } from './state.ts';
import { handlers, type Orders } from './webhooks.ts';

export interface ShopOptions {
  /** Of the service, as browsers reach it: hosted pages are there. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  /** Of this shop, on another site than the hosted pages. */
  readonly shopUrl: string;
}

export interface Shop {
  /** Answers everything under `/shop`. */
  readonly listener: RequestListener;
  /**
   * Registers the shop's addresses with its tenant, where they are not set yet. Its first visitor does:
   * whoever never opens the page keeps a tenant without a webhook endpoint.
   */
  begin(): Promise<void>;
  /** Ends the streams that pages hold open. */
  close(): void;
}

type Verbs = Readonly<Record<string, Verb>>;

const keptItems = 120;
const heartbeatMs = 20_000;
const gatherMs = 25;

/** Newest first, and no more than a page shows. */
function push<T extends { readonly number: number }>(list: T[], item: Omit<T, 'number'>): void {
  list.unshift({ ...item, number: (list[0]?.number ?? 0) + 1 } as T);
  list.length = Math.min(list.length, keptItems);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body ?? null);
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(text);
}

/** Everything that the pages show, sent to all of them whenever some of it has changed. */
function openStream(state: ShopState) {
  const pages = new Set<ServerResponse>();
  let isGathering = false;
  const send = () => {
    isGathering = false;
    const text = `data: ${JSON.stringify(state)}\n\n`;
    for (const each of pages) each.write(text);
  };
  const beat = setInterval(() => {
    for (const each of pages) each.write(':\n\n');
  }, heartbeatMs).unref();
  return {
    changed() {
      if (!isGathering) setTimeout(send, gatherMs).unref();
      isGathering = true;
    },
    open(response: ServerResponse) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(`retry: 1000\ndata: ${JSON.stringify(state)}\n\n`);
      pages.add(response);
      response.once('close', () => pages.delete(response));
    },
    close() {
      clearInterval(beat);
      for (const each of pages) each.end();
    },
  };
}

/** The address that webhooks come to: what is verified is handled, and all that came is shown. */
function openWebhooks(secrets: string, state: ShopState, orders: Orders) {
  function handle({ type, data }: Event): void {
    const { object, id, status, amount } = data.object as unknown as Record<string, string>;
    const at = state.waiting.findIndex((each) => each.id === id);
    if (at >= 0) state.waiting.splice(at, 1);
    const { verification } = data.object as { verification?: { status: string } };
    const now = status ?? verification?.status ?? '';
    state.waiting.unshift({
      object: String(object),
      id: String(id),
      status: now,
      amount: Number(amount) || null,
    });
    state.waiting.length = Math.min(state.waiting.length, keptItems);
    (handlers[type] as ((orders: Orders, record: unknown) => void) | undefined)?.(
      orders,
      data.object,
    );
  }

  const receiver = createReceiver({ secrets, onEvent: handle, onFailure: () => {} });
  const down = { status: 503, outcome: 'down', body: '{"outcome":"down"}' } as const;

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await bodyOf(request);
    const answer = state.is_down ? down : await receiver.receive(raw, request.headers);
    const { status, outcome, body } = answer;
    const isBelieved = outcome !== 'refused' && outcome !== 'down';
    const event = isBelieved ? (JSON.parse(raw) as Event) : null;
    const record = event?.data.object as { id: string; version?: number } | undefined;
    push<Delivery>(state.deliveries, {
      at: new Date().toISOString(),
      event: event && {
        id: event.id,
        type: event.type,
        record: record?.id ?? '',
        version: typeof record?.version === 'number' ? record.version : null,
      },
      outcome,
      status,
      signature: String(request.headers['service-signature'] ?? '').slice(0, 28),
      reason: outcome === 'refused' ? (JSON.parse(body) as { reason: string }).reason : null,
      handler: outcome === 'handled' && event ? sourceOf(event.type) : null,
    });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
}

/** The shop's own addresses, registered by the portal's JSON as its developer would. */
async function register(client: Client, state: ShopState, { shopUrl }: ShopOptions, force = false) {
  const { origin } = new URL(shopUrl);
  const url = `${origin}/shop/webhooks`;
  const { data: endpoint } = await client.request(getWebhookEndpoint);
  const isFree = endpoint.url === null || /^http:\/\/127\.0\.0\.1:\d+\/shop\//.test(endpoint.url);
  if (endpoint.url !== url && (isFree || force)) {
    await client.request(putWebhookEndpoint, { url });
    endpoint.url = url;
  }
  state.endpoint = { url: endpoint.url, is_ours: endpoint.url === url };
  const { data: settings } = await client.request(getSettings);
  const ours = { return_urls: shopUrl, frame_origins: origin, link_redirect_uris: shopUrl };
  const lacking = Object.entries(ours).flatMap(([name, address]) => {
    const known = settings[name as keyof typeof ours];
    return known.includes(address) ? [] : [[name, [...known, address]]];
  });
  if (lacking.length > 0) await client.request(putSettings, Object.fromEntries(lacking));
  state.chaos = (await client.request(getChaos)).data;
  const { data: clock } = await client.request(getClock);
  state.clock_offset_ms = Date.parse(clock.now) - Date.parse(clock.real_now);
}

/** What the page asks. Another site cannot: it may send no JSON here without being asked first. */
async function perform(verbs: Verbs, name: string, request: IncomingMessage) {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  const isJson = request.headers['content-type'] === 'application/json';
  if (!verb || request.method !== 'POST' || !isJson) return { status: 404, body: { code: 'none' } };
  try {
    return { status: 200, body: await verb(JSON.parse((await bodyOf(request)) || '{}')) };
  } catch (error) {
    const known = error instanceof TenantPaymentsError ? error : null;
    const { code = 'shop_failed', message, details = null, requestId = null } = known ?? {};
    const body = { code, message: message ?? String(error), details, request_id: requestId };
    return { status: known?.status ?? 500, body };
  }
}

/** Corner Shop: a request listener that lives on the public surfaces of the service alone. */
export function openShop(options: ShopOptions): Shop {
  const { baseUrl, shopUrl } = options;
  const { origin, host } = new URL(shopUrl);
  const state: ShopState = {
    merchant: 'Corner Cafe',
    base_url: baseUrl,
    endpoint: { url: null, is_ours: false },
    clock_offset_ms: 0,
    chaos: null,
    is_down: false,
    counter: null,
    orders: [],
    deliveries: [],
    calls: [],
    waiting: [],
  };
  const stream = openStream(state);
  const client = observedClient({ ...options, maxRetries: 6, retryBaseMs: 200 }, (call) => {
    // Reads come by the dozen: they make room for what was done.
    const oldestRead = state.calls.findLastIndex(({ method }) => method === 'GET');
    if (state.calls.length >= keptItems && oldestRead >= 0) state.calls.splice(oldestRead, 1);
    push(state.calls, call);
    stream.changed();
  });
  const { add, orders } = openOrders(state);
  const around: Around = { client, state, add, shopUrl };
  const webhook = openWebhooks(options.webhookSecret, state, orders);
  const verbs: Verbs = {
    ...openTill(around),
    ...openPhone(around),
    ...openPlay(around),
    async down({ id }) {
      state.is_down = id === 'down';
    },
    takeover: () => register(client, state, options, true),
    forge: () =>
      fetch(`${origin}/shop/webhooks`, {
        method: 'POST',
        headers: { 'service-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
        body: '{"type":"payment.completed"}',
      }).then(({ status }) => ({ status })),
  };

  let begun: Promise<void> | null = null;
  const begin = () => {
    begun ??= register(client, state, options).finally(stream.changed);
    // The next visitor tries again; this one is shown that nothing is heard.
    begun.catch(() => {
      begun = null;
    });
    return begun;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin);
    const [, , part, name = ''] = pathname.split('/');
    if (part === 'webhooks') return webhook(request, response);
    if (part === 'assets') {
      const file = await asset(name);
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'max-age=3600' };
      return void response.writeHead(file ? 200 : 404, headers).end(file);
    }
    // By another name the page would stand on the hosted pages' own site.
    if (request.headers.host !== host)
      return void response.writeHead(302, { location: shopUrl }).end();
    if (part === undefined || part === '') {
      await begin().catch(() => {});
      return page(response, new URL(baseUrl).origin);
    }
    if (part === 'api' && name === 'stream') {
      await begin().catch(() => {});
      return stream.open(response);
    }
    const { status, body } = await perform(verbs, part === 'api' ? name : '', request);
    reply(response, status, body);
  }

  return {
    listener: (request, response) => {
      answer(request, response)
        .catch((error: unknown) => {
          if (response.headersSent) response.destroy();
          else reply(response, 500, { code: 'shop_failed', message: String(error) });
        })
        .finally(stream.changed);
    },
    begin,
    close: stream.close,
  };
}
