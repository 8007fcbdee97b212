import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { FastifyInstance } from 'fastify';
import { serve, serveHandler } from '../service/http/serve/serve.ts';
import type { Service } from '../service/service.ts';
import { listWebhookEvents } from '../service/webhooks/list.ts';
import { recoverWebhookEvents } from '../service/webhooks/recover.ts';
import { resendWebhookEvent } from '../service/webhooks/resend.ts';
import type { Workers } from './workers.ts';

/** `/v1/webhook-events`: what is sent again is looked for at once. */
export function serveEvents(
  scope: FastifyInstance,
  service: Service,
  { dispatcher }: Pick<Workers, 'dispatcher'>,
): void {
  const wake = () => dispatcher.wake();
  serveHandler(scope, service, endpoints.listWebhookEvents, listWebhookEvents);
  serve(scope, service, endpoints.resendWebhookEvent, resendWebhookEvent, wake);
  const recover = recoverWebhookEvents(service, wake);
  serveHandler(scope, service, endpoints.recoverWebhookEvents, recover);
}
