import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { TenantFacts } from '../backoffice/tenants/create.ts';
import { faultFacts } from '../engine/fault.ts';
import type { ShopDemo } from '../examples/corner-shop/demo/open.ts';

/** The same folder from the sources in `start/` and from the bundle in `dist/`. */
const folder = new URL('../examples/corner-shop/', import.meta.url);

/** Corner Shop on the service's own port, under `/shop`. It uses the service's public addresses. */
export interface ShopFront {
  /** Passes requests below `/shop` to the shop and all others to the service. */
  inFrontOf(service: RequestListener): RequestListener;
  /** Gives the shop its Tenant's credentials; its first visitor loads and starts it. */
  open(facts: TenantFacts): void;
  /** Ends the streams that the shop's pages hold open. */
  close(): void;
}

const isShopPath = (path = '/') => /^\/shop(?:[/?]|$)/.test(path);

const loopback = /^(?:127\.|::1$|::ffff:127\.)/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * From this machine, and not for somebody else: a proxy passes requests of others on, and a foreign
 * page can have its own name lead here.
 */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const isPassedOn = 'x-forwarded-for' in headers || 'forwarded' in headers;
  return (
    loopback.test(socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    !isPassedOn
  );
}

const unavailable: RequestListener = (_request, response) => {
  response.writeHead(503).end('The shop cannot be opened; the log says why.');
};

/** @param forAll false: only this machine, since the shop acts with its Tenant's credentials */
export function openShopFront(log: Logger, { forAll }: { readonly forAll: boolean }): ShopFront {
  let opening: Promise<ShopDemo> | null = null;
  let giveFacts: (facts: TenantFacts) => void = () => {};
  const factsGiven = new Promise<TenantFacts>((resolve) => {
    giveFacts = resolve;
  });

  async function openShop(): Promise<ShopDemo> {
    const { shop_url: shopUrl, ...facts } = await factsGiven;
    assert(shopUrl !== null, 'a shop that is open has an address');
    const { openShopDemo } = await import('../examples/corner-shop/demo/open.ts');
    return openShopDemo({
      baseUrl: facts.base_url,
      clientId: facts.client_id,
      clientSecret: facts.client_secret,
      webhookSecret: facts.webhook_secret,
      shopUrl,
      folder,
    });
  }

  async function shopListener(): Promise<RequestListener> {
    try {
      opening ??= openShop();
      return (await opening).listener;
    } catch (error) {
      log.warn({ fault: faultFacts(error) }, 'the example shop cannot be opened');
      return unavailable;
    }
  }

  return {
    inFrontOf: (service) => (request, response) => {
      const isShop = isShopPath(request.url) && (forAll || isFromHere(request));
      if (isShop) shopListener().then((answer) => answer(request, response));
      else service(request, response);
    },
    open: giveFacts,
    close: () => void opening?.then((shop) => shop.close()).catch(() => {}),
  };
}
