import { AsyncLocalStorage } from 'node:async_hooks';
import { type Client, type ClientOptions, createClient } from '@tenant-payments/sdk-server';
import type { Call } from './state.ts';

/** The SDK's client, with each of its requests shown as curl and as SDK code, without secrets. */

/** The fields of the API that hold secrets. */
const secretFields = new Set([
  'access_token',
  'client_secret',
  'download_url',
  'link_token',
  'pin',
  'public_token',
  'result_token',
  'token',
]);

const shown = (value: unknown, space?: number): string =>
  JSON.stringify(value, (key, part) => (secretFields.has(key) && part ? 'secret' : part), space) ??
  '';

/** A value as one writes it in a program; an operation of the portal is shown by its name. */
function written(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'path' in value && 'id' in value)
    return String(value.id);
  return shown(value, 2)
    .replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll('"', "'");
}

function curlOf(url: string, { method = 'GET', headers, body }: RequestInit): string {
  const { pathname, search } = new URL(url);
  const key = new Headers(headers).get('idempotency-key');
  const isForm = pathname === '/oauth/token';
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${pathname}${search}"`,
    isForm
      ? `-d grant_type=client_credentials -d client_id=$CLIENT_ID -d client_secret=$CLIENT_SECRET`
      : `-H "authorization: Bearer $TOKEN"`,
    ...(key === null ? [] : [`-H 'idempotency-key: ${key}'`]),
    ...(isForm || typeof body !== 'string'
      ? []
      : [`-H 'content-type: application/json'`, `-d '${shown(JSON.parse(body))}'`]),
  ];
  return parts.join(' \\\n  ');
}

/** A client whose calls run under their own source code, as `underCode` receives it. */
function spelled<T extends object>(
  name: string,
  value: T,
  underCode: (code: string, call: () => unknown) => unknown,
): T {
  return new Proxy(value, {
    get(target, key) {
      const part: unknown = Reflect.get(target, key);
      const isPart = typeof part === 'function' || (typeof part === 'object' && part !== null);
      return isPart ? spelled(`${name}.${String(key)}`, part, underCode) : part;
    },
    apply(target, self, args) {
      const code = `await ${name}(${args.map(written).join(', ')})`;
      return underCode(code, () => Reflect.apply(target as () => unknown, self, args));
    },
  });
}

/** @param onCall is called after each request: with its reply, or with null when none came */
export function observedClient(
  options: ClientOptions,
  onCall: (call: Omit<Call, 'number'>) => void,
): Client {
  const currentCode = new AsyncLocalStorage<string>();
  const observedFetch = async (input: Parameters<typeof fetch>[0], init: RequestInit = {}) => {
    const startedAt = performance.now();
    const url = String(input);
    const report = (reply: Response | null) =>
      onCall({
        method: init.method ?? 'GET',
        path: new URL(url).pathname,
        status: reply?.status ?? null,
        request_id: reply?.headers.get('service-request-id') ?? null,
        duration_ms: Math.round(performance.now() - startedAt),
        curl: curlOf(url, init),
        sdk: url.endsWith('/oauth/token') ? null : (currentCode.getStore() ?? null),
      });
    try {
      const reply = await fetch(input, init);
      report(reply);
      return reply;
    } catch (error) {
      report(null);
      throw error;
    }
  };
  const client = createClient({ ...options, fetch: observedFetch });
  return spelled('client', client, (code, call) => currentCode.run(code, call));
}
