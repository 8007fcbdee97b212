import { keyFor } from '../ids.ts';
import { Refused } from '../refusal.ts';
import { checkReply } from './contract_check.ts';

export interface CallOptions {
  readonly body?: unknown;
  /** Idempotency-Key. */
  readonly key?: string;
  /** Another access token than the caller's; null sends none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; the text where it is none; null where there is nothing. */
  readonly body: ReplyBody;
}

/** The type that JSON.parse gives: a test reads any field of any reply. */
export type ReplyBody = ReturnType<typeof JSON.parse>;

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends requests to `baseUrl` and holds every reply against the contract. */
export function caller(baseUrl: string, ownToken: string) {
  return async (method: string, path: string, options: CallOptions = {}): Promise<Reply> => {
    const { body, key, token = ownToken, headers = {} } = options;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const reply = {
      status: response.status,
      headers: response.headers,
      body: parsed(await response.text()) as ReplyBody,
    };
    checkReply(method, path, reply);
    return reply;
  };
}

/** An access token for a client's credentials. */
export async function fetchToken(
  baseUrl: string,
  { client_id, client_secret }: { client_id: string; client_secret: string },
): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (!access_token) throw new Error(`no access token: ${response.status}`);
  return access_token;
}

/** The requests of one Tenant's server. A POST has a key of its own unless one is given. */
export interface Calls {
  /** The reply, whatever it is; sends a key only where one is given. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** The four calls from here on give the body of a success. @throws Refused */
  get(path: string): Promise<ReplyBody>;
  post(path: string, body?: object, key?: string): Promise<ReplyBody>;
  put(path: string, body: object): Promise<ReplyBody>;
  remove(path: string): Promise<ReplyBody>;
  /** Plays an event of the outside world. @param id of the record */
  simulate(event: string, id: string, failure_code?: string): Promise<ReplyBody>;
  /** Moves the Tenant's clock, and runs what falls due. @param to seconds, or the instant */
  advance(to: number | string): Promise<ReplyBody>;
  /** Changes the Tenant's settings as the portal does. */
  settings(changes: object): Promise<ReplyBody>;
  balance(person: { readonly accountId: string }): Promise<ReplyBody>;
}

/**
 * @param token the Tenant's access token
 * @param settle what is awaited after each request that is no GET
 */
export function openCalls(
  baseUrl: string,
  token: string,
  settle: () => Promise<void> = async () => {},
): Calls {
  const send = caller(baseUrl, token);
  return callsBy(async (method, path, options) => {
    const reply = await send(method, path, options);
    if (method !== 'GET') await settle();
    return reply;
  });
}

/** The requests of a Tenant's server that sends them by `call`. */
export function callsBy(call: Calls['call']): Calls {
  async function ask(method: string, path: string, body?: object, key?: string) {
    const sent = { ...keyFor(method, key), ...(body ? { body } : {}) };
    const reply = await call(method, path, sent);
    if (reply.status < 300) return reply.body;
    throw new Refused(`${method} ${path}`, reply.status, reply.body);
  }
  const get = (path: string) => ask('GET', path);
  const post = (path: string, body?: object, key?: string) => ask('POST', path, body, key);
  const put = (path: string, body: object) => ask('PUT', path, body);
  return {
    call,
    get,
    post,
    put,
    remove: (path) => ask('DELETE', path),
    simulate: (event, object_id, failure_code) =>
      post(`/v1/sandbox/simulate/${event}`, {
        object_id,
        ...(failure_code ? { failure_code } : {}),
      }),
    advance: (to) =>
      post('/portal/api/clock/advance', typeof to === 'number' ? { seconds: to } : { to }),
    settings: (changes) => put('/portal/api/settings', changes),
    balance: ({ accountId }) => get(`/v1/accounts/${accountId}/balance`),
  };
}
