import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readTenantNow } from '@tenant-payments/service/resources/statements/monthly.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { putWebhookEndpoint } from '../portal/settings/webhook_endpoint.ts';

/** The discard port of this machine: nobody listens there. */
const refusing = 'http://localhost:9/webhooks';

/** The Tenant's endpoint, which answers for a while of the week and then refuses. */
export interface Endpoint {
  set(is: 'answering' | 'refusing' | 'off'): Promise<void>;
  close(): void;
}

async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

export function openEndpoint(service: Service, tenantId: string): Endpoint {
  const put = putWebhookEndpoint(service);
  let receiver: Server | null = null;
  const close = () => {
    receiver?.closeAllConnections();
    receiver?.close();
    receiver = null;
  };
  return {
    close,
    async set(is) {
      if (is === 'answering') receiver ??= await startReceiver();
      const address = receiver?.address() as AddressInfo | undefined;
      const url = is === 'answering' ? `http://127.0.0.1:${address?.port}/webhooks` : refusing;
      const now = () => readTenantNow(service, tenantId);
      await put({ tenantId, db: service.db, now }, { url, enabled: is !== 'off' });
      if (is !== 'answering') close();
    },
  };
}
