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

/** As JSON.parse types it: a test reads any field of any reply. */
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
