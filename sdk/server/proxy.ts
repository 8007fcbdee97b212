import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Bun and Deno obey them by themselves; the `fetch` of
 * Node does not, and its own modules do. So nothing is loaded where no proxy is set.
 */

type Env = Readonly<Record<string, string | undefined>>;
type Host = { readonly process?: NodeJS.Process; readonly Bun?: unknown; readonly Deno?: unknown };

const connectTimeoutMs = 30_000;

/** The small name comes first, as in curl. */
const read = (env: Env, name: string): string => env[name.toLowerCase()] || env[name] || '';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `example.com` and `.example.com` mean it and what is below it; `host:8443` that port alone. */
function isExcepted(env: Env, { hostname, port, protocol }: URL): boolean {
  if (loopback.test(hostname)) return true;
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return read(env, 'NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', at = ownPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const isName = name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
      return isName && at === ownPort;
    });
}

/** @throws TypeError for what is no proxy of HTTP */
export function proxyFor(env: Env, url: URL): URL | null {
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const given = read(env, variable);
  if (given === '' || isExcepted(env, url)) return null;
  const text = given.includes('://') ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new TypeError(`${variable} must be the http(s) address of a proxy`);
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function modulesOf({ getBuiltinModule }: NodeJS.Process) {
  const [http, https, tls, stream] = [
    getBuiltinModule('node:http'),
    getBuiltinModule('node:https'),
    getBuiltinModule('node:tls'),
    getBuiltinModule('node:stream'),
  ];
  return { http, https, tls, stream };
}
type Modules = ReturnType<typeof modulesOf>;

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
const to = ({ http, https }: Modules, { protocol }: URL) => (protocol === 'https:' ? https : http);

/** Connections through a tunnel that the proxy opens (RFC 9110, 9.3.6). */
function tunnelAgent(modules: Modules, proxy: URL) {
  const agent = new modules.https.Agent({ keepAlive: true });
  const open = (
    { host, port, servername }: ClientRequestArgs & { readonly servername?: string },
    done: (error: Error | null, socket?: Socket) => void,
  ) => {
    const target = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
    // An address of numbers is no name of a server.
    const named = servername ? { servername } : {};
    const tlsOf = (socket: Socket) => ({ socket, host: host ?? '', ...named });
    const asked = to(modules, proxy).request({
      host: hostOf(proxy),
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...authorizationOf(proxy) },
      agent: false,
      timeout: connectTimeoutMs,
    });
    asked.once('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) return done(null, modules.tls.connect(tlsOf(socket)));
      socket.destroy();
      const fault = new Error(`the proxy ${proxy.host} answered ${statusCode}`);
      done(Object.assign(fault, { code: `PROXY_${statusCode}` }));
    });
    asked.once('timeout', () => asked.destroy(new Error('the proxy does not answer')));
    asked.once('error', done);
    asked.end();
  };
  return Object.assign(agent, { createConnection: open });
}

const withoutBody = [204, 205, 304];

function responseOf({ stream }: Modules, reply: IncomingMessage): Response {
  const { statusCode: status = 502, rawHeaders } = reply;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (withoutBody.includes(status)) reply.resume();
  const body = withoutBody.includes(status) ? null : stream.Readable.toWeb(reply);
  return new Response(body as ReadableStream | null, { status, headers });
}

/** The parts that Node needs for one proxy. */
function openProxy(modules: Modules, proxy: URL) {
  const agent = tunnelAgent(modules, proxy);
  // Not the global one, which may be told of a proxy itself (NODE_USE_ENV_PROXY).
  const plain = new (to(modules, proxy).Agent)({ keepAlive: true });
  return (url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const shared = { method, signal: signal ?? undefined };
      const own = Object.fromEntries(new Headers(headers));
      // Over plain http a proxy is asked for the whole address (RFC 9112, 3.2.2).
      const asked =
        url.protocol === 'https:'
          ? modules.https.request(url, { ...shared, headers: own, agent })
          : to(modules, proxy).request({
              ...shared,
              agent: plain,
              host: hostOf(proxy),
              port: proxy.port,
              path: url.href,
              headers: { ...own, host: url.host, ...authorizationOf(proxy) },
            });
      asked.once('response', (reply) => resolve(responseOf(modules, reply)));
      asked.once('error', (cause) => {
        reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause }));
      });
      asked.end(body);
    });
}

const opened = new Map<string, ReturnType<typeof openProxy>>();

function throughProxy(process: NodeJS.Process, proxy: URL): ReturnType<typeof openProxy> {
  const known = opened.get(proxy.href) ?? openProxy(modulesOf(process), proxy);
  opened.set(proxy.href, known);
  return known;
}

/**
 * `fetch`, through the proxy that HTTPS_PROXY or HTTP_PROXY names, except to the hosts of NO_PROXY and to this
 * machine. Through a proxy no redirect is followed.
 */
export const proxiedFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const { process, Bun, Deno } = globalThis as Host;
  const hasOwn = !process?.getBuiltinModule || Bun !== undefined || Deno !== undefined;
  if (hasOwn || input instanceof Request) return globalThis.fetch(input, init);
  const url = new URL(input);
  const proxy = proxyFor(process.env, url);
  return proxy === null ? globalThis.fetch(input, init) : throughProxy(process, proxy)(url, init);
};
