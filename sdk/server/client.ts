import { perform, type RequestReport, type Transport } from './call.ts';
import { operations } from './generated/operations.ts';
import type { List } from './generated/records.ts';
import type { Resources } from './generated/resources.ts';
import { type Call, callOf, type ListCall, listCallOf } from './pages.ts';
import { proxiedFetch } from './proxy.ts';
import type { Reply } from './reply.ts';
import {
  type Operation,
  type Prepared,
  prepare,
  prepareRequest,
  type RawRequest,
  type WriteOptions,
} from './request.ts';
import { createTokens, type IssuedToken } from './tokens.ts';

export interface ClientOptions {
  /**
   * The address that was issued with the credentials; each environment has its own. Default: the
   * variable PAY_BASE_URL.
   */
  readonly baseUrl?: string | undefined;
  /** Default: the variable PAY_CLIENT_ID. */
  readonly clientId?: string | undefined;
  /** Default: the variable PAY_CLIENT_SECRET. */
  readonly clientSecret?: string | undefined;
  /** Milliseconds for each attempt; 15,000, which outlasts the service's own deadline of 10 s. */
  readonly timeoutMs?: number;
  /** Retries after the first attempt; 3. */
  readonly maxRetries?: number;
  /** First wait before a retry, doubled each time up to 8 s; 500 ms. */
  readonly retryBaseMs?: number;
  /** No retry begins later than this after the call; 10,000 ms, since somebody may wait for the answer. */
  readonly retryWithinMs?: number;
  /** Default: the global one, through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. */
  readonly fetch?: typeof globalThis.fetch;
  /** Called after every attempt, before the wait for the next, for logs and metrics. It gets no secret. */
  readonly onRequest?: (report: RequestReport) => void;
}

export interface Client extends Resources {
  /** Calls an operation that has no method here, with the same token, retries and errors. */
  request<T = unknown>(request: RawRequest, options?: WriteOptions): Call<T>;
}

/** @param make a wrong argument makes it throw, and the call rejects */
type Send = <T>(make: () => Prepared) => Promise<Reply<T>>;

function listCall(send: Send, operation: Operation, args: readonly unknown[]): ListCall<unknown> {
  const at = operation.path.split(':').length - 1;
  const next = (cursor: string) => {
    const query = { ...(args[at] as object | undefined), cursor };
    return send<List<unknown>>(() =>
      prepare(operation, [...args.slice(0, at), query, ...args.slice(at + 1)]),
    );
  };
  return listCallOf(
    send<List<unknown>>(() => prepare(operation, args)),
    next,
  );
}

function methodOf(send: Send, operation: Operation) {
  return (...args: readonly unknown[]) =>
    operation.list ? listCall(send, operation, args) : callOf(send(() => prepare(operation, args)));
}

/** Refuses an address that holds a secret, which error messages would show, or cannot be called. */
function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const plain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!plain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'baseUrl must be an http(s) address without credentials, query or hash; use the one that was issued',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** The variables that the command line reads too. */
const variables = {
  baseUrl: 'PAY_BASE_URL',
  clientId: 'PAY_CLIENT_ID',
  clientSecret: 'PAY_CLIENT_SECRET',
} as const;

interface Host {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** An option, else its variable. @throws TypeError when both are missing */
function given(options: ClientOptions, name: keyof typeof variables): string {
  const variable = variables[name];
  const value = options[name] ?? (globalThis as Host).process?.env?.[variable];
  // A file or a secrets manager often ends its text with a line end, which no header can carry.
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new TypeError(`${name} is missing; pass the one that was issued, or set ${variable}`);
}

function transportOf(options: ClientOptions): Transport {
  const { timeoutMs = 15_000, maxRetries = 3, retryBaseMs = 500, retryWithinMs = 10_000 } = options;
  return {
    baseUrl: checkedBaseUrl(given(options, 'baseUrl')),
    fetch: options.fetch ?? proxiedFetch,
    timeoutMs,
    maxRetries,
    retryBaseMs,
    retryWithinMs,
    onRequest: options.onRequest,
  };
}

/**
 * Makes a client for one set of credentials; make one and share it. Its methods resolve to the
 * resource and reject with TenantPaymentsError.
 * @throws TypeError for invalid options
 */
export function createClient(options: ClientOptions = {}): Client {
  const transport = transportOf(options);
  const credentials = {
    grant_type: 'client_credentials',
    client_id: given(options, 'clientId'),
    client_secret: given(options, 'clientSecret'),
  };
  const tokens = createTokens(async () => {
    const call = prepareRequest({
      method: 'POST',
      path: '/oauth/token',
      body: credentials,
      bodyType: 'form',
      idempotent: false,
      authenticated: false,
    });
    // The call takes no key, but a second token does no harm.
    return (await perform<IssuedToken>(transport, tokens, { ...call, repeatable: true })).data;
  });
  const send: Send = async (make) => perform(transport, tokens, make());

  // Gives the client the shape of the table `operations`, which `Resources` describes as a type.
  const resources = Object.fromEntries(
    Object.entries(operations).map(([group, table]) => [
      group,
      Object.fromEntries(
        Object.entries(table).map(([name, operation]) => [name, methodOf(send, operation)]),
      ),
    ]),
  ) as unknown as Resources;
  return {
    ...resources,
    request: (request, callOptions) => callOf(send(() => prepareRequest(request, callOptions))),
  };
}
