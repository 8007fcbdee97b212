import { randomBytes } from 'node:crypto';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { Base } from './bases.ts';
import type { RawRequest } from './send.ts';

/** A request before it is written, so that one thing in it can be made wrong. */
export interface Draft {
  readonly endpoint: EndpointDefinition;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The Authorization header; null sends none. */
  readonly authorization: string | null;
  /** `new`: a key of its own; null sends none. */
  readonly key: string | null;
}

export const newKey = () => `contract-${randomBytes(12).toString('hex')}`;

/** The base of an operation as a Tenant with this token sends it. */
export function draftOf(endpoint: EndpointDefinition, base: Base, token: string): Draft {
  return {
    endpoint,
    params: base.params ?? {},
    query: base.query ?? {},
    body: base.body,
    authorization: endpoint.authenticated === false ? null : `Bearer ${token}`,
    key: endpoint.idempotent === 'required' ? 'new' : null,
  };
}

const pairs = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');

function pathOf({ endpoint, params, query }: Draft): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = pairs(query);
  return search === '' ? path : `${path}?${search}`;
}

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** The request on the wire. `text` replaces the body, whatever stands in it. */
export function rawOf(draft: Draft, text?: string): RawRequest {
  const { endpoint, body, authorization, key } = draft;
  const kind = endpoint.bodyType ?? 'json';
  const written = body && (kind === 'form' ? pairs(body) : JSON.stringify(body));
  const sent = text ?? written;
  return {
    method: endpoint.method,
    path: pathOf(draft),
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(key === null ? {} : { 'idempotency-key': key === 'new' ? newKey() : key }),
      ...(sent === undefined ? {} : { 'content-type': contentTypes[kind] }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  };
}

const placeholder = '@@placeholder@@';

/** A body whose one value, or one name, is text that JSON.stringify would not write. */
export const bodyText = (
  fill: (mark: string) => Readonly<Record<string, unknown>>,
  json: string,
): string => JSON.stringify(fill(placeholder)).replace(`"${placeholder}"`, () => json);

const wireId = /^([a-z]+)_[0-9a-f]{32}$/;
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && wireId.test(value);

/** An id of the same kind that no record has. */
export const unknownIdLike = (id: string) =>
  id.replace(wireId, (_, prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`);
