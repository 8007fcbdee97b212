import { AsyncLocalStorage } from 'node:async_hooks';
import { secretFields } from '@tenant-payments/contract/catalog.ts';
import { type Client, type ClientOptions, createClient } from '@tenant-payments/sdk-server';
import type { Call } from './state.ts';

/** The SDK's client, each request of which is shown as curl and as code, without its secrets. */

const hidden = new Set(secretFields);
const shown = (value: unknown, space?: number): string =>
  JSON.stringify(value, (key, part) => (hidden.has(key) && part ? 'secret' : part), space) ?? '';

/** A value as one writes it in a program; an operation is named, since it is data too. */
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
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${pathname}${search}"`,
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

/** @param told hears of every request once its reply is there, or none came */
export function observedClient(
  options: ClientOptions,
  told: (call: Omit<Call, 'number'>) => void,
): Client {
  const spoken = new AsyncLocalStorage<string>();
  const watch = async (input: Parameters<typeof fetch>[0], init: RequestInit = {}) => {
    const startedAt = performance.now();
    const url = String(input);
    const tell = (reply: Response | null) =>
      told({
        method: init.method ?? 'GET',
        path: new URL(url).pathname,
        status: reply?.status ?? null,
        request_id: reply?.headers.get('service-request-id') ?? null,
        duration_ms: Math.round(performance.now() - startedAt),
        curl: curlOf(url, init),
        sdk: url.endsWith('/oauth/token') ? null : (spoken.getStore() ?? null),
      });
    try {
      const reply = await fetch(input, init);
      tell(reply);
      return reply;
    } catch (error) {
      tell(null);
      throw error;
    }
  };
  const spelled = <T extends object>(name: string, value: T): T =>
    new Proxy(value, {
      get: (target, key) => {
        const part: unknown = Reflect.get(target, key);
        const isPart = typeof part === 'function' || (typeof part === 'object' && part !== null);
        return isPart ? spelled(`${name}.${String(key)}`, part) : part;
      },
      apply: (target, self, args) => {
        const code = `await ${name}(${args.map(written).join(', ')})`;
        return spoken.run(code, () => Reflect.apply(target as () => unknown, self, args));
      },
    });
  return spelled('client', createClient({ ...options, fetch: watch }));
}
