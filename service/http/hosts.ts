import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { consoleSite, hostedSite } from '../config/sites.ts';
import { noSuchPath } from './serve/errors.ts';

/** The host that serves each page, if console or hosted pages have a host of their own (rules/security#24). */

type Part = 'console' | 'hosted' | 'public';

/** Paths by their beginnings, the first that fits; what is in none is the public host's. */
const parts: readonly (readonly [RegExp, readonly Part[]])[] = [
  [/^\/(?:livez|readyz)$/, ['console', 'hosted', 'public']],
  // Files that hold no secret: the pages of all hosts are made of them.
  [/^\/hosted\/(?:assets|preview)(?:\/|$)/, ['console', 'hosted']],
  [/^\/hosted\/[0-9a-f]{32}\/logo\//, ['console', 'hosted', 'public']],
  [/^\/(?:hosted|sdk)(?:\/|$)/, ['hosted']],
  // Programs call it with API keys at the address of the API.
  [/^\/portal\/api(?:\/|$)/, ['console', 'public']],
  [/^\/(?:portal|console)(?:\/|$)/, ['console']],
];

const docs = /^\/docs(?:\/|$)/;

const partsOf = (path: string): readonly Part[] =>
  parts.find(([form]) => form.test(path))?.[1] ?? ['public'];

/**
 * Refuses each path on a host that is not its own, as a path that does not exist, and takes a cookie on the
 * console's host alone. A request that names none of the hosts, such as one of a load balancer, is of the API.
 */
export function separateHosts(app: FastifyInstance, config: Config): void {
  if (config.consoleUrl === null && config.hostedUrl === null) return;
  const hostOf = (url: string) => new URL(url).host;
  const hosts: Readonly<Record<Part, string>> = {
    console: hostOf(consoleSite(config)),
    hosted: hostOf(hostedSite(config)),
    public: hostOf(config.publicUrl),
  };
  const isKnown = (host: string) => Object.values(hosts).includes(host);
  app.addHook('onRequest', async (request, reply) => {
    const { host: named = '' } = request.headers;
    const host = isKnown(named.toLowerCase()) ? named.toLowerCase() : hosts.public;
    if (host !== hosts.console) delete request.headers.cookie;
    const path = request.url.split('?', 1)[0] ?? '';
    if (partsOf(path).some((part) => hosts[part] === host)) return;
    // Pages of the portal lead to the documentation.
    if (config.docs !== 'off' && docs.test(path) && host === hosts.console)
      return reply.redirect(`${config.publicUrl}${request.url}`, 307);
    throw noSuchPath();
  });
}
