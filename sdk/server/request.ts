import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
} from '@tenant-payments/contract/core/endpoint.ts';

export interface CallOptions {
  /** Milliseconds for each attempt. */
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /** Ends the call, also while it waits to retry; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

interface KeyedOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters; by default a new UUID. */
  readonly idempotencyKey?: string;
}

type OptionsOf<E extends EndpointDefinition> = E['idempotent'] extends 'none'
  ? CallOptions
  : KeyedOptions;

/** The values of the path, in order: `/v1/customers/:id/owners` takes one. */
type PathValues<Path extends string, Params> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? [ValueOf<Params, Name>, ...PathValues<`/${Tail}`, Params>]
    : [ValueOf<Params, Rest>]
  : [];

type ValueOf<Params, Name extends string> = Name extends keyof Params ? Params[Name] : string;

/** An endpoint has a body or a query, never both; a query is optional when none of it is required. */
type Payload<E extends EndpointDefinition> = 'body' extends keyof E
  ? [body: BodyOf<E>]
  : 'query' extends keyof E
    ? Record<never, never> extends QueryOf<E>
      ? [query?: QueryOf<E>]
      : [query: QueryOf<E>]
    : [];

/** The arguments of an endpoint's method: path values, then body or query, then options. */
export type Arguments<E extends EndpointDefinition> = [
  ...PathValues<E['path'], ParamsOf<E>>,
  ...Payload<E>,
  options?: OptionsOf<E>,
];

/** One call, ready to be sent any number of times. */
export interface Prepared {
  readonly method: string;
  /** Path and query, below the base address. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly authenticated: boolean;
  readonly idempotencyKey: string | null;
  /** The call can be repeated when its outcome is unknown. */
  readonly repeatable: boolean;
  readonly options: CallOptions;
}

const pathName = /:([a-z_]+)/g;

/** An empty value or a dot segment would reach another operation. */
function pathSegment(endpoint: EndpointDefinition, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') {
    return encodeURIComponent(value);
  }
  throw new TypeError(
    `${endpoint.id}: ${name} must be a non-empty string; pass the id of the record`,
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields as `name=value` pairs; absent and null ones are left out. */
function encoded(fields: Fields): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) pairs.append(name, String(value));
  }
  return pairs.toString();
}

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

function contentOf(endpoint: EndpointDefinition, payload: unknown): Content {
  if (endpoint.body === undefined) return { headers: {}, text: undefined };
  const form = endpoint.bodyType === 'form';
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = form ? encoded((payload ?? {}) as Fields) : JSON.stringify(payload ?? {});
  return { headers: { 'content-type': type }, text };
}

/** Visible ASCII (rules/idempotency#2). */
const usableKey = /^[\x21-\x7e]{1,255}$/;

function keyOf(endpoint: EndpointDefinition, given: string | undefined): string | null {
  if (endpoint.idempotent === 'none') return null;
  if (given === undefined) return crypto.randomUUID();
  if (usableKey.test(given)) return given;
  throw new TypeError(
    `${endpoint.id}: idempotencyKey must be 1 to 255 visible ASCII characters, such as a UUID`,
  );
}

/**
 * Prepares the call of an endpoint. The Idempotency-Key is made only here, so that all retries have
 * the same (rules/idempotency#1).
 * @throws TypeError for a path value that is no id, and for a key of another form
 */
export function prepare(endpoint: EndpointDefinition, args: readonly unknown[]): Prepared {
  const names = [...endpoint.path.matchAll(pathName)].map(([, name = '']) => name);
  const values = new Map(names.map((name, i) => [name, pathSegment(endpoint, name, args[i])]));
  const path = endpoint.path.replace(pathName, (_, name: string) => values.get(name) ?? '');
  const payloads = endpoint.body === undefined && endpoint.query === undefined ? 0 : 1;
  const payload = args[names.length];
  const query = endpoint.query && payload ? encoded(payload as Fields) : '';
  const options = (args[names.length + payloads] ?? {}) as KeyedOptions;
  const key = keyOf(endpoint, options.idempotencyKey);
  const { headers, text } = contentOf(endpoint, payload);
  return {
    method: endpoint.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: key === null ? headers : { ...headers, 'idempotency-key': key },
    body: text,
    authenticated: endpoint.authenticated !== false,
    idempotencyKey: key,
    repeatable: endpoint.method === 'GET' || key !== null,
    options,
  };
}
