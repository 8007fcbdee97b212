import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A network between a client and a service, which can be cut and mended. */
export interface BreakableProxy {
  readonly baseUrl: string;
  /** Breaks every connection off, and each that comes until it is mended. */
  cut(): void;
  mend(): void;
  /** Connections go silent, as after a laptop slept: nothing passes, nothing is closed. */
  silence(): void;
  readonly connections: () => number;
}

export async function openBreakableProxy(target: string): Promise<BreakableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let count = 0;
  const server = createServer((inner) => {
    if (isCut) {
      inner.destroy();
      return;
    }
    count += 1;
    const outer = connect({ host: hostname, port: Number(port) });
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    inner.pipe(outer).pipe(inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    destroyAll();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend() {
      isCut = false;
    },
    silence() {
      for (const socket of sockets) socket.pause().unpipe();
    },
    connections: () => count,
  };
}
