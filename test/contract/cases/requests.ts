import { randomBytes } from 'node:crypto';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { newKey } from '../../kit/ids.ts';
import type { RawRequest } from '../send.ts';
import type { Base } from './bases.ts';

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

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** The request as it is sent. `text` replaces the body, whatever it is. */
export function rawOf(draft: Draft, text?: string): RawRequest {
  const { endpoint, params, query, body, authorization, key } = draft;
  const kind = endpoint.bodyType ?? 'json';
  const sent = text ?? (body && (kind === 'form' ? pairs(body) : JSON.stringify(body)));
  const search = pairs(query);
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  return {
    method: endpoint.method,
    path: search === '' ? path : `${path}?${search}`,
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
export const bodyText = (fill: (mark: string) => object, json: string): string =>
  JSON.stringify(fill(placeholder)).replace(`"${placeholder}"`, () => json);

const publicId = /^([a-z]+)_[0-9a-f]{32}$/;
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && publicId.test(value);

/** An id of the same kind that no record has. */
export const unknownIdLike = (id: string) =>
  id.replace(publicId, (_, prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`);

const parts = ['params', 'query', 'body'] as const;

/** The request with other values in place of the ids that it names. */
export function withIds<B extends Base>(base: B, put: (id: string, name: string) => string): B {
  const changed = parts.flatMap((part) => {
    const held = base[part];
    if (!held) return [];
    const entries = Object.entries(held).map(([name, value]) => [
      name,
      isId(value) ? put(value, name) : value,
    ]);
    return [[part, Object.fromEntries(entries)]];
  });
  return { ...base, ...Object.fromEntries(changed) };
}

/** The names of the fields in which a request names a record. */
export const idNames = (base: Base): readonly string[] =>
  parts.flatMap((part) =>
    Object.entries(base[part] ?? {}).flatMap(([name, value]) => (isId(value) ? [name] : [])),
  );
