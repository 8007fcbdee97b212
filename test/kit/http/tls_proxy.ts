import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates.ts';

/** A proxy that ends TLS in front of a service of production. */
export interface TlsProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** @param to the service's port on loopback */
export async function startTlsProxy(certificate: Certificate, to: number): Promise<TlsProxy> {
  const server = createServer(certificate, (asked, answer) => {
    const { method, url: path, headers, socket } = asked;
    const forwarded = { ...headers, 'x-forwarded-for': socket.remoteAddress };
    const way = request({ host: '127.0.0.1', port: to, method, path, headers: forwarded });
    way.on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    way.on('error', () => answer.writeHead(502).end());
    asked.pipe(way);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
