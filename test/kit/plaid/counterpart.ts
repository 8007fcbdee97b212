import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import addFormats from 'ajv-formats';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import { answersOf, errorOf } from './handlers.ts';
import { PlaidRefusal } from './refusal.ts';
import { newState, type PlaidState } from './state.ts';
import { type Forging, openSigner, type PublicKey } from './webhooks.ts';

/**
 * Plaid as its published file has it: what is asked and what is answered are held to it, and it keeps items, tokens and
 * sessions as Plaid does. What a call does not have in the file is refused too.
 */

type Json = Record<string, unknown>;
type Definition = Document & {
  readonly components: { readonly schemas: Record<string, Json> };
  readonly paths: Record<string, { readonly post: { readonly operationId: string } & Json }>;
};
const jsonType = { 'content-type': 'application/json' };
const file = new URL('plaid_api.json', import.meta.url);
const definition = nullable(JSON.parse(readFileSync(file, 'utf8'))) as Definition;

/** The file says of some things that they may be null and not of which type they are, which ajv does not take. */
function nullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([name, part]) => [name, nullable(part)]);
  const { nullable: isNullable, ...rest } = Object.fromEntries(parts);
  if (isNullable !== true) return { ...rest };
  const { enum: words } = rest;
  if (typeof rest.type === 'string')
    return { ...rest, nullable: true, ...(words && { enum: [...new Set([...words, null])] }) };
  return { anyOf: [rest, { type: 'string', nullable: true, enum: [null] }] };
}

/** No field of a request that Plaid does not know: a misspelt one would do nothing there. */
function closed(schemas: Record<string, Json>): void {
  for (const [name, schema] of Object.entries(schemas))
    if (/Request$/.test(name) && schema.properties) schema.additionalProperties = false;
}
closed(definition.components.schemas);

const messages: Readonly<Record<string, string>> = {
  'ITEM ERROR': 'ItemErrorWebhook',
  'ITEM PENDING_DISCONNECT': 'PendingDisconnectWebhook',
  'ITEM USER_PERMISSION_REVOKED': 'UserPermissionRevokedWebhook',
  'ITEM USER_ACCOUNT_REVOKED': 'UserAccountRevokedWebhook',
  'ITEM LOGIN_REPAIRED': 'ItemLoginRepairedWebhook',
  'AUTH DEFAULT_UPDATE': 'AuthDefaultUpdateWebhook',
  'LINK SESSION_FINISHED': 'LinkSessionFinishedWebhook',
  'IDENTITY_VERIFICATION STATUS_UPDATED': 'IdentityVerificationStatusUpdatedWebhook',
};
const pathOf = (name: string) => `/messages/${name}`;
// Messages of Plaid are held to its file as well, by operations of ours.
for (const name of Object.values(messages)) {
  const schema = { $ref: `#/components/schemas/${name}` };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const responses = { 200: { description: 'taken' } };
  definition.paths[pathOf(name)] = { post: { operationId: name, requestBody, responses } };
}

export interface Misbehaviour {
  /** Answers so, in place of what was asked; it may count the calls. */
  refuse?:
    | ((path: string, body: Json) => PlaidRefusal | null | Promise<PlaidRefusal | null>)
    | undefined;
  delayMs?: number | undefined;
  /** Absent: all of them are late. */
  latePath?: string | undefined;
  /** Ends connections without an answer. */
  isDown?: boolean | undefined;
}

export interface Counterpart {
  readonly url: string;
  readonly state: PlaidState;
  readonly misbehaviour: Misbehaviour;
  /** The faults of requests and replies; the test's end expects none. */
  readonly faults: string[];
  /** Sends a message to the service. @returns the status of its answer */
  tell(address: string, message: Json, forging?: Forging): Promise<number>;
  calls(path: string): PlaidState['calls'];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, jsonType);
  response.end(JSON.stringify(body));
}

async function openApi(answer: (context: Context) => object, faults: string[]) {
  const api = new OpenAPIBackend({
    definition,
    ajvOpts: { strict: false },
    customizeAjv: (ajv) => addFormats.default(ajv),
  });
  const said = (what: string, errors: unknown) => {
    faults.push(`${what}: ${JSON.stringify(errors)}`);
    throw new PlaidRefusal('INVALID_FIELD', 'INVALID_REQUEST');
  };
  for (const { post } of Object.values(definition.paths)) api.register(post.operationId, answer);
  api.register({
    validationFail: ({ validation, operation }) =>
      said(operation.operationId ?? '', validation.errors),
    notFound: ({ request }) => said(request.path, 'no such path'),
    postResponseHandler: (context) => {
      const { errors } = context.api.validateResponse(context.response, context.operation, 200);
      return errors ? said(`reply of ${context.operation.operationId}`, errors) : context.response;
    },
  });
  await api.init();
  return api;
}

/** The way of a message of Plaid to the service. */
export type Post = (
  address: string,
  message: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
  },
) => Promise<{ readonly status: number }>;

export async function openCounterpart(post: Post = fetch): Promise<Counterpart> {
  const state = newState();
  const keys = new Map<string, PublicKey>();
  const sign = await openSigner(keys);
  const misbehaviour: Misbehaviour = {};
  const faults: string[] = [];
  const answers = answersOf(state, keys);
  const api = await openApi(({ operation, request }) => {
    const found = answers[operation.operationId ?? ''];
    if (!found) throw new Error(`the counterpart does not answer ${operation.operationId}`);
    return found(request.requestBody);
  }, faults);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const text = await bodyOf(request);
    if (misbehaviour.isDown) return void request.socket.destroy();
    const { delayMs = 0, latePath = path } = misbehaviour;
    if (latePath === path) await sleep(delayMs);
    try {
      const body = JSON.parse(text) as Json;
      const refusal = await misbehaviour.refuse?.(path, body);
      if (refusal) throw refusal;
      const { 'plaid-client-id': id, 'plaid-secret': secret } = request.headers;
      if (id !== state.clientId || secret !== state.secret)
        throw new PlaidRefusal('INVALID_API_KEYS');
      state.calls.push({ path, body });
      const headers = request.headers as Record<string, string>;
      send(response, 200, await api.handleRequest({ method: 'POST', path, headers, body: text }));
    } catch (error) {
      if (!(error instanceof PlaidRefusal)) faults.push(String(error));
      const refusal =
        error instanceof PlaidRefusal ? error : new PlaidRefusal('INTERNAL', 'API_ERROR', 500);
      send(response, refusal.status, errorOf(refusal));
    }
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    state,
    misbehaviour,
    faults,
    async tell(address, message, forging) {
      const whole: Json = { environment: 'sandbox', ...message };
      const body = JSON.stringify(whole);
      const path = pathOf(messages[`${whole.webhook_type} ${whole.webhook_code}`] ?? '');
      const asked = { method: 'POST', path, headers: jsonType, body };
      const { errors } = api.validateRequest(asked);
      if (errors) faults.push(`message: ${JSON.stringify(errors)}`);
      const headers = { ...jsonType, 'plaid-verification': await sign(body, forging) };
      return (await post(address, { method: 'POST', headers, body })).status;
    },
    calls: (path) => state.calls.filter((call) => call.path === path),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
