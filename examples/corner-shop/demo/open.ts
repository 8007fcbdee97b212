import type { RequestListener } from 'node:http';
import { TenantPaymentsError } from '@tenant-payments/sdk-server';
import type { FastifyInstance } from 'fastify';
import { merchant } from '../people.ts';
import { newOrders } from '../server/orders.ts';
import { openShop, serveActions } from '../server/server.ts';
import { keepCall, openStream, watchWebhooks } from './inspector.ts';
import { observedClient } from './observe.ts';
import { servePages } from './pages.ts';
import { offsetOf, playActions } from './play.ts';
import { openPortal, type Portal } from './portal.ts';
import { sourceReader } from './source.ts';
import type { Demo } from './state.ts';

export interface DemoOptions {
  /** The address of the service, as browsers reach it: the hosted pages are there too. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  /** The address of this shop's page, on another site than the hosted pages. */
  readonly shopUrl: string;
  /** The shop's folder: its source, and the page in `dist`. */
  readonly folder: URL;
}

export interface ShopDemo {
  /** Answers everything under `/shop`. */
  readonly listener: RequestListener;
  /** Ends the streams that pages hold open. */
  close(): void;
}

/** The value, or null where the deployment is no sandbox. */
const inSandbox = <T>(value: Promise<T>): Promise<T | null> =>
  value.catch((error) => {
    if (error instanceof TenantPaymentsError && error.code === 'sandbox_only') return null;
    throw error;
  });

/** Registers the shop's addresses through the portal's JSON, as its developer would by hand. */
async function register(portal: Portal, demo: Demo, shopUrl: string, force = false) {
  const { origin } = new URL(shopUrl);
  const url = `${origin}/shop/webhooks`;
  let registered = (await portal.webhookEndpoint()).url;
  const isFree = registered === null || /^http:\/\/127\.0\.0\.1:\d+\/shop\//.test(registered);
  if (registered !== url && (isFree || force)) {
    await portal.setWebhookEndpoint(url);
    registered = url;
  }
  demo.endpoint = { url: registered, is_ours: registered === url };
  const settings = await portal.settings();
  const ours = { return_urls: shopUrl, frame_origins: origin, link_redirect_uris: shopUrl };
  const missing = Object.entries(ours).flatMap(([name, address]) => {
    const known = settings[name as keyof typeof ours];
    return known.includes(address) ? [] : [[name, [...known, address]]];
  });
  if (missing.length > 0) await portal.setSettings(Object.fromEntries(missing));
  demo.limits = Object.fromEntries(
    Object.entries(settings.limits).map(([name, { individual }]) => [name, individual]),
  );
  demo.chaos = await inSandbox(portal.chaos());
  demo.clock_offset_ms = offsetOf(await portal.clock());
}

/** Sends an event with a wrong signature, as an attacker would. */
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

const freshDemo = (baseUrl: string): Demo => ({
  merchant: merchant.name,
  base_url: baseUrl,
  endpoint: { url: null, is_ours: false },
  clock_offset_ms: 0,
  limits: null,
  chaos: null,
  is_down: false,
  deliveries: [],
  calls: [],
  waiting: [],
});

/** Under another name the page would be on the same site as the hosted pages. */
function redirectOtherHosts(app: FastifyInstance, shopUrl: string): void {
  const { host } = new URL(shopUrl);
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.host !== host && request.url !== '/shop/webhooks')
      return reply.redirect(shopUrl);
  });
}

/** The shop's server together with its page, the inspector and the controls of a sandbox. */
export async function openShopDemo(options: DemoOptions): Promise<ShopDemo> {
  const { baseUrl, shopUrl, webhookSecret, folder } = options;
  const { origin } = new URL(shopUrl);
  const orders = newOrders();
  const demo = freshDemo(baseUrl);
  const stream = openStream(() => ({ ...demo, orders: orders.list, counter: orders.counter }));
  const client = observedClient({ ...options, maxRetries: 6, retryBaseMs: 200 }, (call) => {
    keepCall(demo, call);
    stream.changed();
  });
  const portal = openPortal(client);
  const now = () => new Date(Date.now() + demo.clock_offset_ms);
  const app = openShop({ client, orders, shopUrl, now }, webhookSecret);

  let begun: Promise<void> | null = null;
  // If it fails, the page says that no events arrive, and the next visit tries again.
  const begin = () => {
    begun ??= register(portal, demo, shopUrl).catch(() => {
      begun = null;
    });
    return begun;
  };
  redirectOtherHosts(app, shopUrl);
  app.addHook('onResponse', async () => stream.changed());
  watchWebhooks(app, demo, sourceReader(folder));
  serveActions(app, playActions(client, demo));
  serveActions(app, {
    takeover: () => register(portal, demo, shopUrl, true),
    forge: forge(origin),
  });
  servePages(app, { folder, hostedOrigin: new URL(baseUrl).origin }, begin);
  app.get('/shop/api/stream', async (_, reply) => {
    await begin();
    reply.hijack();
    stream.open(reply.raw);
  });
  await app.ready();
  return { listener: app.routing, close: stream.close };
}
