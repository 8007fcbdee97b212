import type {
  PortalEndpointId,
  portalEndpoints,
} from '@tenant-payments/backoffice/contract/catalog.ts';
import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
  SuccessOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import { type Failure, failureOf } from '../../ui/failure.ts';
import { scopeHeaders } from './shown.ts';

type Endpoint = (typeof portalEndpoints)[PortalEndpointId];
type Endpoints = { [E in Endpoint as `${E['method']} ${E['path']}`]: E };

/** An operation of the portal's JSON by method and path: the types know its input and its reply. */
export type Route = keyof Endpoints & string;
export type InputOf<R extends Route> =
  // Each route is resolved by itself: all parameters with all bodies of all routes are too many
  // types.
  R extends Route
    ? Endpoints[R] extends infer E extends EndpointDefinition
      ? ParamsOf<E> & QueryOf<E> & BodyOf<E>
      : never
    : never;
export type ReplyOf<R extends Route> = Endpoints[R] extends infer E extends EndpointDefinition
  ? SuccessOf<E>
  : never;

/** Why an operation failed, as pages show it. */
export class Failed extends Error {
  readonly failure: Failure;
  /** The service's message, in English. */
  readonly text: string;
  /** Facts of the refusal. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(failure: Failure, text: string, details: Readonly<Record<string, unknown>> = {}) {
    super(text);
    this.failure = failure;
    this.text = text;
    this.details = details;
  }
}

export const unreachable = () =>
  new Failed({ kind: 'offline', requestId: null }, 'The service cannot be reached.');

const timeoutMs = 60_000;

interface ErrorReply {
  readonly error?: Parameters<typeof failureOf>[1] & { readonly message?: string };
}

/** The event of a window that may do nothing more where it is: its visit is over, or the session acts elsewhere. */
export const isOut = 'is-out';

/** Why a reply is none. */
export async function failedBy(reply: Response): Promise<Failed> {
  const { error = {} } = (await reply.json().catch(() => ({}))) as ErrorReply;
  if (/visit_over|acts_elsewhere/.test(String(error.details?.reason)))
    dispatchEvent(new Event(isOut));
  const failure = failureOf(reply.status, error, reply.headers.get('retry-after'));
  const text = error.message ?? 'The service failed.';
  return new Failed(failure, text, error.details ?? {});
}

/** Puts the path's parameters in, and the rest of a GET into the query. */
function targetOf(route: Route, input: Record<string, unknown>): { url: string; rest: object } {
  const [method = '', pattern = ''] = route.split(' ');
  const rest: Record<string, unknown> = { ...input };
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  if (method !== 'GET') return { url: path, rest };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return { url: query.size > 0 ? `${path}?${query}` : path, rest: {} };
}

interface CallOptions {
  readonly signal?: AbortSignal;
  /** The Tenant whose records staff of the platform ask for; absent: the session's own. */
  readonly tenantId?: string | null;
}

/**
 * Calls the portal's JSON; the session is the browser's cookie, which no script can read.
 * @throws Failed
 */
export async function call<R extends Route>(
  route: R,
  input: InputOf<R>,
  { signal, tenantId }: CallOptions = {},
): Promise<ReplyOf<R>> {
  const [method = ''] = route.split(' ');
  const { url, rest } = targetOf(route, input as Record<string, unknown>);
  const hasBody = Object.keys(rest).length > 0;
  const reply = await fetch(url, {
    method,
    credentials: 'same-origin',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    headers: {
      ...scopeHeaders(tenantId),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(rest) }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable();
  });
  if (!reply.ok) throw await failedBy(reply);
  return reply.json().catch(() => ({})) as Promise<ReplyOf<R>>;
}
