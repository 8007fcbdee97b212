import { type Listener, listen } from '../../../service/http/listen.ts';
import { type ClientTimeouts, usualTimeouts } from '../../../service/operations/client_timeouts.ts';

const veryLongMs = 1_200_000;

const patient: ClientTimeouts = {
  ...usualTimeouts,
  headersMs: veryLongMs,
  requestMs: veryLongMs,
  keepAliveMs: veryLongMs,
  silenceMs: veryLongMs,
};

/**
 * A free port of this machine for a service in the test's own process. It ends no idle connection first: client and
 * service share one loop, and where that stands still a request would go out on a connection that is just being closed.
 */
export const openListener = (): Promise<Listener> =>
  listen(['127.0.0.1'], 0, { timeouts: patient });
