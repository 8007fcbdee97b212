/** The portal's JSON as a program uses it in the sandbox, with the Tenant's bearer token. */
export interface Portal {
  get<T>(path: string): Promise<T>;
  put<T>(path: string, body: object): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
}

/** @throws Error with status and body for any reply that is no 2xx */
export function openPortal(baseUrl: string, accessToken: string): Portal {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const reply = await fetch(`${baseUrl}/portal/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} /portal/api/${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as T;
  }
  return {
    get: (path) => call('GET', path),
    put: (path, body) => call('PUT', path, body),
    post: (path, body) => call('POST', path, body),
  };
}
