import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClient } from '@tenant-payments/sdk-server';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Scripted {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `silent` never answers, `cut` closes the connection instead of a reply. */
  readonly fault?: 'silent' | 'cut';
}

/** The reply to a request, given how many of its path came before. */
export type Script = (request: Received, before: number) => Scripted;

export interface ScriptedApi {
  readonly baseUrl: string;
  /** Every request but those for tokens. */
  readonly calls: Received[];
  readonly tokenCalls: Received[];
  client(options?: Partial<ClientOptions>): Client;
}

export const clientSecret = 'cs_test_0123456789abcdef';

export const refusal = (code: string, more: object = {}) => ({
  error: { code, message: 'in words', param: null, request_id: 'req_7', details: null, ...more },
});

/** The default script of the token endpoint: a new token each time. */
const issueToken: Script = (_, before) => ({
  json: {
    access_token: `token-${before + 1}`,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'tenant',
  },
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A real HTTP server that answers as the script says, for the time of one test. */
export async function startScriptedApi(script: Script, token = issueToken): Promise<ScriptedApi> {
  const calls: Received[] = [];
  const tokenCalls: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const received: Received = {
      method: request.method ?? '',
      path: pathname,
      query: search,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const isToken = pathname.endsWith('/oauth/token');
    const log = isToken ? tokenCalls : calls;
    const before = log.filter(({ path }) => path === pathname).length;
    log.push(received);
    const reply = (isToken ? token : script)(received, before);
    if (reply.fault === 'silent') return;
    if (reply.fault === 'cut') {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status ?? 200, {
      'content-type': 'application/json',
      ...reply.headers,
    });
    response.end(reply.text ?? JSON.stringify(reply.json ?? {}));
  });
  const baseUrl = await listen(server);
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, clientId: 'ci_test', clientSecret, retryBaseMs: 2, ...options });
  return { baseUrl, calls, tokenCalls, client };
}
