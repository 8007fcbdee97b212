import { createReceiver, TenantPaymentsError } from '@tenant-payments/sdk-server';
import fastify, { type FastifyInstance } from 'fastify';
import type { Actions, Context } from './context.ts';
import { phoneActions } from './phone.ts';
import { tillActions } from './till.ts';
import { handlersOf } from './webhooks.ts';

/** Serves each action at an address of its own, JSON in and out. */
export function serveActions<I>(app: FastifyInstance, actions: Actions<I>): void {
  for (const [name, act] of Object.entries(actions))
    app.post(`/shop/api/${name}`, async ({ body }, reply) => {
      const answer = await act(JSON.parse(String(body)) as I);
      return reply.type('application/json').send(JSON.stringify(answer ?? null));
    });
}

/** Corner Shop's server: the actions of its pages, and the webhooks of the service. */
export function openShop(context: Context, webhookSecret: string): FastifyInstance {
  const app = fastify();
  const { receive } = createReceiver({
    secrets: webhookSecret,
    ...handlersOf(context.orders),
  });
  // As text, since signatures cover bytes. JSON only: a form on another site can send other types.
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
  serveActions(app, tillActions(context));
  serveActions(app, phoneActions(context));
  return app;
}
