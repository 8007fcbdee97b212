import { createReceiver, TenantPaymentsError } from '@tenant-payments/sdk-server';
import fastify, { type FastifyInstance } from 'fastify';
import type { Around, Verbs } from './around.ts';
import type { Orders } from './orders.ts';
import { phoneVerbs } from './phone.ts';
import { tillVerbs } from './till.ts';
import { handlers } from './webhooks.ts';

/** Each verb at an address of its own, told in JSON both ways. */
export function serveVerbs<I>(app: FastifyInstance, verbs: Verbs<I>): void {
  for (const [name, verb] of Object.entries(verbs))
    app.post(`/shop/api/${name}`, async ({ body }, reply) => {
      const answer = await verb(JSON.parse(String(body)) as I);
      return reply.type('application/json').send(JSON.stringify(answer ?? null));
    });
}

/** Corner Shop's server: what its pages ask, and what the service tells it. */
export function openShop(around: Around, webhookSecret: string): FastifyInstance {
  const app = fastify();
  const { receive } = createReceiver({
    secrets: webhookSecret,
    onEvent({ type, data }) {
      const handle = handlers[type] as ((orders: Orders, record: unknown) => void) | undefined;
      handle?.(around.orders, data.object);
    },
  });
  // As text, since signatures cover bytes. No other type: a form on another site can send those.
  app.removeAllContentTypeParsers();
  const asText = async (_: unknown, text: string) => text;
  app.addContentTypeParser('application/json', { parseAs: 'string' }, asText);
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const known = error instanceof TenantPaymentsError ? error : null;
    const { code = 'shop_failed', details = null, requestId = null } = known ?? {};
    return reply
      .code(known?.status ?? error.statusCode ?? 500)
      .send({ code, message: error.message, details, request_id: requestId });
  });
  app.post('/shop/webhooks', async ({ body: text, headers }, reply) => {
    const { status, body } = await receive(String(text), headers);
    return reply.code(status).type('application/json').send(body);
  });
  serveVerbs(app, tillVerbs(around));
  serveVerbs(app, phoneVerbs(around));
  return app;
}
