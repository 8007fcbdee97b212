import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { Logger } from 'pino';
import { type Config, defaultMetricsPort } from '../config/config.ts';
import { type ClientTimeouts, timeoutsOf, usualTimeouts } from './client_timeouts.ts';

const headers = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** The reports of a process about itself to its operator. */
export interface Vitals {
  /** The text of `/metrics`. */
  readonly scrape: () => Promise<string>;
  /** @throws ApiError that says why requests should go elsewhere */
  readonly proveReady: () => Promise<void>;
}

/** `/metrics`, `/livez` and `/readyz` on METRICS_PORT: a process without the role api has no other. */
export interface MetricsListener {
  /** Null: the port was taken, and this process goes without. */
  readonly port: number | null;
  /** From now on all three paths answer; before, only `/livez` does. */
  use(vitals: Vitals): void;
  close(): Promise<void>;
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve());
  });
}

/** Several sandboxes on one machine share the default port; the later ones have no metrics. */
const mayGoWithout = ({ environment, metricsPort }: Asked, { code }: NodeJS.ErrnoException) =>
  code === 'EADDRINUSE' && environment === 'sandbox' && metricsPort === defaultMetricsPort;

function fault({ metricsPort, metricsHost }: Asked, { code }: NodeJS.ErrnoException): Error {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL')
    return new Error(`METRICS_HOST: this machine has no address ${metricsHost}; set one it has.`);
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `is in use on ${metricsHost}; stop what listens there, or set METRICS_PORT.`,
    EACCES: 'may not be used by this user; set METRICS_PORT.',
  };
  return new Error(
    `METRICS_PORT: ${metricsPort} ${why[code ?? ''] ?? `cannot be used (${code}).`}`,
  );
}

type Asked = Pick<Config, 'environment' | 'metricsPort' | 'metricsHost'>;

/**
 * Listens at METRICS_HOST; port 0 takes any free one.
 * @throws one line when the port cannot be had, except a sandbox's default port
 */
export async function listenForMetrics(
  asked: Asked,
  log: Logger,
  timeouts: ClientTimeouts = usualTimeouts,
): Promise<MetricsListener> {
  let vitals: Vitals | null = null;
  const server = createServer(timeoutsOf(timeouts), (request, response) => {
    void answer(request.url ?? '', vitals).then((reply) => send(response, reply));
  });
  server.timeout = timeouts.silenceMs;
  try {
    await bind(server, asked.metricsHost, asked.metricsPort);
  } catch (error) {
    const refused = error as NodeJS.ErrnoException;
    if (!mayGoWithout(asked, refused)) throw fault(asked, refused);
    log.warn(`METRICS_PORT: ${asked.metricsPort} is in use, so this process shows no metrics.`);
    return { port: null, use() {}, async close() {} };
  }
  const { port } = server.address() as AddressInfo;
  log.debug({ port }, 'metrics');
  return {
    port,
    use(next) {
      vitals = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = readonly [status: number, body: string];

const paths = {
  '/livez': async () => [200, 'live\n'],
  '/readyz': async (vitals) => {
    if (!vitals) return [503, 'not ready\n'];
    return vitals.proveReady().then(
      () => [200, 'ready\n'],
      (error: Error) => [503, `${error.message}\n`],
    );
  },
  '/metrics': async (vitals) => (vitals ? [200, await vitals.scrape()] : [503, 'starting\n']),
} as const satisfies Record<string, (vitals: Vitals | null) => Promise<Answer>>;

async function answer(url: string, vitals: Vitals | null): Promise<Answer> {
  const path = url.split('?', 1)[0] ?? url;
  const known = ownValue(paths, path);
  return known ? known(vitals).catch((): Answer => [500, 'failed\n']) : [404, 'no such path\n'];
}

function send(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, headers).end(body);
}
