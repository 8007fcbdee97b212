import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type {
  EndpointDefinition,
  QueryOf,
  SuccessOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import type { Token } from '@tenant-payments/contract/resources/tokens.ts';
import { perform, type RequestReport, type Transport } from './call.ts';
import { type Methods, methods } from './methods.ts';
import type { Reply } from './reply.ts';
import { type Arguments, prepare } from './request.ts';
import { createTokens } from './tokens.ts';

export interface ClientOptions {
  /** The address that was issued with the credentials; each environment has its own. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Milliseconds for each attempt; 15,000, which outlasts the service's own deadline of 10 s. */
  readonly timeoutMs?: number;
  /** Retries after the first attempt; 3. */
  readonly maxRetries?: number;
  /** First wait before a retry, doubled each time up to 8 s; 500 ms. */
  readonly retryBaseMs?: number;
  /** No retry begins later than this after the call; 60,000 ms. */
  readonly retryWithinMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Called for every attempt, for logs and metrics. It gets no secret. */
  readonly onRequest?: (report: RequestReport) => void;
}

interface Callable<E extends EndpointDefinition> {
  (...args: Arguments<E>): Promise<SuccessOf<E>>;
  /** The same call, with request id, replay and rate limit of the reply. */
  withResponse(...args: Arguments<E>): Promise<Reply<SuccessOf<E>>>;
}

type ItemOf<E extends EndpointDefinition> =
  SuccessOf<E> extends { data: readonly (infer Item)[] } ? Item : never;

interface Paged<E extends EndpointDefinition> {
  /** Every item from the first page to the last; pages are fetched as they are needed. */
  each(...args: Arguments<E>): AsyncIterable<ItemOf<E>>;
}

/** The method of an endpoint; that of a list with a cursor has `each` too. */
export type Method<E extends EndpointDefinition> = Callable<E> &
  ('cursor' extends keyof QueryOf<E> ? Paged<E> : unknown);

type Resources = {
  readonly [Group in keyof Methods]: {
    readonly [Name in keyof Methods[Group]]: Methods[Group][Name] extends EndpointDefinition
      ? Method<Methods[Group][Name]>
      : never;
  };
};

export interface Client extends Resources {
  /** Calls an operation of the contract that has no method here. */
  request<E extends EndpointDefinition>(
    endpoint: E,
    ...args: Arguments<E>
  ): Promise<Reply<SuccessOf<E>>>;
}

type Send = (endpoint: EndpointDefinition, args: readonly unknown[]) => Promise<Reply<unknown>>;

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

async function* eachItem(send: Send, endpoint: EndpointDefinition, args: readonly unknown[]) {
  const at = (endpoint.path.match(/:/g) ?? []).length;
  const query = args[at] as object | undefined;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const paged = cursor === undefined ? query : { ...query, cursor };
    const { data } = await send(endpoint, [...args.slice(0, at), paged, ...args.slice(at + 1)]);
    const page = data as Page;
    yield* page.data;
    cursor = page.next_cursor ?? null;
  }
}

function methodOf(send: Send, endpoint: EndpointDefinition) {
  const method = async (...args: readonly unknown[]) => (await send(endpoint, args)).data;
  const withResponse = (...args: readonly unknown[]) => send(endpoint, args);
  const each = (...args: readonly unknown[]) => eachItem(send, endpoint, args);
  return Object.assign(method, { withResponse, each });
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

function checkedCredential(name: 'clientId' | 'clientSecret', value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`${name} is missing; pass the one that was issued with baseUrl`);
}

function transportOf(options: ClientOptions): Transport {
  const { timeoutMs = 15_000, maxRetries = 3, retryBaseMs = 500, retryWithinMs = 60_000 } = options;
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    fetch: options.fetch ?? globalThis.fetch,
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
export function createClient(options: ClientOptions): Client {
  const transport = transportOf(options);
  const credentials = {
    grant_type: 'client_credentials',
    client_id: checkedCredential('clientId', options.clientId),
    client_secret: checkedCredential('clientSecret', options.clientSecret),
  };
  const tokens = createTokens(async () => {
    // It takes no key, but a second token does no harm.
    const call = { ...prepare(endpoints.createToken, [credentials]), repeatable: true };
    return (await perform<Token>(transport, tokens, call)).data;
  });
  const send: Send = async (endpoint, args) => perform(transport, tokens, prepare(endpoint, args));

  // Gives the client the shape of the table `methods`, which `Resources` describes as a type.
  const resources = Object.fromEntries(
    Object.entries(methods).map(([group, table]) => [
      group,
      Object.fromEntries(
        Object.entries(table).map(([name, endpoint]) => [name, methodOf(send, endpoint)]),
      ),
    ]),
  ) as unknown as Resources;
  const request = (endpoint: EndpointDefinition, ...args: readonly unknown[]) =>
    send(endpoint, args);
  return { ...resources, request: request as Client['request'] };
}
