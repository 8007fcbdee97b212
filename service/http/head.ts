import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

type Raw = Pick<IncomingMessage, 'method'>;

const heads = new WeakSet<Raw>();

/**
 * HEAD takes the route of GET, and Node leaves the body of its reply out (rules/errors#11): routes of its own
 * would be 127 more, and a twentieth of a start.
 */
export function routeAsGet(raw: Raw): void {
  if (raw.method !== 'HEAD') return;
  raw.method = 'GET';
  heads.add(raw);
}

/** The method as it was sent. */
export const sentMethod = ({ raw, method }: FastifyRequest): string =>
  heads.has(raw) ? 'HEAD' : method;
