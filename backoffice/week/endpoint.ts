import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '@tenant-payments/service/service.ts';
import { setWebhookEndpoint } from '@tenant-payments/service/webhooks/endpoint.ts';

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
      await service.engine.submit(setWebhookEndpoint, {
        tenantId,
        input: { url, enabled: is !== 'off' },
      });
      if (is !== 'answering') close();
    },
  };
}
