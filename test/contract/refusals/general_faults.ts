import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { fieldsOf } from '../cases/fields.ts';
import { type Draft, idNames, withIds } from '../cases/requests.ts';

/** The refusal that must come. `param` absent: null. */
export interface Told {
  readonly code: ErrorCode;
  readonly param?: string;
  readonly reason?: string;
}

/** A fault of a request of any operation. */
interface Fault {
  readonly name: string;
  /** The kind of a fault: of those that replace each other a request has only one. */
  readonly of?: 'key' | 'token';
  readonly applies: (draft: Draft) => boolean;
  readonly make: (draft: Draft) => Draft;
  readonly told: Told;
}

/** @param required of an operation: the first field that it requires, and where */
export function requiredField({ body, query }: EndpointDefinition) {
  const parts = [
    { part: 'body', schema: body } as const,
    { part: 'query', schema: query } as const,
  ];
  const [first] = parts.flatMap(({ part, schema }) =>
    fieldsOf(schema).flatMap(({ required, path: [name = '', ...within] }) =>
      required && within.length === 0 ? [{ part, name }] : [],
    ),
  );
  return first;
}

const isKeyUsed = ({ endpoint }: Draft) => endpoint.idempotent !== 'none';
const isAuthenticated = ({ endpoint }: Draft) => endpoint.authenticated !== false;
const invalidKey = { code: 'parameter_invalid', param: 'Idempotency-Key' } as const;

/**
 * In the order in which they are told, when there are several.
 * @param spentToken of a Tenant whose requests of this minute are used up; null: none is at hand
 * @param usedKey an Idempotency-Key that another request has
 */
export function generalFaults(spentToken: string | null, usedKey: string): readonly Fault[] {
  return [
    {
      name: 'no token',
      of: 'token',
      applies: isAuthenticated,
      make: (draft) => ({ ...draft, authorization: null }),
      told: { code: 'authentication_required' },
    },
    {
      name: 'a spent rate',
      of: 'token',
      applies: (draft) => spentToken !== null && isAuthenticated(draft),
      make: (draft) => ({ ...draft, authorization: `Bearer ${spentToken}` }),
      told: { code: 'rate_limited' },
    },
    {
      name: 'no key',
      of: 'key',
      applies: ({ endpoint }) => endpoint.idempotent === 'required',
      make: (draft) => ({ ...draft, key: null }),
      told: { code: 'idempotency_key_missing' },
    },
    {
      name: 'a malformed key',
      of: 'key',
      applies: isKeyUsed,
      make: (draft) => ({ ...draft, key: 'a b' }),
      told: { ...invalidKey, reason: 'format' },
    },
    {
      name: 'an unknown parameter',
      applies: () => true,
      make: (draft) => ({ ...draft, query: { ...draft.query, unknown: '1' } }),
      told: { code: 'parameter_invalid', param: 'unknown', reason: 'unknown_field' },
    },
    {
      name: 'a key of another request',
      of: 'key',
      applies: isKeyUsed,
      make: (draft) => ({ ...draft, key: usedKey }),
      told: { ...invalidKey, reason: 'idempotency_key_reused' },
    },
    {
      name: 'an unknown id',
      applies: ({ params, endpoint }) =>
        idNames({ params }).length > 0 && endpoint.errors.includes('not_found'),
      make: (draft) => ({ ...draft, ...withIds({ params: draft.params }, () => 'unknown') }),
      told: { code: 'not_found' },
    },
  ];
}
