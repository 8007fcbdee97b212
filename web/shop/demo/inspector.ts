import type { ServerResponse } from 'node:http';
import type { Event } from '@tenant-payments/sdk-server';
import type { FastifyInstance } from 'fastify';
import { sourceOf } from './source.ts';
import type { Call, Delivery, Demo, ShopState, Waiting } from './state.ts';

/** What the inspector sees: every webhook, every call, and the state that they leave. */

const keptItems = 120;
const heartbeatMs = 20_000;
const gatherMs = 25;

/** Newest first, and no more than a page shows. */
function push<T extends { readonly number: number }>(list: T[], item: Omit<T, 'number'>): void {
  list.unshift({ ...item, number: (list[0]?.number ?? 0) + 1 } as T);
  list.length = Math.min(list.length, keptItems);
}

export function keepCall({ calls }: Demo, call: Omit<Call, 'number'>): void {
  // Reads come by the dozen: they make room for what was done.
  const oldestRead = calls.findLastIndex(({ method }) => method === 'GET');
  if (calls.length >= keptItems && oldestRead >= 0) calls.splice(oldestRead, 1);
  push(calls, call);
}

/** The state that its record is in now, for whoever plays bank or reviewer. */
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

/** Stands around the shop's webhook address, which knows nothing of it. */
export function watchWebhooks(app: FastifyInstance, demo: Demo): void {
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
    // What has no outcome was no webhook: it was too large, or no JSON.
    if (!outcome) return;
    const isBelieved = outcome !== 'refused' && outcome !== 'down';
    const event = isBelieved ? (JSON.parse(String(body)) as Event) : null;
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

/** Everything that the pages show, sent to all of them whenever some of it has changed. */
export function openStream(state: () => ShopState) {
  const pages = new Set<ServerResponse>();
  let isGathering = false;
  const tell = (text: string) => {
    for (const each of pages) each.write(text);
  };
  const beat = setInterval(() => tell(':\n\n'), heartbeatMs).unref();
  return {
    changed() {
      if (isGathering) return;
      isGathering = true;
      setTimeout(() => {
        isGathering = false;
        tell(`data: ${JSON.stringify(state())}\n\n`);
      }, gatherMs).unref();
    },
    open(response: ServerResponse) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(`retry: 1000\ndata: ${JSON.stringify(state())}\n\n`);
      pages.add(response);
      response.once('close', () => pages.delete(response));
    },
    close() {
      clearInterval(beat);
      for (const each of pages) each.end();
    },
  };
}
