import type { RequestListener } from 'node:http';
import { getChaos } from '@tenant-payments/contract/portal/chaos.ts';
import { getSettings, putSettings } from '@tenant-payments/contract/portal/settings.ts';
import {
  getWebhookEndpoint,
  putWebhookEndpoint,
} from '@tenant-payments/contract/portal/webhooks.ts';
import type { Client } from '@tenant-payments/sdk-server';
import type { Orders } from '../server/orders.ts';
import { openShop, serveVerbs } from '../server/server.ts';
import { keepCall, openStream, watchWebhooks } from './inspector.ts';
import { observedClient } from './observe.ts';
import { servePages } from './pages.ts';
import { playVerbs, readClock } from './play.ts';
import type { Demo } from './state.ts';

export interface DemoOptions {
  /** Of the service, as browsers reach it: hosted pages are there. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  /** Of this shop, on another site than the hosted pages. */
  readonly shopUrl: string;
}

export interface ShopDemo {
  /** Answers everything under `/shop`. */
  readonly listener: RequestListener;
  /** Ends the streams that pages hold open. */
  close(): void;
}

/** The shop's own addresses, registered by the portal's JSON as its developer would. */
async function register(client: Client, demo: Demo, shopUrl: string, force = false) {
  const { origin } = new URL(shopUrl);
  const url = `${origin}/shop/webhooks`;
  const { data: endpoint } = await client.request(getWebhookEndpoint);
  const isFree = endpoint.url === null || /^http:\/\/127\.0\.0\.1:\d+\/shop\//.test(endpoint.url);
  if (endpoint.url !== url && (isFree || force)) {
    await client.request(putWebhookEndpoint, { url });
    endpoint.url = url;
  }
  demo.endpoint = { url: endpoint.url, is_ours: endpoint.url === url };
  const { data: settings } = await client.request(getSettings);
  const ours = { return_urls: shopUrl, frame_origins: origin, link_redirect_uris: shopUrl };
  const lacking = Object.entries(ours).flatMap(([name, address]) => {
    const known = settings[name as keyof typeof ours];
    return known.includes(address) ? [] : [[name, [...known, address]]];
  });
  if (lacking.length > 0) await client.request(putSettings, Object.fromEntries(lacking));
  demo.chaos = (await client.request(getChaos)).data;
  demo.clock_offset_ms = await readClock(client);
}

/** An event as a stranger would send it. */
const forge = (origin: string) => async () => {
  const { status } = await fetch(`${origin}/shop/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
    },
    body: '{"type":"payment.completed"}',
  });
  return { status };
};

/** Corner Shop as a sandbox shows it: the shop's server with pages, inspector and play around it. */
export async function openShopDemo(options: DemoOptions): Promise<ShopDemo> {
  const { baseUrl, shopUrl, webhookSecret } = options;
  const { origin, host } = new URL(shopUrl);
  const orders: Orders = { list: [], counter: null };
  const demo: Demo = {
    merchant: 'Corner Cafe',
    base_url: baseUrl,
    endpoint: { url: null, is_ours: false },
    clock_offset_ms: 0,
    chaos: null,
    is_down: false,
    deliveries: [],
    calls: [],
    waiting: [],
  };
  const stream = openStream(() => ({ ...demo, orders: orders.list, counter: orders.counter }));
  const client = observedClient({ ...options, maxRetries: 6, retryBaseMs: 200 }, (call) => {
    keepCall(demo, call);
    stream.changed();
  });
  const now = () => new Date(Date.now() + demo.clock_offset_ms);
  const app = openShop({ client, orders, shopUrl, now }, webhookSecret);

  let begun: Promise<void> | null = null;
  // The next visitor tries again; this one is shown that nothing is heard.
  const begin = () => {
    begun ??= register(client, demo, shopUrl).catch(() => {
      begun = null;
    });
    return begun;
  };
  app.addHook('onRequest', async (request, reply) => {
    // By another name the page would stand on the hosted pages' own site.
    if (request.headers.host !== host && request.url !== '/shop/webhooks')
      return reply.redirect(shopUrl);
  });
  app.addHook('onResponse', async () => stream.changed());
  watchWebhooks(app, demo);
  serveVerbs(app, playVerbs(client, demo));
  serveVerbs(app, {
    takeover: () => register(client, demo, shopUrl, true),
    forge: forge(origin),
  });
  servePages(app, new URL(baseUrl).origin, begin);
  app.get('/shop/api/stream', async (_, reply) => {
    await begin();
    reply.hijack();
    stream.open(reply.raw);
  });
  await app.ready();
  return { listener: app.routing, close: stream.close };
}
