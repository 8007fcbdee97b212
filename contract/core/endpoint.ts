import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One operation of the interface as data. It feeds validation, reply checks, handler types, the
 * SDK's methods, OpenAPI and the contract tests, so that none of them can disagree.
 *
 * - `idempotent`: `'required'` demands an Idempotency-Key, `'honored'` takes one when it is sent,
 *   `'none'` ignores it (rules/idempotency#1).
 * - `errors` are the operation's specific codes. `generalErrors`, and `idempotency_key_missing`
 *   where the key is required, need not be listed. A reply with any other code fails a test.
 */
export interface EndpointDefinition {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly idempotent: 'required' | 'honored' | 'none';
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly bodyType?: 'json' | 'form';
  /** The largest body in bytes, where it is not the usual 64 kB. */
  readonly largestBody?: number;
  /** Within what it answers, where that is not the usual 9 s (rules/errors#9). */
  readonly longestMs?: number;
  readonly authenticated?: false;
  /** It is no part of the contract: `x-extension` in OpenAPI. Its form is promised like that of the others. */
  readonly extension?: true;
  readonly success: { readonly status: 200 | 201 | 202; readonly schema: TSchema };
  readonly errors: readonly ErrorCode[];
}

type Part<E, K extends string> = E extends { readonly [P in K]: infer S extends TSchema }
  ? Static<S>
  : Record<never, never>;

export type ParamsOf<E extends EndpointDefinition> = Part<E, 'params'>;
export type QueryOf<E extends EndpointDefinition> = Part<E, 'query'>;
export type BodyOf<E extends EndpointDefinition> = Part<E, 'body'>;
export type SuccessOf<E extends EndpointDefinition> = Static<E['success']['schema']>;

/** Declares an endpoint and keeps its literal types. */
export const endpoint = <const E extends EndpointDefinition>(definition: E): E => definition;
