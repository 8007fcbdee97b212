import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Inbound } from '@tenant-payments/service/rails/facts.ts';
import type { ByHand } from './by_hand.ts';

/** A port on 127.0.0.1 where a person answers in place of identity provider and aggregator. */

const largestBody = 64 * 1_024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) throw new Error('too large');
  return (await buffer(request)).toString();
}

interface Parts {
  readonly byHand: ByHand;
  readonly dropped: ReadonlyMap<string, number>;
  readonly inbound: Inbound;
}

/** Answers a request at the port. */
async function answer({ byHand, dropped, inbound }: Parts, request: IncomingMessage) {
  const path = (request.url ?? '').slice(1);
  if (path === 'messages') return byHand.sent;
  if (path === 'dropped') return Object.fromEntries(dropped);
  if (!byHand.isKind(path)) throw new Error(`there is nothing at /${path}`);
  return byHand.answer(inbound, path, JSON.parse(await bodyOf(request)));
}

/** Opens the port. @returns what closes it */
export function openHandPort(parts: Parts, port: number): () => Promise<void> {
  const server = createServer(async (request, response) => {
    try {
      response.end(`${JSON.stringify(await answer(parts, request))}\n`);
    } catch (error) {
      response.writeHead(500).end(`${(error as Error).message}\n`);
    }
  }).listen(port, '127.0.0.1');
  return async () => {
    server.close();
    await once(server, 'close');
  };
}
