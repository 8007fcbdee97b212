import type { ServerOptions } from 'node:http';

/** Time limits of a client. A slow one takes a connection and delays no other. */
export interface ClientTimeouts {
  /** From the connection, or the end of the previous request, to the end of the headers. */
  readonly headersMs: number;
  /** The same to the end of the body: 64 kB at 2 kB/s. */
  readonly requestMs: number;
  /** How often the two are checked. */
  readonly checkEveryMs: number;
  /** Between two requests of one connection; longer than the 60 s that a proxy usually waits. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction; longer than the longest reply, an advance of the clock. */
  readonly silenceMs: number;
}

/** The timeouts of every listener (rules/operations#24). */
export const usualTimeouts: ClientTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 1_000,
  keepAliveMs: 72_000,
  silenceMs: 120_000,
};

/** Beside them a server needs `timeout`, which is no option. */
export const timeoutsOf = (timeouts: ClientTimeouts): ServerOptions => ({
  headersTimeout: timeouts.headersMs,
  requestTimeout: timeouts.requestMs,
  connectionsCheckingInterval: timeouts.checkEveryMs,
  keepAliveTimeout: timeouts.keepAliveMs,
});
