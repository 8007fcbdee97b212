import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The servers of several Tenants, told apart by path. */
export interface Receivers {
  url(name: string): string;
  /** The ids of the events that came to one of them. */
  came(name: string): ReadonlySet<string>;
  close(): Promise<void>;
}

/** One first attempt in so many is answered 500; the next of the same event is not. */
const failsEvery = 8;

export async function openReceivers(): Promise<Receivers> {
  const received = new Map<string, Set<string>>();
  const refused = new Set<string>();
  let firsts = 0;

  function take(path: string, id: string): number {
    if (!refused.has(id)) firsts += 1;
    if (firsts % failsEvery === 0 && !refused.has(id)) {
      refused.add(id);
      return 500;
    }
    const ids = received.get(path) ?? new Set<string>();
    received.set(path, ids.add(id));
    return 200;
  }

  const server = createServer(async (request, response) => {
    const { id } = JSON.parse(await text(request));
    response.writeHead(take(request.url ?? '', id)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    came: (name) => received.get(`/${name}`) ?? new Set(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
