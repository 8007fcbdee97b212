import { createConnection } from 'node:net';
import { listen, usedPort } from './listen.ts';

/** Loopback answers at once. */
const withinMs = 1_000;

/** Whether something takes connections there. */
function isUsed(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: withinMs });
    const end = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}

/**
 * Looks for the port of a service that is about to start, without opening it: a balancer that tries it would lose a
 * request. 0 is any free port.
 * @throws one line when another process listens there
 */
export async function findPort(hosts: readonly string[], port: number): Promise<number> {
  if (port === 0) {
    const listener = await listen(hosts, 0);
    await listener.close(0);
    return listener.port;
  }
  for (const host of hosts) if (await isUsed(host, port)) throw new Error(usedPort(host, port));
  return port;
}
