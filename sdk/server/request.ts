export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Options of one call. */
export interface RequestOptions {
  /** Milliseconds for each attempt. */
  readonly timeoutMs?: number;
  /** Retries after the first attempt. */
  readonly maxRetries?: number;
  /** No retry begins later than this after the call: a job may wait longer than a person does. */
  readonly retryWithinMs?: number;
  /** Ends the call, also while it waits to retry; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Options of a call that changes something. */
export interface WriteOptions extends RequestOptions {
  /** 1 to 255 visible ASCII characters; by default a new UUID. */
  readonly idempotencyKey?: string;
}

/** A call that has no method of its own, for `client.request`. */
export interface RawRequest {
  readonly method: Method;
  /** Below `baseUrl`, its values encoded: `/v1/payments/pay_1`. */
  readonly path: string;
  /** Absent and null fields are left out. */
  readonly query?: object;
  readonly body?: object;
  /** The body is sent as JSON by default. */
  readonly bodyType?: 'json' | 'form';
  /**
   * Whether the operation takes an Idempotency-Key; by default POST and DELETE do. Without one a change is not
   * retried while its outcome is unknown.
   */
  readonly idempotent?: boolean;
  /** False: without an access token. */
  readonly authenticated?: false;
}

/** The facts that a method of the client needs of its operation. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** Whether it takes an Idempotency-Key. */
  readonly keyed: boolean;
  readonly payload: 'body' | 'query' | null;
  /** Whether it answers a page of a list. */
  readonly list: boolean;
}

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
  readonly options: RequestOptions;
}

const pathName = /:([a-z_]+)/g;

/** An empty value or a dot segment would reach another operation. */
function pathSegment(operation: Operation, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') {
    return encodeURIComponent(value);
  }
  throw new TypeError(
    `${operation.id}: ${name} must be a non-empty string; pass the id of the record`,
  );
}

/** Fields as `name=value` pairs, of an object `name[key]=value`; absent and null ones are left out. */
function encoded(fields: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') pairs.append(name, String(value));
    else
      for (const [key, own] of Object.entries(value)) pairs.append(`${name}[${key}]`, String(own));
  }
  return pairs.toString();
}

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

function contentOf({ body, bodyType }: RawRequest): Content {
  if (body === undefined) return { headers: {}, text: undefined };
  const form = bodyType === 'form';
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return { headers: { 'content-type': type }, text: form ? encoded(body) : JSON.stringify(body) };
}

/** Visible ASCII (rules/idempotency#2). */
const usableKey = /^[\x21-\x7e]{1,255}$/;

function keyOf(name: string, keyed: boolean, given: string | undefined): string | null {
  if (!keyed) return null;
  if (given === undefined) return crypto.randomUUID();
  if (usableKey.test(given)) return given;
  throw new TypeError(
    `${name}: idempotencyKey must be 1 to 255 visible ASCII characters, such as a UUID`,
  );
}

const takesKey = ({ method, idempotent }: RawRequest): boolean =>
  idempotent ?? (method === 'POST' || method === 'DELETE');

/**
 * Prepares a call. The Idempotency-Key is made only here, so that all retries have the same
 * (rules/idempotency#1).
 * @param name says in an error which call it is
 * @throws TypeError for a key of another form
 */
export function prepareRequest(
  request: RawRequest,
  options: WriteOptions = {},
  name = `${request.method} ${request.path}`,
): Prepared {
  const query = request.query ? encoded(request.query) : '';
  const key = keyOf(name, takesKey(request), options.idempotencyKey);
  const { headers, text } = contentOf(request);
  return {
    method: request.method,
    target: query === '' ? request.path : `${request.path}?${query}`,
    headers: key === null ? headers : { ...headers, 'idempotency-key': key },
    body: text,
    authenticated: request.authenticated !== false,
    idempotencyKey: key,
    repeatable: request.method === 'GET' || key !== null,
    options,
  };
}

/**
 * Prepares the call of a method: `args` are the values of the path, then body or query, then options.
 * @throws TypeError for a path value that is no id, and for a key of another form
 */
export function prepare(operation: Operation, args: readonly unknown[]): Prepared {
  const { id, method, keyed, payload } = operation;
  const names = [...operation.path.matchAll(pathName)].map(([, name = '']) => name);
  const values = new Map(names.map((name, i) => [name, pathSegment(operation, name, args[i])]));
  const path = operation.path.replace(pathName, (_, name: string) => values.get(name) ?? '');
  const given = payload === null ? {} : { [payload]: args[names.length] ?? {} };
  const options = args[names.length + (payload === null ? 0 : 1)] as WriteOptions | undefined;
  return prepareRequest({ method, path, ...given, idempotent: keyed }, options, id);
}
