import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  getWebhookEndpoint,
  putWebhookEndpoint,
} from '@tenant-payments/backoffice/contract/traffic/webhooks.ts';
import type { WebhookEndpoint } from '@tenant-payments/contract/resources/webhook_endpoints.ts';
import { callsOf } from '../../calls.ts';
import { UsageError } from '../../terminal.ts';
import type { Connection } from '../connection.ts';
import { resendOne } from '../events/resend.ts';
import type { Console } from '../options.ts';
import type { Answer } from '../post.ts';
import type { Handover } from './handover.ts';
import { recall, remember } from './memory.ts';
import { passingOf } from './passing.ts';
import type { Way } from './tap.ts';

/** The headers that the service adds to a delivery; the rest is of the connection. */
const ofDelivery = ['service-signature', 'user-agent'] as const;

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    ofDelivery.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
  );

/** One answer for all addresses: that of the first one that failed (rules/tpay#33). */
function answerOf(answers: readonly Answer[]): { status: number; body: string } {
  const isBad = ({ status }: Answer) => status === null || status < 200 || status > 299;
  const told = answers.find(isBad) ?? answers[0];
  if (!told) return { status: 200, body: '' };
  const { status, error, body } = told;
  return status === null ? { status: 502, body: `tpay listen: ${error}` } : { status, body };
}

/** A server on this machine that takes deliveries at an address that nobody can guess. */
async function openReceiver(hand: Handover, isAsked: (type: string) => boolean) {
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(async (request, reply) => {
    if (request.method !== 'POST' || request.url !== path) {
      reply.writeHead(404).end();
      return;
    }
    try {
      const passing = passingOf(await text(request));
      const answers = isAsked(passing.type) ? await hand(passing, headersOf(request)) : [];
      const { status, body } = answerOf(answers);
      reply.writeHead(status).end(body);
    } catch (error) {
      reply.writeHead(500).end(`tpay listen: ${(error as Error).message}`);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${path}`, close: () => void server.close() };
}

/**
 * Makes an address the endpoint of the Tenant.
 * @returns what was there before, and what puts it back unless somebody has set another since
 */
async function takePlace(terminal: Console, connection: Connection, url: string) {
  // The endpoint wants step-up, which a key of `login` never has.
  const portal = connection.api ? callsOf(connection.api) : connection.portal;
  const found = (await portal.request(getWebhookEndpoint)).data;
  const { taken } = recall(terminal, connection);
  // A listener that was killed could put nothing back.
  const before: WebhookEndpoint = taken && taken.ours === found.url ? taken.before : found;
  remember(terminal, connection, { taken: { ours: url, before } });
  await portal.request(putWebhookEndpoint, { url, enabled: true });
  return {
    before,
    async putBack(): Promise<void> {
      const now = (await portal.request(getWebhookEndpoint)).data;
      const endpoint =
        before.url === null ? { url, enabled: false } : { ...before, url: before.url };
      if (now.url === url) await portal.request(putWebhookEndpoint, endpoint);
      // Another listener that has taken it since puts back what was before both.
      if (recall(terminal, connection).taken?.ours === url)
        remember(terminal, connection, { taken: null });
    },
  };
}

/** @throws UsageError where the service could not reach this machine */
function assertReachable(baseUrl: string): void {
  const { hostname } = new URL(baseUrl);
  if (/^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return;
  throw new UsageError(
    `${hostname} is not on this machine, and delivers nothing to it`,
    'Leave --as-endpoint out: then the events are fetched. Or set the address of a tunnel in the portal.',
  );
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort');

/** The endpoint itself: deliveries with their retries, signature and status (rules/tpay#32). */
export function openAsEndpoint(
  terminal: Console,
  connection: Connection,
  isAsked: (type: string) => boolean,
): Way {
  assertReachable(connection.baseUrl);
  return {
    again: ({ id }) => resendOne(connection, id),
    async run(hand, printer, signal) {
      const receiver = await openReceiver(hand, isAsked);
      try {
        const { before, putBack } = await takePlace(terminal, connection, receiver.url);
        const later =
          before.url === null ? 'None was set before.' : `At the end ${before.url} is it again.`;
        printer.state(`Ready: the endpoint of ${connection.baseUrl} is here. ${later} ^C ends.`);
        await aborted(signal);
        await putBack().catch((error: Error) =>
          printer.note(
            `note: the endpoint could not be put back (${error.message}). The next tpay listen --as-endpoint does it at its end.`,
          ),
        );
      } finally {
        receiver.close();
      }
    },
  };
}
