import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Inbound } from '@tenant-payments/service/rails/facts.ts';
import type { Rails } from '@tenant-payments/service/rails/rails.ts';
import { type BankProvider, NotSigned, openBankProvider } from './bank.ts';
import type { ByHand } from './by_hand.ts';
import type { ClientSettings } from './client.ts';
import type { Receipt } from './facts.ts';
import { openReporter, type Reporter } from './reporter.ts';

/** Hears the bank for a process of the service: by webhooks at a port of its own, and by its feed. */

export interface FrameSettings extends ClientSettings {
  readonly pollSeconds: number;
  /** Where webhooks arrive and a person answers, on 127.0.0.1. */
  readonly port: number;
}

const largestBody = 64 * 1_024;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) throw new Error('too large');
  return buffer(request);
}

interface Parts {
  readonly provider: BankProvider;
  readonly byHand: ByHand;
  readonly reporter: Reporter;
  readonly inbound: Inbound;
}

/** What a request at the port is answered with. */
async function answer(parts: Parts, request: IncomingMessage): Promise<unknown> {
  const { provider, byHand, reporter, inbound } = parts;
  const path = (request.url ?? '').slice(1);
  if (path === 'messages') return byHand.sent;
  if (path === 'dropped') return Object.fromEntries(provider.dropped);
  const rawBody = await bodyOf(request);
  if (path === 'rails/bank')
    return reporter.report(await provider.receive({ headers: request.headers, rawBody }));
  if (byHand.isKind(path)) return byHand.answer(inbound, path, JSON.parse(rawBody.toString()));
  throw new Error(`there is nothing at /${path}`);
}

function openPort(parts: Parts): Server {
  return createServer(async (request, response) => {
    try {
      response.end(`${JSON.stringify((await answer(parts, request)) ?? null)}\n`);
    } catch (error) {
      const status = error instanceof NotSigned ? 401 : 500;
      response.writeHead(status).end(`${(error as Error).message}\n`);
    }
  });
}

/** Reads the feed again and again. @param again what must be reported once more */
function openPolling({ provider, reporter }: Parts, again: Set<Receipt>) {
  const ending = new AbortController();
  let cursor: string | null = null;
  let underWay: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    for (const receipt of again) {
      await reporter.report([receipt]);
      again.delete(receipt);
    }
    for (;;) {
      const page = await provider.poll.run(cursor, ending);
      await reporter.report(page.receipts);
      if (page.cursor === cursor) return;
      cursor = page.cursor;
    }
  }
  const timer = setInterval(() => {
    // What fails is read again from the same place.
    underWay = underWay.then(run).catch(() => {});
  }, provider.poll.everySeconds * 1_000);
  return async () => {
    clearInterval(timer);
    ending.abort();
    await underWay;
  };
}

/** Rails whose bank is the sandbox bank, and whose other parts a person plays. */
export function openBankRails(settings: FrameSettings, byHand: ByHand) {
  const again = new Set<Receipt>();
  const provider = openBankProvider(settings, (receipt) => void again.add(receipt));
  const ends: (() => Promise<unknown>)[] = [provider.close];
  let reporter: Reporter | null = null;
  const rails: Rails = {
    ...byHand.rails,
    bank: provider.bank,
    listen(inbound) {
      reporter = openReporter(inbound);
      const parts = { provider, byHand, reporter, inbound };
      const port = openPort(parts).listen(settings.port, '127.0.0.1');
      const stopPolling = openPolling(parts, again);
      ends.unshift(stopPolling, async () => {
        port.close();
        await once(port, 'close');
      });
    },
    async close() {
      for (const end of ends) await end();
    },
  };
  return { rails, provider, taken: () => reporter?.taken ?? new Map() };
}
