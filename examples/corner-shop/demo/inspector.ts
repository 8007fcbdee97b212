import type { ServerResponse } from 'node:http';
import type { Event } from '@tenant-payments/sdk-server';
import type { FastifyInstance } from 'fastify';
import type { Call, Delivery, Demo, Handler, ShopState, Waiting } from './state.ts';

/** Records every webhook and every call, and sends the state to the pages. */

const keptItems = 120;
const heartbeatMs = 20_000;
/** Changes within this time are sent together. */
const gatherMs = 25;

/** Newest first, at most `keptItems`. */
function push<T extends { readonly number: number }>(list: T[], item: Omit<T, 'number'>): void {
  list.unshift({ ...item, number: (list[0]?.number ?? 0) + 1 } as T);
  list.length = Math.min(list.length, keptItems);
}

export function keepCall({ calls }: Demo, call: Omit<Call, 'number'>): void {
  // The oldest read goes first: writes are what one looks for.
  const oldestRead = calls.findLastIndex(({ method }) => method === 'GET');
  if (calls.length >= keptItems && oldestRead >= 0) calls.splice(oldestRead, 1);
  push(calls, call);
}

/** Keeps the record's state, so that a visitor can act as bank or reviewer on it. */
function keepWaiting({ waiting }: Demo, { data }: Event): void {
  const { object, id, status, amount, verification } = data.object as Partial<Waiting> & {
    readonly verification?: { readonly status: string };
  };
  const at = waiting.findIndex((each) => each.id === id);
  if (at >= 0) waiting.splice(at, 1);
  waiting.unshift({
    object: object ?? '',
    id: id ?? '',
    status: status ?? verification?.status ?? '',
    amount: amount ?? null,
  });
  waiting.length = Math.min(waiting.length, keptItems);
}

/**
 * Records what the shop's webhook address answers, from outside its code.
 * @param sourceOf finds the handler of an event type
 */
export function watchWebhooks(
  app: FastifyInstance,
  demo: Demo,
  sourceOf: (type: string) => Handler | null,
): void {
  const isWebhook = (url: string) => url === '/shop/webhooks';
  app.addHook('preHandler', async ({ url }, reply) => {
    if (demo.is_down && isWebhook(url)) return reply.code(503).send({ outcome: 'down' });
  });
  app.addHook('onSend', async ({ url, body, headers }, { statusCode: status }, payload) => {
    if (!isWebhook(url)) return;
    const { outcome, reason = null } = JSON.parse(String(payload)) as Pick<
      Delivery,
      'outcome' | 'reason'
    >;
    // A reply without an outcome: the request was too large, or no JSON.
    if (!outcome) return;
    const isVerified = outcome !== 'refused' && outcome !== 'down';
    const event = isVerified ? (JSON.parse(String(body)) as Event) : null;
    const { id = '', version } = (event?.data.object ?? {}) as { id?: string; version?: number };
    push<Delivery>(demo.deliveries, {
      at: new Date().toISOString(),
      event: event && {
        id: event.id,
        type: event.type,
        record: id,
        version: typeof version === 'number' ? version : null,
      },
      outcome,
      status,
      signature: String(headers['service-signature'] ?? '').slice(0, 28),
      reason,
      handler: event && outcome === 'handled' ? sourceOf(event.type) : null,
    });
    if (event && outcome === 'handled') keepWaiting(demo, event);
  });
}

/** Sends the whole state to all open pages whenever it has changed, as server-sent events. */
export function openStream(state: () => ShopState) {
  const pages = new Set<ServerResponse>();
  let isGathering = false;
  const send = (text: string) => {
    for (const each of pages) each.write(text);
  };
  const heartbeat = setInterval(() => send(':\n\n'), heartbeatMs).unref();
  return {
    changed() {
      if (isGathering) return;
      isGathering = true;
      setTimeout(() => {
        isGathering = false;
        send(`data: ${JSON.stringify(state())}\n\n`);
      }, gatherMs).unref();
    },
    open(response: ServerResponse) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(`retry: 1000\ndata: ${JSON.stringify(state())}\n\n`);
      pages.add(response);
      response.once('close', () => pages.delete(response));
    },
    close() {
      clearInterval(heartbeat);
      for (const each of pages) each.end();
    },
  };
}
